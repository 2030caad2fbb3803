/** Progress on standard error: one line that rewrites itself on a terminal. */
import process from 'node:process';
import type { Progress } from '@baton/report';

const CLEAR = '\r\u001b[K';

/** Shows stages on a terminal. In a pipe, and in CI, prints a line for each, or nothing. */
export function makeProgress(elsewhere: 'lines' | 'nothing'): Progress {
  const { stderr } = process;
  const isLive = stderr.isTTY === true && process.env.CI === undefined;
  if (!isLive) {
    return {
      step: (text) => void (elsewhere === 'lines' && stderr.write(`${text}\n`)),
      done: () => {},
    };
  }
  return {
    // A terminal of unknown width reports 0.
    step: (text) => void stderr.write(`${CLEAR}${text.slice(0, (stderr.columns || 80) - 1)}`),
    done: () => void stderr.write(CLEAR),
  };
}
