import { orThrow } from '@baton/base';
import { describe, expect, it } from 'vitest';
import { propProblems, proveProp } from '../../../bench/src/egraph/languages/prop.ts';

describe('propositional logic', () => {
  // The counts are those of egg on the same rules, start terms and limits.
  it.each([
    ['prop-contrapositive', 14, 6],
    ['prop-chain', 31, 12],
    ['prop-const-fold', 5, 2],
  ] as const)('%s has %i nodes in %i classes', (name, nodes, classes) => {
    const [egraph] = proveProp(propProblems[name]);
    expect([egraph.nodeCount, egraph.classCount]).toEqual([nodes, classes]);
  });

  it.each([
    [
      'prop-contrapositive',
      ['(| (~ x) y)', '(| (~ x) (~ (~ y)))', '(| (~ (~ y)) (~ x))', '(-> (~ y) (~ x))'],
    ],
    [
      'prop-chain',
      [
        '(& (-> (~ y) (~ x)) (-> y z))',
        '(& (-> y z) (-> (~ y) (~ x)))',
        '(| z (~ x))',
        '(| (~ x) z)',
        '(-> x z)',
      ],
    ],
    ['prop-const-fold', ['false']],
  ] as const)('%s proves its goals', (name, goals) => {
    const [egraph] = proveProp(propProblems[name]);
    const start = orThrow(egraph.lookupExpr(propProblems[name].start));
    expect(start).toBeDefined();
    for (const goal of goals)
      expect([goal, orThrow(egraph.lookupExpr(goal))]).toEqual([goal, start]);
  });

  it('does not prove a false statement', () => {
    const [egraph] = proveProp(propProblems['prop-chain']);
    const start = orThrow(egraph.lookupExpr(propProblems['prop-chain'].start));
    expect(orThrow(egraph.lookupExpr('(-> z x)'))).not.toBe(start);
  });
});
