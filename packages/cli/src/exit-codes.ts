/** The exit codes of all commands. */

export const EXIT = {
  ok: 0,
  /** The command did its work and found what it looks for: a difference, a failed check. */
  findings: 1,
  usage: 2,
  /** A file is missing, cannot be read, or contains no model; or a result cannot be written. */
  input: 3,
  limit: 4,
  /** A bug in Baton. */
  internal: 70,
  /** Interrupted by Ctrl-C. */
  interrupted: 130,
  /** Ended by SIGHUP: the terminal was closed. */
  hungUp: 129,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
