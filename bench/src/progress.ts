/**
 * Progress on standard error: one line that rewrites itself on a terminal, plain lines elsewhere.
 */
import type { Progress } from '@baton/report';

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
