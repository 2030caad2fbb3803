/** The operands of operators that commute match in each order, at every depth. */
import { greedy, operatorCount, rule, saturate } from '@baton/rewrites';
import { describe, expect, it } from 'vitest';
import { after, program } from './support.ts';

const minus = rule('minus', '?x + negative(?y)', '?x - ?y');
const deep = rule('deep', 'exp(?x + log(?y) * ?z)', 'sin(?x - ?y - ?z)');
const plain = rule('plain', '(?x - ?y) + negative(?x)', 'negative(?y)');

describe.each([
  ['greedy', greedy],
  ['saturate', (of: typeof minus) => saturate(of, { cost: operatorCount })],
] as const)('%s', (_, engine) => {
  it.each([
    [minus, '%x + negative(%y)', 'subtract(%x, %y)'],
    [minus, 'negative(%x) + %y', 'subtract(%y, %x)'],
    [plain, '(%x - %y) + negative(%x)', 'negative(%y)'],
    [plain, 'negative(%x) + (%x - %y)', 'negative(%y)'],
  ])('%#: %s', (of, body, expected) => {
    expect(after(engine(of), program('%x %y', body))[0]).toBe(expected);
  });

  it.each([
    'exp(%x + log(%y) * %z)',
    'exp(log(%y) * %z + %x)',
    'exp(%x + %z * log(%y))',
    'exp(%z * log(%y) + %x)',
  ])('%s', (body) => {
    const [, counts] = after(engine(deep), program('%x %y %z', body));
    expect(counts.deep).toBe(1);
  });
});
