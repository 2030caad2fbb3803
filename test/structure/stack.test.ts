/** The stack on which tests run. */
import { expect, test } from 'vitest';

/** The levels of the programs of tests named `deep`. */
const DEPTH = 8_000;

/** The depth at which an ordinary recursion overflows here. */
function stackLimit(): number {
  let depth = 0;
  const descend = (): void => {
    depth++;
    descend();
  };
  try {
    descend();
  } catch {
    return depth;
  }
  return depth;
}

test('deep programs are more than twice as deep as the stack: recursion would show', () => {
  expect(DEPTH).toBeGreaterThan(2 * stackLimit());
});
