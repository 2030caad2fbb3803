import type { Random } from '@baton/base';
import type { ReadableGraph, ReadableNode } from '@baton/egraph';

/** A graph given as lists of nodes; the class ids are the positions, and the payload is the cost. */
export type Classes = ReadonlyArray<ReadonlyArray<ReadableNode>>;

/** A node whose cost is its payload. */
export const node = (
  name: string,
  cost: number,
  children: ReadonlyArray<number> = [],
): ReadableNode => ({ name, payload: cost, children });

/** The cost of a node of {@link node}. */
export const payloadCost = (it: ReadableNode): number => it.payload as number;

/** The graph that reads these classes. */
export const graphOf = (classes: Classes): ReadableGraph => ({
  classIds: () => classes.keys(),
  nodesOf: (eclass) => classes[eclass] ?? [],
  find: (id) => id,
});

/** A small graph with sharing and cycles; most of its classes have a term. */
export function randomClasses(random: Random): Classes {
  const below = (n: number): number => Math.floor(random() * n);
  const classCount = 3 + below(7);
  return Array.from({ length: classCount }, (_, eclass) => {
    const nodeCount = 1 + below(3);
    return Array.from({ length: nodeCount }, (_, index) => {
      const leaf = index === 0 && (eclass === classCount - 1 || random() < 0.3);
      const arity = leaf ? 0 : 1 + below(3);
      const children = Array.from({ length: arity }, () => below(classCount));
      // Few different costs, zero among them, so that ties and free cycles occur.
      return node(`n${eclass}_${index}`, below(6), children);
    });
  });
}

/** The cost of the cheapest DAG, found by trying every choice; infinite if there is none. */
export function bruteForce(classes: Classes, roots: ReadonlyArray<number>): number {
  const choice = new Map<number, ReadableNode>();
  let best = Number.POSITIVE_INFINITY;
  const acyclic = (): boolean => {
    const done = new Set<number>();
    for (let progress = true; progress; ) {
      progress = false;
      for (const [eclass, chosen] of choice) {
        if (done.has(eclass) || !chosen.children.every((c) => done.has(c))) continue;
        done.add(eclass);
        progress = true;
      }
    }
    return done.size === choice.size;
  };
  const extend = (open: ReadonlyArray<number>, cost: number): void => {
    if (cost >= best) return;
    const [eclass, ...rest] = open;
    if (eclass === undefined) {
      if (acyclic()) best = cost;
      return;
    }
    if (choice.has(eclass)) {
      extend(rest, cost);
      return;
    }
    for (const candidate of classes[eclass] ?? []) {
      choice.set(eclass, candidate);
      extend([...rest, ...candidate.children], cost + payloadCost(candidate));
      choice.delete(eclass);
    }
  };
  extend(roots, 0);
  return best;
}

/**
 * The parallel family: products of one input that can be merged into one with projections, merges
 * that can be merged again, and decoys (merges that are too dear, that lack a partner, that need
 * what they would replace). Class 0 is the input; the roots use the products.
 */
export function parallelFamily(
  random: Random,
  productCount: number,
): { readonly classes: Classes; readonly roots: ReadonlyArray<number> } {
  const below = (n: number): number => Math.floor(random() * n);
  const classes: ReadableNode[][] = [[node('input', 1)]];
  const add = (...nodes: ReadableNode[]): number => classes.push(nodes) - 1;
  const overhead = 5 + below(10);
  /** A product of the input, alone, with the work that it needs. */
  interface Part {
    readonly eclass: number;
    readonly work: number;
    readonly weight: number;
  }
  const product = (work: number, dear: number): Part => {
    const weight = add(node('weight', random() < 0.5 ? 0 : 1));
    return { eclass: add(node('product', overhead + work + dear, [0, weight])), work, weight };
  };
  /** One product for several parts; each part's class gains a projection out of it. */
  const merge = (parts: ReadonlyArray<Part>, dear: number, from?: number): Part => {
    const work = parts.reduce((sum, part) => sum + part.work, 0);
    const weights = parts.map((part) => part.weight);
    const weight = add(node('concat', random() < 0.7 ? 0 : 1, weights));
    const input = from ?? 0;
    const eclass = add(node('product', overhead + work + dear, [input, weight]));
    parts.forEach((part, index) => {
      classes[part.eclass]?.push(node(`part${index}`, random() < 0.7 ? 0 : 1, [eclass]));
    });
    return { eclass, work, weight };
  };
  const products = Array.from({ length: productCount }, () => product(1 + below(20), 0));
  const roots = products.map((part) => add(node('use', 1, [part.eclass])));
  let level: ReadonlyArray<Part> = products;
  while (level.length > 1) {
    const next: Part[] = [];
    for (let at = 0; at < level.length; ) {
      const size = Math.min(level.length - at, 2 + below(3));
      const group = level.slice(at, at + size);
      next.push(group.length === 1 ? (group[0] as Part) : merge(group, random() < 0.3 ? 30 : 0));
      at += size;
    }
    level = next;
  }
  if (random() < 0.5) merge(products, random() < 0.5 ? 0 : below(40));
  for (let decoys = below(4); decoys > 0; decoys--) {
    const first = products[below(productCount)] as Part;
    const second = products[below(productCount)] as Part;
    const stranger = product(1 + below(20), 0);
    const kind = below(3);
    if (kind === 0 && first !== second) merge([first, second], below(60));
    else if (kind === 1) merge([first, stranger], 0);
    else merge([first, stranger], 0, first.eclass);
  }
  return { classes, roots };
}
