/** What `onRound` and `onResult` of equality saturation tell. */
import { orThrow, parseModule, printModule, rule, runPass, saturate } from 'batonjs';
import { describe, expect, it } from 'vitest';

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

describe('the end of a search', () => {
  const times = rule(
    'regroup',
    'multiply(multiply(?x, ?y), ?z)',
    'multiply(?x, multiply(?y, ?z))',
    {
      needs: ['reassoc'],
    },
  );

  it('has the cost of each node, the chosen ones, and the proof by the rules', () => {
    const found: { text: string; costs: number[]; chosen: string[]; rules: string[] }[] = [];
    const pass = saturate(times, {
      onResult: ({ graph, label, costOf, isChosen, proof }) => {
        const nodes = graph.classes().flatMap((id) => graph.nodes(id));
        const steps = orThrow(proof());
        found.push({
          text: steps.map(({ before, after }) => `${before} = ${after}`).join('\n'),
          costs: nodes.filter((node) => label(node) === 'multiply').map(costOf),
          chosen: nodes.filter(isChosen).map(label),
          rules: steps.map((step) => step.rule),
        });
      },
    });
    orThrow(runPass(pass)(program));
    expect(found).toHaveLength(1);
    expect(found[0]?.rules).toContain('regroup');
    expect(found[0]?.text).toContain('multiply(multiply(%x, 2), 3) = multiply(%x, 6)');
    expect(new Set(found[0]?.chosen)).toContain('6');
    expect(found[0]?.costs.every((cost) => cost >= 0)).toBe(true);
    expect(found[0]?.costs.some((cost) => cost > 0)).toBe(true);
  });

  it('is the same program as without proofs', () => {
    const [plain, told] = [saturate(times), saturate(times, { onResult: () => {} })];
    const made = [plain, told].map((pass) => printModule(orThrow(runPass(pass)(program)).module));
    expect(made[0]).toBe(made[1]);
  });
});
