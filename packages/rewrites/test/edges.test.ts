/** The rules that saturation leaves out of a round: those whose left sides need edges that are not there. */
import { orThrow } from '@baton/base';
import { countMatches, type EGraph } from '@baton/egraph';
import { parsePattern, standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { describe, expect, it } from 'vitest';
import { compileRules } from '../src/match/compile.ts';
import { type RuleInput, rulesOf } from '../src/rule/rule.ts';
import { ruleSets } from '../src/rules/every.ts';
import { type Edges, edgesOf, mayMatch } from '../src/saturate/edges.ts';
import type { ClassFacts } from '../src/saturate/region.ts';
import { rewriteOf } from '../src/saturate/rules.ts';
import { type SearchRound, saturate } from '../src/saturate/saturate.ts';
import { program } from './support.ts';

const PROGRAMS: ReadonlyArray<readonly [params: string, body: string]> = [
  ['%x %y', '(%x + %y) * (%y + %x) + 0f + negative(%x) * 1f'],
  ['%x %y', 'nn.relu(nn.relu(%x) - %y) / sqrt(exp(%y) * exp(%x))'],
  [
    '%x %w:Tensor[(4,3),float32] %v:Tensor[(5,3),float32]',
    '(nn.dense(%x * 2f, %w), nn.dense(%x, %v), nn.softmax(nn.dense(%x, %w)))',
  ],
  [
    '%x',
    'nn.relu(concatenate((split(nn.relu(%x), indices_or_sections=3, axis=1).0, nn.relu(%x)), axis=1))',
  ],
  [
    '%x',
    'reshape(transpose(transpose(reshape(%x, newshape=[3, 2]), axes=[1, 0]), axes=[1, 0]), newshape=[6])',
  ],
  [
    '%x',
    '(%x - mean(%x, axis=[1], keepdims=True)) / sqrt(variance(%x, mean(%x, axis=[1], keepdims=True), axis=[1], keepdims=True) + 0.001f)',
  ],
  [
    '%x',
    'where(greater(%x, 0f), %x, zeros_like(%x)) + maximum(%x, zeros(shape=[2, 3], dtype="float32"))',
  ],
];

const compiled = orThrow(compileRules(orThrow(rulesOf(ruleSets)), standardOps));

/** Sees the e-graph of each round. */
function rounds(
  params: string,
  body: string,
  rules: RuleInput,
  see: (graph: EGraph<ClassFacts>) => void,
): void {
  const onRound = ({ graph }: SearchRound): void => see(graph as unknown as EGraph<ClassFacts>);
  orThrow(runPass(saturate(rules, { onRound, iterationLimit: 3 }))(program(params, body)));
}

describe('a rule that may not match', () => {
  it.each(PROGRAMS)('has no match: %s, %s', (params, body) => {
    let [matching, leftOut] = [0, 0];
    rounds(params, body, ruleSets, (graph) => {
      const edges = edgesOf(graph);
      for (const rule of compiled) {
        const isAny = rule.lefts.every((left) => mayMatch(left, edges, standardOps, 'any'));
        for (const [order, lefts] of rule.orders.entries()) {
          const may = lefts.every((left) => mayMatch(left, edges, standardOps, 'written'));
          // What holds of an order as it is written holds of some order.
          expect([rule.label, may && !isAny]).toEqual([rule.label, false]);
          if (hasNumbers(lefts)) continue;
          const count = countMatches(graph, rewriteOf(rule, order, standardOps).left);
          if (!may) expect([rule.label, order, count]).toEqual([rule.label, order, 0]);
          matching += Number(count > 0);
          leftOut += Number(!may);
        }
      }
    });
    expect(matching).toBeGreaterThan(0);
    expect(leftOut).toBeGreaterThan(matching);
  });

  it('may lack a number at its place', () => {
    const asked = ['?x + 0', '0 + ?x', '?x * 1', '?x * 2', 'exp(?x + 0)', 'exp(?x * 2)', '?x - 0'];
    const found = (edges: Edges, orders: 'any' | 'written'): ReadonlyArray<string> =>
      asked.filter((text) => mayMatch(orThrow(parsePattern(text)), edges, standardOps, orders));
    rounds('%x', 'exp(%x + 0f) - %x * 2f', [], (graph) => {
      const edges = edgesOf(graph);
      expect(found(edges, 'written')).toEqual(['?x + 0', '?x * 2', 'exp(?x + 0)']);
      expect(found(edges, 'any')).toEqual(['?x + 0', '0 + ?x', '?x * 2', 'exp(?x + 0)']);
    });
  });
});

const hasNumbers = (lefts: unknown): boolean => JSON.stringify(lefts).includes('"Number"');
