/** Live progress on standard error: one line that rewrites itself on a terminal, plain lines elsewhere. */

/** Shows what is going on. */
export interface Progress {
  readonly step: (text: string) => void;
  readonly done: () => void;
}

/** Progress on standard error. */
export function makeProgress(): Progress {
  const live = process.stderr.isTTY === true && process.env.CI === undefined;
  return {
    step: (text) => {
      process.stderr.write(live ? `\r\u001b[K${text}` : `${text}\n`);
    },
    done: () => {
      if (live) process.stderr.write('\r\u001b[K');
    },
  };
}
