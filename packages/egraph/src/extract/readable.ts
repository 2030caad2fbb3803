/** One e-node as a reader sees it. */
export interface ReadableNode {
  readonly name: string;
  /** What the node carries besides its children; `undefined` for most. */
  readonly payload: unknown;
  /** Class ids, canonical or not. */
  readonly children: ReadonlyArray<number>;
}

/**
 * What extraction and serialisation read of an e-graph, and all they know of it. An `EGraph` gives
 * it; so does anything else that has classes of nodes.
 */
export interface ReadableGraph {
  /** The canonical class ids, in a fixed order. */
  classIds(): Iterable<number>;
  /** The nodes of a class, in a fixed order. */
  nodesOf(eclass: number): Iterable<ReadableNode>;
  /** The canonical id of a class. */
  find(id: number): number;
}
