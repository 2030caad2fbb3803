/** U7: what the command prints names options of the command, never those of the library. */
import { diagnostic } from '@baton/base';
import { describe, expect, it } from 'vitest';
import { inOptions } from '../src/diagnostics.ts';

const hintOf = (hint: string): string | undefined =>
  inOptions(diagnostic('ANY', 'a message', { hint })).hint;

describe('a hint', () => {
  it.each([
    [
      'give sizes in the option dims: the model leaves "n" open',
      'give sizes by --dim: the model leaves "n" open',
    ],
    [
      'give the sizes in the option dims that decide "c"',
      'give the sizes by --dim that decide "c"',
    ],
    [
      'bind the inputs from whose values it is computed with the option constants, or give all sizes',
      'give all sizes',
    ],
    [
      'supply it through the option weights, or raise maxConstantBytes',
      'raise --max-constant-bytes',
    ],
    [
      'raise `limits.bytes` if you trust the program',
      'raise --limit-memory if you trust the program',
    ],
    ['export a smaller part of it, or raise `limits.nodes`', 'export a smaller part of it'],
    ['give the option externalData to have them read', undefined],
    ['raise `fuel` if you trust the program', undefined],
    [
      'state the sizes in the types of parameters, or give them to an import in the option dims',
      'state the sizes in the types of parameters, or give them to an import by --dim',
    ],
    ['there are no dimensions', 'there are no dimensions'],
  ])('%s', (hint, wanted) => {
    expect(hintOf(hint)).toBe(wanted);
  });
});

it('a message names the option, too', () => {
  const problem = diagnostic('ANY', 'expected one of the dimensions in the option dims, found "x"');
  expect(inOptions(problem).message).toBe('expected one of the dimensions by --dim, found "x"');
});
