/** What `onRound` of equality saturation tells. */
import { orThrow, parseModule, rule, runPass, saturate } from 'batonjs';
import { expect, it } from 'vitest';

const program = orThrow(
  parseModule(`#[version = "0.0.5"]
def @main(%x: Tensor[(2), float32]) {
  multiply(multiply(%x, 2f), 3f)
}`),
);

it('has each round, with one e-graph and the words of its nodes', () => {
  const rounds: { nodes: number; labels: ReadonlyArray<string> }[] = [];
  const graphs = new Set<unknown>();
  const commute = rule('commute', 'multiply(?x, ?y)', 'multiply(?y, ?x)');
  const pass = saturate(commute, {
    onRound: ({ graph, label, report }) => {
      graphs.add(graph);
      const labels = graph.classes().flatMap((id) => graph.nodes(id).map(label));
      rounds.push({ nodes: report.nodes, labels });
    },
  });
  orThrow(runPass(pass)(program));
  expect(graphs.size).toBe(1);
  expect(rounds.length).toBeGreaterThan(1);
  expect(rounds.at(-1)?.labels).toHaveLength(rounds.at(-1)?.nodes ?? 0);
  expect(new Set(rounds.at(-1)?.labels)).toEqual(new Set(['%x', '2', '3', 'multiply']));
});
