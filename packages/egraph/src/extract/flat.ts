import { fail, type Result } from '@baton/base';
import { ok } from '../result.ts';
import type { NodeCost } from './cost.ts';
import { badCost, unknownRoot } from './diagnostics.ts';
import type { ReadableGraph, ReadableNode } from './readable.ts';

/** A snapshot of an e-graph in flat arrays: classes and nodes are numbered from 0. */
export interface FlatGraph {
  readonly classCount: number;
  readonly nodeCount: number;
  /** The id of a class in the graph it was read from. */
  readonly classId: ReadonlyArray<number>;
  readonly nodes: ReadonlyArray<ReadableNode>;
  readonly nodeClass: Int32Array;
  /** The nodes of class `c` are `firstNode[c]` up to `firstNode[c + 1]`. */
  readonly firstNode: Int32Array;
  /** The children of node `n` are `child[firstChild[n]]` up to `child[firstChild[n + 1]]`. */
  readonly firstChild: Int32Array;
  readonly child: Int32Array;
  /** The nodes with a child in class `c`, each once: `parent[firstParent[c]]` and on. */
  readonly firstParent: Int32Array;
  readonly parent: Int32Array;
  readonly roots: ReadonlyArray<number>;
}

/** Reads a graph whole, so that the passes of an extractor touch arrays only. */
export function flatten(graph: ReadableGraph, roots: ReadonlyArray<number>): Result<FlatGraph> {
  const classId = [...graph.classIds()];
  const indexOf = new Map<number, number>();
  classId.forEach((id, index) => {
    indexOf.set(id, index);
  });
  const nodes: ReadableNode[] = [];
  const nodeClass: number[] = [];
  const firstNode = new Int32Array(classId.length + 1);
  const firstChild: number[] = [0];
  const child: number[] = [];
  classId.forEach((id, index) => {
    for (const node of graph.nodesOf(id)) {
      nodes.push(node);
      nodeClass.push(index);
      for (const c of node.children) child.push(indexOf.get(graph.find(c)) as number);
      firstChild.push(child.length);
    }
    firstNode[index + 1] = nodes.length;
  });
  const rootIndices: number[] = [];
  for (const root of roots) {
    const index = indexOf.get(root) ?? (isId(root) ? indexOf.get(graph.find(root)) : undefined);
    if (index === undefined) return fail(unknownRoot(root));
    rootIndices.push(index);
  }
  const flat = {
    classCount: classId.length,
    nodeCount: nodes.length,
    classId,
    nodes,
    nodeClass: Int32Array.from(nodeClass),
    firstNode,
    firstChild: Int32Array.from(firstChild),
    child: Int32Array.from(child),
    roots: rootIndices,
  };
  return ok({ ...flat, ...parentsOf(flat) });
}

/** The classes of the children of a node. */
export const childrenOf = ({ child, firstChild }: FlatGraph, node: number): Int32Array =>
  child.subarray(firstChild[node] as number, firstChild[node + 1]);

/** The cost of every node, checked to be 0 or more. */
export function nodeCosts(graph: FlatGraph, cost: NodeCost): Result<Float64Array> {
  const costs = new Float64Array(graph.nodeCount);
  for (let n = 0; n < graph.nodeCount; n++) {
    const node = graph.nodes[n] as ReadableNode;
    const value = cost(node);
    if (!(value >= 0)) return fail(badCost(node.name, String(value), 'a number of 0 or more'));
    costs[n] = value;
  }
  return ok(costs);
}

const isId = (id: number): boolean => Number.isInteger(id) && id >= 0;

function parentsOf(graph: Omit<FlatGraph, 'firstParent' | 'parent'>): {
  readonly firstParent: Int32Array;
  readonly parent: Int32Array;
} {
  const { classCount, nodeCount, firstChild, child } = graph;
  const lastSeen = new Int32Array(classCount).fill(-1);
  const firstParent = new Int32Array(classCount + 1);
  const eachParent = (visit: (eclass: number, node: number) => void): void => {
    lastSeen.fill(-1);
    for (let n = 0; n < nodeCount; n++) {
      const end = firstChild[n + 1] as number;
      for (let k = firstChild[n] as number; k < end; k++) {
        const c = child[k] as number;
        if (lastSeen[c] === n) continue;
        lastSeen[c] = n;
        visit(c, n);
      }
    }
  };
  eachParent((c) => {
    firstParent[c + 1] = (firstParent[c + 1] as number) + 1;
  });
  for (let c = 0; c < classCount; c++) {
    firstParent[c + 1] = (firstParent[c + 1] as number) + (firstParent[c] as number);
  }
  const next = firstParent.slice();
  const parent = new Int32Array(firstParent[classCount] as number);
  eachParent((c, n) => {
    const at = next[c] as number;
    parent[at] = n;
    next[c] = at + 1;
  });
  return { firstParent, parent };
}
