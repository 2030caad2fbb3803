import { standardOps } from '@baton/ops';
import { passesRun, runPass } from '@baton/pass-manager';
import { greedy, operatorCount, orThrow, rule, saturate } from '@baton/rewrites';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

const numbers = (a: unknown): number[] => (Array.isArray(a) ? a.map(Number) : []);

const rules = [
  rule('x + 0', 'add(?x, 0)', '?x', { needs: ['nsz'] }),
  rule('x * 1', '?x * 1', '?x'),
  rule(
    'transpose of transpose',
    'transpose(transpose(?x, axes=?a), axes=?b)',
    'transpose(?x, axes=?c)',
    {
      let: { c: ({ a, b }) => numbers(b).map((i) => numbers(a)[i] as number) },
    },
  ),
  rule('transpose of nothing', 'transpose(?x, axes=?a)', '?x', {
    when: ({ a }) => numbers(a).every((axis, i) => axis === i),
  }),
  rule('sum of sum', '(?x + ?y) + ?z', '?x + (?y + ?z)', { needs: ['reassoc'], orient: 'both' }),
  rule('factor', '?x * ?y + ?x * ?z', '?x * (?y + ?z)', { needs: ['reassoc'], orient: 'both' }),
];

const run = (text: string): string => {
  const m = orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }));
  return [greedy(rules), saturate(rules, { cost: operatorCount })]
    .map((pass) => {
      const { module, report } = orThrow(runPass(pass)(m));
      return `${printModule(module)}\n${JSON.stringify(passesRun(report).at(-1)?.counts)}`;
    })
    .join('\n');
};

describe('greedy and saturate', () => {
  it.each([
    'def @main(%x: Tensor[(2, 3), float32]) { transpose(transpose((1f * %x) + 0f, axes=[1, 0]), axes=[1, 0]) }',
    'def @main(%x: Tensor[(2, 3), float32]) { (2f + %x) + 3f }',
    'def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32], %c: bool) { %0 = sqrt(%y); if (%c) { (%x * %0 + exp(%x)) + %y * %x } else { sqrt(%0 * 1f) + %0 } }',
  ])('%s', (text) => {
    expect(run(text)).toMatchSnapshot();
  });
});
