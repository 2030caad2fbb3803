/** The part of an e-graph that extraction and drawings read. */
import type { ClassId, NodeId } from '../ids.ts';
import { type Language, printIn } from '../language.ts';
import type { Operator } from '../store/operators.ts';
import { printOperator } from '../term.ts';

/** One e-node for readers. */
export interface ReadableNode {
  readonly name: string;
  /** The data of the node besides its children; `undefined` for most. */
  readonly payload: unknown;
  /** Class ids, canonical or not. */
  readonly children: ReadonlyArray<number>;
}

/**
 * The part of an e-graph that extraction and serialisation read. An `EGraph` has it; so has any
 * other graph with classes of nodes.
 */
export interface ReadableGraph {
  /** The canonical class ids, in a fixed order. */
  classIds(): Iterable<number>;
  /** The nodes of a class, in a fixed order. */
  nodesOf(eclass: number): Iterable<ReadableNode>;
  find(id: number): number;
  /** The text of a node's operator. */
  print?(node: ReadableNode): string;
}

/** The part of an `EGraph` that is read here, for any analysis. */
export interface ReadableEGraph {
  readonly language: Language;
  classes(): ReadonlyArray<ClassId>;
  nodes(id: ClassId): ReadonlyArray<NodeId>;
  operatorOf(node: NodeId): Operator;
  childrenOf(node: NodeId): ReadonlyArray<ClassId>;
  find(id: ClassId): ClassId;
}

export type GraphSource = ReadableGraph | ReadableEGraph;

export function readable(source: GraphSource): ReadableGraph {
  if ('nodesOf' in source) return source;
  return {
    classIds: () => source.classes(),
    nodesOf: (eclass) =>
      source.nodes(eclass as ClassId).map((n) => {
        const { name, payload } = source.operatorOf(n);
        return { name, payload, children: source.childrenOf(n) };
      }),
    find: (id) => source.find(id as ClassId),
    print: ({ name, payload }) => printIn(source.language, name, payload),
  };
}

export interface ListedNode {
  readonly node: ReadableNode;
  /** The text of its operator. */
  readonly label: string;
  /** Canonical. */
  readonly children: ReadonlyArray<number>;
}

/** The classes of a graph with their nodes, in order. */
export function listClasses(
  graph: ReadableGraph,
): ReadonlyArray<readonly [eclass: number, nodes: ReadonlyArray<ListedNode>]> {
  return Array.from(graph.classIds(), (eclass) => [
    eclass,
    Array.from(graph.nodesOf(eclass), (node) => ({
      node,
      label: graph.print?.(node) ?? printOperator(node.name, node.payload),
      children: node.children.map((child) => graph.find(child)),
    })),
  ]);
}
