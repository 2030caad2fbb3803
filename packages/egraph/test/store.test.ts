/** Nodes and their slots: keys with colliding hashes, operators of any number of children. */
import { type ClassId, EGraph, type NodeId } from '@baton/egraph';
import { describe, expect, it } from 'vitest';
import { checkInvariants } from './invariants.ts';

/** An e-graph with this many leaves, whose ids are their numbers. */
function leaves(count: number): EGraph {
  const egraph = new EGraph();
  for (let i = 0; i < count; i++) egraph.add(`x${i}`);
  return egraph;
}

/** The hash under which a node is filed. */
function hashOf({ store }: EGraph, node: number): number | undefined {
  const { slots } = store;
  for (let s = 0; s < slots.length; s += 2) if (slots[s + 1] === node + 1) return slots[s];
  return undefined;
}

describe('nodes of four children whose hashes are equal', () => {
  const FIRST = [7, 29, 16, 0] as ReadonlyArray<number> as ReadonlyArray<ClassId>;
  const SECOND = [7, 38, 1, 26] as ReadonlyArray<number> as ReadonlyArray<ClassId>;
  const made = (): readonly [EGraph, ClassId, ClassId] => {
    const egraph = leaves(40);
    return [egraph, egraph.add('f', FIRST), egraph.add('f', SECOND)];
  };

  it('are two nodes, each found by its own children', () => {
    const [egraph, first, second] = made();
    expect(hashOf(egraph, first)).toBeDefined();
    expect(hashOf(egraph, second)).toBe(hashOf(egraph, first));
    expect(second).not.toBe(first);
    expect([egraph.add('f', FIRST), egraph.add('f', SECOND)]).toEqual([first, second]);
    expect([egraph.lookup('f', FIRST), egraph.lookup('f', SECOND)]).toEqual([first, second]);
    expect(checkInvariants(egraph)).toEqual([]);
  });

  it('become one where their children do', () => {
    const [egraph, first, second] = made();
    egraph.union(29 as ClassId, 38 as ClassId);
    egraph.union(16 as ClassId, 1 as ClassId);
    egraph.rebuild();
    expect(egraph.find(first)).not.toBe(egraph.find(second));
    egraph.union(0 as ClassId, 26 as ClassId);
    egraph.rebuild();
    expect(egraph.find(first)).toBe(egraph.find(second));
    expect(checkInvariants(egraph)).toEqual([]);
  });

  it('are found after one of them is gone', () => {
    for (const gone of [0, 1]) {
      const [egraph, first, second] = made();
      const kept = gone === 0 ? second : first;
      const children = gone === 0 ? FIRST : SECOND;
      // The node moves to another key.
      const changed = children[3] as ClassId;
      egraph.union(changed, egraph.add('other', [egraph.add('x30'), egraph.add('x31')]));
      egraph.rebuild();
      const other = gone === 0 ? SECOND : FIRST;
      expect(egraph.lookup('f', other)).toBe(egraph.find(kept));
      expect(egraph.lookup('f', children)).toBe(egraph.find(gone === 0 ? first : second));
      expect(checkInvariants(egraph)).toEqual([]);
    }
  });
});

describe('nodes of any number of children', () => {
  it.each([0, 1, 2, 3, 4, 5, 9])('%i: differ in each child', (arity) => {
    const egraph = leaves(20);
    const children = Array.from({ length: arity }, (_, i) => i as ClassId);
    const node = egraph.add('f', children);
    expect(egraph.lookup('f', children)).toBe(node);
    expect(egraph.childrenOf(node as number as NodeId)).toEqual(children);
    children.forEach((_, i) => {
      const other = children.with(i, 19 as ClassId);
      expect(egraph.lookup('f', other)).toBeUndefined();
      expect(egraph.add('f', other)).not.toBe(node);
    });
    expect(egraph.nodeCount).toBe(20 + 1 + arity);
    expect(egraph.lookup('f', [...children, 0 as ClassId])).toBeUndefined();
  });

  it('tell a last child from none: class 0 is a child as others are', () => {
    const egraph = leaves(1);
    const zero = 0 as ClassId;
    const nodes = [1, 2, 3, 4].map((n) =>
      egraph.add(
        'f',
        Array.from({ length: n }, () => zero),
      ),
    );
    expect(new Set(nodes).size).toBe(4);
    for (const [i, node] of nodes.entries()) {
      expect(egraph.childrenOf(node as number as NodeId)).toHaveLength(i + 1);
    }
  });

  it('are kept while the arrays grow', () => {
    const egraph = new EGraph();
    const ids = Array.from({ length: 1_200 }, (_, i) => egraph.add(`x${i}`));
    const wide = ids.map((id, i) =>
      egraph.add('f', [id, ids[0] as ClassId, id, ids[i >> 1] as ClassId]),
    );
    const narrow = ids.map((id, i) => egraph.add('g', [id, ids[i >> 1] as ClassId]));
    expect(egraph.nodeCount).toBe(3_600);
    ids.forEach((id, i) => {
      const half = ids[i >> 1] as ClassId;
      expect(egraph.lookup(`x${i}`)).toBe(id);
      expect(egraph.lookup('f', [id, ids[0] as ClassId, id, half])).toBe(wide[i]);
      expect(egraph.lookup('g', [id, half])).toBe(narrow[i]);
    });
    expect(checkInvariants(egraph)).toEqual([]);
  });
});
