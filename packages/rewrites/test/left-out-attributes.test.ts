/** An attribute that a pattern does not name has its default value, on both sides and in both engines. */
import { greedy, operatorCount, rule, saturate } from '@baton/rewrites';
import { describe, expect, it } from 'vitest';
import { after, program } from './support.ts';

const named = rule('last', 'exp(nn.softmax(?x))', 'nn.softmax(?x)', { orient: 'canonical' });
const any = rule('any', 'exp(nn.softmax(?x, attrs=?a))', 'nn.softmax(?x, attrs=?a)');

describe.each([
  ['greedy', greedy],
  ['saturate', (of: typeof named) => saturate(of, { cost: operatorCount })],
] as const)('%s', (_, engine) => {
  it.each([
    [named, 'exp(nn.softmax(%x))', 'nn.softmax(%x)'],
    [named, 'exp(nn.softmax(%x, axis=-1))', 'nn.softmax(%x)'],
    [named, 'exp(nn.softmax(%x, axis=0))', '%0 = nn.softmax(%x, axis=0); exp(%0)'],
    [any, 'exp(nn.softmax(%x, axis=0))', 'nn.softmax(%x, axis=0)'],
  ])('%#: %s', (of, body, expected) => {
    expect(after(engine(of), program('%x', body))[0]).toBe(expected);
  });
});
