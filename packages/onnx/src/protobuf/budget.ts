/** What a file may make the decoder hold: counted before anything is allocated. */

/** How much a decoded file may hold. Every count is of the whole file, subgraphs included. */
export interface DecodeLimits {
  /** Nodes, graphs and functions. */
  readonly nodes: number;
  /** Names of values: inputs and outputs of nodes and graphs, initializers. */
  readonly values: number;
  /** Attributes, items of lists, dimensions. */
  readonly attributeItems: number;
  /** How deep messages nest. */
  readonly depth: number;
  /** Bytes of heap per byte of the file. */
  readonly heapFactor: number;
  /** Bytes of heap that any file may use besides. */
  readonly heapBase: number;
}

/** The limits unless the caller states others. */
export const DEFAULT_DECODE_LIMITS: DecodeLimits = {
  nodes: 1_000_000,
  values: 4_000_000,
  attributeItems: 16_000_000,
  depth: 100,
  heapFactor: 20,
  heapBase: 64 * 2 ** 20,
};

/** The longest name or string attribute. */
export const MAX_TEXT_BYTES: number = 2 ** 20;

/** What is counted. */
export type Counted = 'nodes' | 'values' | 'attributeItems';

/** What is left of the limits. */
export interface Budget {
  readonly limits: DecodeLimits;
  /**
   * Takes `count` items and the `heapBytes` that they will occupy together. Returns the name of
   * the limit that does not allow it, or `undefined`.
   */
  readonly take: (what: Counted, count: number, heapBytes: number) => LimitName | undefined;
  /** As `take`, for what is no part of the file: `false` if the heap does not allow it. */
  readonly takeHeap: (heapBytes: number) => boolean;
}

/** The name of a limit, as in diagnostics. */
export type LimitName = Counted | 'heap' | 'text';

/** A budget for a file of `byteLength` bytes. */
export function makeBudget(limits: DecodeLimits, byteLength: number): Budget {
  const left = {
    nodes: limits.nodes,
    values: limits.values,
    attributeItems: limits.attributeItems,
  };
  let heap = limits.heapFactor * byteLength + limits.heapBase;
  return {
    limits,
    take: (what, count, heapBytes) => {
      left[what] -= count;
      if (left[what] < 0) return what;
      heap -= heapBytes;
      return heap < 0 ? 'heap' : undefined;
    },
    takeHeap: (heapBytes) => {
      heap -= heapBytes;
      return heap >= 0;
    },
  };
}
