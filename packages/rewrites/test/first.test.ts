import { standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { greedy, orThrow, rule } from '@baton/rewrites';
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
];

const run = (text: string): string => {
  const m = orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }));
  const { module, report } = orThrow(runPass(greedy(rules))(m));
  return `${printModule(module)}\n${JSON.stringify(report.passes)}`;
};

describe('greedy', () => {
  it('applies', () => {
    expect(
      run(
        'def @main(%x: Tensor[(2, 3), float32]) { transpose(transpose((1f * %x) + 0f, axes=[1, 0]), axes=[1, 0]) }',
      ),
    ).toMatchInlineSnapshot(`
      "#[version = "0.0.5"]
      def @main(%x: Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32] {
        %x
      }

      [{"name":"Greedy","ms":0,"nodesBefore":4,"nodesAfter":0,"did":"x * 1 1, x + 0 1, transpose of nothing: refused, condition 1, transpose of transpose 1, transpose of nothing 1"}]"
    `);
  });
});
