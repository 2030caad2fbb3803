import {
  type ClassId,
  EGraph,
  orThrow,
  parsePattern,
  rewrite,
  run,
  search,
  simpleScheduler,
} from '@baton/egraph';
import { describe, expect, it } from 'vitest';
import { checkInvariants } from './invariants.ts';

/** `(f a)` and `(f b)`, each equal to a leaf, where the class of `heavy` keeps its id in a union. */
function make(heavy: 'a' | 'b'): {
  readonly egraph: EGraph;
  readonly id: (text: string) => ClassId;
} {
  const egraph = new EGraph();
  const id = (text: string): ClassId => orThrow(egraph.addExpr(text));
  egraph.union(id('(f a)'), id('left'));
  egraph.union(id('(f b)'), id('right'));
  // The class with fewer parents joins the other, and its parents are repaired.
  id(`(g ${heavy})`);
  id(`(h ${heavy})`);
  egraph.rebuild();
  return { egraph, id };
}

const prune = (egraph: EGraph, eclass: ClassId): void =>
  egraph.prune(eclass, (n) => egraph.operatorOf(n).name !== 'f');

const namesOf = (egraph: EGraph, eclass: ClassId): ReadonlyArray<string> =>
  egraph
    .nodes(eclass)
    .map((n) => egraph.operatorOf(n).name)
    .sort();

describe('a pruned node that congruence makes equal to a live one', () => {
  it.each([
    ['left', 'a'],
    ['left', 'b'],
    ['right', 'a'],
    ['right', 'b'],
  ] as const)('gives way to it: pruned in the class of %s, %s keeps its id', (where, heavy) => {
    const { egraph, id } = make(heavy);
    prune(egraph, id(where));
    expect(namesOf(egraph, id(where))).toEqual([where]);
    const before = egraph.nodeCount;
    egraph.union(id('a'), id('b'));
    egraph.rebuild();
    // The live node stays part of the joined class; the pruned one counts no more than before.
    expect(namesOf(egraph, id('left'))).toEqual(['f', 'left', 'right']);
    expect(egraph.nodeCount).toBe(before);
    expect(egraph.find(id('(f a)'))).toBe(egraph.find(id('right')));
    expect(egraph.classesForOp('f')).toEqual([egraph.find(id('left'))]);
    expect(search(egraph, { _tag: 'Atom', token: 'left' }).length).toBe(1);
    expect(checkInvariants(egraph)).toEqual([]);
    // The live node's match is found once.
    const report = run(egraph, [rewrite('see', '(f ?x)', 'seen')], {
      scheduler: simpleScheduler,
      iterationLimit: 1,
    });
    expect(report.rules[0]).toMatchObject({ matches: 1, applied: 1 });
  });

  it.each(['a', 'b'] as const)('stays pruned if both are: %s keeps its id', (heavy) => {
    const { egraph, id } = make(heavy);
    prune(egraph, id('left'));
    prune(egraph, id('right'));
    const before = egraph.nodeCount;
    egraph.union(id('a'), id('b'));
    egraph.rebuild();
    expect(namesOf(egraph, id('left'))).toEqual(['left', 'right']);
    expect(egraph.nodeCount).toBe(before);
    // It is still known, and a later rebuild does not bring it back.
    expect(egraph.lookup('f', [id('a')])).toBe(egraph.find(id('left')));
    egraph.union(id('a'), id('c'));
    egraph.rebuild();
    expect(namesOf(egraph, id('left'))).toEqual(['left', 'right']);
    expect(checkInvariants(egraph)).toEqual([]);
  });

  it.each(['a', 'b'] as const)('counts one live node of two that are one: %s', (heavy) => {
    const { egraph, id } = make(heavy);
    const before = egraph.nodeCount;
    egraph.union(id('a'), id('b'));
    egraph.rebuild();
    expect(egraph.nodeCount).toBe(before - 1);
    expect(namesOf(egraph, id('left'))).toEqual(['f', 'left', 'right']);
    expect(checkInvariants(egraph)).toEqual([]);
  });

  it('is matched no longer from the next search on', () => {
    const { egraph, id } = make('a');
    const pattern = orThrow(parsePattern('(f ?x)'));
    expect(search(egraph, pattern).length).toBe(2);
    prune(egraph, id('left'));
    expect(search(egraph, pattern).length).toBe(1);
    prune(egraph, id('right'));
    expect(search(egraph, pattern).length).toBe(0);
  });

  it('holds for nodes of many children too', () => {
    for (const where of ['left', 'right']) {
      const egraph = new EGraph();
      const id = (text: string): ClassId => orThrow(egraph.addExpr(text));
      egraph.union(id('(f a x y z)'), id('left'));
      egraph.union(id('(f b x y z)'), id('right'));
      egraph.rebuild();
      prune(egraph, id(where));
      const before = egraph.nodeCount;
      egraph.union(id('a'), id('b'));
      egraph.rebuild();
      expect(namesOf(egraph, id('left'))).toEqual(['f', 'left', 'right']);
      expect(egraph.nodeCount).toBe(before);
      expect(checkInvariants(egraph)).toEqual([]);
    }
  });
});
