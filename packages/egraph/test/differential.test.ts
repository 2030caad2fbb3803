import { orThrow } from '@baton/base';
import { EGraph, rewrite, run, simpleScheduler, whenData } from '@baton/egraph';
import { describe, expect, it } from 'vitest';
import { amount } from '../../../test/tier.ts';
import { fuzzEGraph } from '../../workshop/src/egraph/differential.ts';
import { inspectProofs } from '../../workshop/src/egraph/explanations.ts';
import { brokenInvariants } from '../../workshop/src/egraph/invariants.ts';
import { NaiveEGraph } from '../../workshop/src/egraph/naive.ts';

describe('the naive e-graph', () => {
  it('closes under congruence', () => {
    const naive = new NaiveEGraph();
    const fa = naive.add(['f', [['f', ['a']]]]);
    const fb = naive.add(['f', [['f', ['b']]]]);
    expect(naive.find(fa)).not.toBe(naive.find(fb));
    naive.union(naive.add('a'), naive.add('b'));
    naive.rebuild();
    expect(naive.find(fa)).toBe(naive.find(fb));
    expect(naive.canonicalNodes().map((n) => n.name)).toEqual(['a', 'f', 'f', 'b']);
  });

  it('applies a rule to all that was there at the start of the round', () => {
    const naive = new NaiveEGraph();
    const top = naive.add(['g', ['a', 'b']]);
    const flip = {
      name: 'flip',
      left: [['?root', ['g', ['?x', '?y']]]],
      right: [['?root', ['g', ['?y', '?x']]]],
      guarded: [],
    } as const;
    expect(naive.round([flip])).toBe(true);
    expect(naive.find(naive.add(['g', ['b', 'a']]))).toBe(naive.find(top));
    expect(naive.canonicalNodes()).toHaveLength(4);
  });
});

const RULE_SETS = amount(500, { quick: 120 });

describe('the e-graph against the naive one', () => {
  it('has the same classes after the same rounds on random rule sets and terms', () => {
    const count = { proofs: 0, withSteps: 0 };
    const { failures, active, saturated } = fuzzEGraph(20_260_000, RULE_SETS, inspectProofs(count));
    expect(failures).toEqual([]);
    // Every proof was replayed, and refused when it was corrupted.
    expect(count.withSteps).toBeGreaterThan(RULE_SETS / 5);
    expect(active).toBeGreaterThan(0.3 * RULE_SETS);
    expect(saturated).toBeGreaterThan(RULE_SETS / 5);
  });

  it('sees it when an invariant is broken', () => {
    const egraph = new EGraph();
    orThrow(egraph.addExpr('(f (g a b))'));
    expect(brokenInvariants(egraph)).toEqual([]);
    egraph.union(egraph.add('a'), egraph.add('b'));
    egraph.add('g', [egraph.add('b'), egraph.add('b')]);
    // Congruence waits for the rebuild: until then some node is not found where it lies.
    expect(brokenInvariants(egraph)).not.toEqual([]);
    egraph.rebuild();
    expect(brokenInvariants(egraph)).toEqual([]);
  });

  it.each([true, false])('does not miss a guard that turns true late (delta %s)', (delta) => {
    const egraph = new EGraph<boolean>({
      analysis: {
        name: 'is-ready',
        make: (e, n) => e.operatorOf(n).name === 'ready',
        merge: (a, b) => a || b,
      },
    });
    const start = orThrow(egraph.addExpr('(f x)'));
    orThrow(egraph.addExpr('(step x 0)'));
    const isReady = whenData<boolean>('?a', (e, a) => e.data(a as never));
    const rules = [
      rewrite<boolean>('use', '(f ?a)', 'done', { when: isReady }),
      rewrite<boolean>('first', '(step ?a 0)', '(step ?a 1)'),
      rewrite<boolean>('second', '(step ?a 1)', '(step ?a 2)'),
      rewrite<boolean>('third', '(step x 2)', '(wrap ready)'),
    ];
    run(egraph, rules, { scheduler: simpleScheduler, delta });
    expect(egraph.lookup('done')).not.toBe(egraph.find(start));
    // Only the data of the class of x changes, through a union from outside the rules.
    egraph.union(orThrow(egraph.addExpr('x')), orThrow(egraph.addExpr('ready')));
    run(egraph, rules, { scheduler: simpleScheduler, delta });
    expect(egraph.lookup('done')).toBe(egraph.find(start));
  });
});
