/** The problems that only the command has, and the exit code of each problem. */
import { type Diagnostic, type Diagnostics, diagnostic, fail, type Result } from '@baton/base';
import { EXIT, type ExitCode } from './exit-codes.ts';

const USAGE = 'CLI_USAGE';

/** A mistake in the command line. */
export const misuse = (message: string, hint?: string): Result<never> =>
  fail(diagnostic(USAGE, message, { hint }));

/** A file that cannot be read. */
export const unreadable = (path: string, reason: string, hint?: string): Diagnostic =>
  diagnostic('CLI_READ', `${path} cannot be read: ${reason}`, { hint });

/** A file that cannot be written. */
export const unwritable = (path: string, reason: string): Diagnostic =>
  diagnostic('CLI_WRITE', `${path} cannot be written: ${reason}`);

/** A file whose contents are not what its place asks for. */
export const unfit = (path: string, message: string, hint?: string): Diagnostic =>
  diagnostic('CLI_FILE', `${path}: ${message}`, { hint });

/** An array of an archive that is larger than its input can be. */
export const archiveTooLarge = (path: string, bytes: number, limit: number): Diagnostic =>
  diagnostic(
    'CLI_ARCHIVE_TOO_LARGE',
    `${path} unpacks to ${bytes} bytes, and its input has room for ${limit}`,
    { hint: '--limit-input gives room to inputs of open sizes; a file .npy is not packed' },
  );

/** Codes of limits: one of these words stands in them. */
const LIMITS =
  /(^|_)(LIMIT|LIMIT_TIME|MEMORY|TOO_LARGE|TOO_DEEP|TOO_MANY|TOO_LONG|OUT_OF_FUEL|STOPPED)$/;

/** A problem whose hint names an option of the command where it names a limit of the library. */
export const inOptions = (problem: Diagnostic): Diagnostic => ({
  ...problem,
  ...(problem.code === 'LIMIT_TIME' ? { hint: 'give it more time by --limit-time' } : {}),
  ...(problem.hint?.includes('`limits.bytes`')
    ? { hint: problem.hint.replace('`limits.bytes`', '--limit-memory') }
    : {}),
  ...(problem.hint?.includes('maxConstantBytes')
    ? { hint: 'give it room by --max-constant-bytes' }
    : {}),
});

/** The exit code of a command that ended with these problems. */
export function exitCodeOf(problems: Diagnostics): ExitCode {
  if (problems.some(({ severity }) => severity === 'bug')) return EXIT.internal;
  if (problems.some(({ code }) => code === USAGE)) return EXIT.usage;
  return problems.some(({ code }) => LIMITS.test(code)) ? EXIT.limit : EXIT.input;
}
