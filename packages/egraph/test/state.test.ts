import { mulberry32, orThrow } from '@baton/base';
import { type ClassId, EGraph, rewrite, run, simpleScheduler } from '@baton/egraph';
import { describe, expect, it } from 'vitest';
import {
  constantFolding,
  MATH7,
  math,
  mathRules,
} from '../../../bench/src/egraph/languages/math.ts';
import { amount } from '../../../test/tier.ts';
import { checkInvariants, stateOf } from './invariants.ts';

const HISTORIES = amount(10_000, { quick: 700 });

const rules = [
  rewrite<number>('comm', '(f ?a ?b)', '(f ?b ?a)'),
  rewrite<number>('assoc', '(f ?a (f ?b ?c))', '(f (f ?a ?b) ?c)'),
  rewrite<number>('wide', '(g ?a ?b ?c ?d)', '(f (f ?a ?b) (f ?c ?d))'),
];

const newGraph = (explanations: boolean): EGraph<number> =>
  new EGraph<number>({
    explanations,
    analysis: {
      name: 'size',
      make: (e, n) => e.childrenOf(n).reduce((sum, c) => sum + e.data(c), 1),
      merge: Math.min,
    },
  });

/** One random change. */
function change(egraph: EGraph<number>, random: () => number): void {
  const pick = (): ClassId => {
    const all = egraph.classes();
    return (all[Math.floor(random() * all.length)] ?? egraph.add('z')) as ClassId;
  };
  const kind = random();
  if (kind < 0.3) egraph.add(`x${Math.floor(random() * 20)}`);
  else if (kind < 0.6) egraph.add('f', [pick(), pick()]);
  else if (kind < 0.7) egraph.add('g', [pick(), pick(), pick(), pick()]);
  else if (kind < 0.9) egraph.union(pick(), pick());
  else if (kind < 0.95) egraph.rebuild();
  else run(egraph, rules, { iterationLimit: 1, scheduler: simpleScheduler, nodeLimit: 400 });
}

describe('push and pop', () => {
  it('restore the state exactly in random histories', () => {
    const random = mulberry32(20_260_721);
    for (let history = 0; history < HISTORIES; history++) {
      const egraph = newGraph(history % 4 === 0);
      const saved: string[] = [];
      for (let i = 0; i < 30; i++) {
        const kind = random();
        if (kind < 0.12) {
          egraph.push();
          saved.push(stateOf(egraph));
        } else if (kind < 0.22 && saved.length > 0) {
          orThrow(egraph.pop());
          expect(stateOf(egraph) === saved.pop()).toBe(true);
          expect(checkInvariants(egraph)).toEqual([]);
        } else change(egraph, random);
      }
      egraph.rebuild();
      expect(checkInvariants(egraph)).toEqual([]);
    }
  });

  it('undo a run that grows every array', () => {
    const egraph = new EGraph({ language: math, analysis: constantFolding });
    for (const text of MATH7) orThrow(egraph.addExpr(text));
    egraph.push();
    const before = stateOf(egraph);
    run(egraph, mathRules, { iterationLimit: 6, nodeLimit: 1e6, scheduler: simpleScheduler });
    expect(egraph.nodeCount).toBe(10_397);
    orThrow(egraph.pop());
    expect(stateOf(egraph) === before).toBe(true);
    run(egraph, mathRules, { iterationLimit: 6, nodeLimit: 1e6, scheduler: simpleScheduler });
    expect(egraph.nodeCount).toBe(10_397);
  });

  it('say so when there is nothing to pop', () => {
    expect(new EGraph().pop()).toMatchObject({ left: [{ code: 'EGRAPH_NOTHING_TO_POP' }] });
  });
});

describe('a clone', () => {
  it('is equal and independent', () => {
    const egraph = newGraph(true);
    const random = mulberry32(7);
    for (let i = 0; i < 60; i++) change(egraph, random);
    const copy = egraph.clone();
    const before = stateOf(egraph);
    expect(stateOf(copy) === before).toBe(true);
    for (let i = 0; i < 60; i++) change(copy, random);
    copy.rebuild();
    expect(stateOf(egraph) === before).toBe(true);
    expect(checkInvariants(copy)).toEqual([]);
  });
});
