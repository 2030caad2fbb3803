/** The spelling of attention changes only what keeps its values: the axis of a softmax, rows of a mask. */
import { attention, greedy } from '@baton/rewrites';
import { describe, expect, it } from 'vitest';
import { after, program } from './support.ts';

describe('attention', () => {
  it.each([
    ['nn.softmax(%x, axis=1)', 'nn.softmax(%x)'],
    ['nn.softmax(%x, axis=-1)', 'nn.softmax(%x)'],
    ['nn.softmax(%x, axis=0)', 'nn.softmax(%x, axis=0)'],
    ['nn.softmax(%x, axis=-2)', 'nn.softmax(%x, axis=-2)'],
    [
      'nn.softmax(reshape(%x, newshape=[1, 2, 3]))',
      '%0 = nn.softmax(%x); reshape(%0, newshape=[1, 2, 3])',
    ],
    [
      'nn.softmax(reshape(%x, newshape=[3, 2]))',
      '%0 = reshape(%x, newshape=[3, 2]); nn.softmax(%0)',
    ],
    ['nn.softmax(reshape(%x, newshape=[6]))', '%0 = reshape(%x, newshape=[6]); nn.softmax(%0)'],
    ['reshape(%x, newshape=[3, 2]) * 2f', '%0 = multiply(%x, 2f); reshape(%0, newshape=[3, 2])'],
    ['reshape(%x, newshape=[2, 3]) * %y', '%0 = reshape(%x, newshape=[2, 3]); multiply(%0, %y)'],
  ])('%s', (body, expected) => {
    expect(after(greedy(attention), program('%x %y', body))[0]).toBe(expected);
  });
});
