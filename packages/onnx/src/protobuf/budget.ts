/** The memory that a file may use in the decoder, counted before anything is allocated. */

/** The limits of a decoded file. Every count covers the whole file, subgraphs included. */
export interface DecodeLimits {
  /** Nodes, graphs and functions. */
  readonly nodes: number;
  /** Names of values: inputs and outputs of nodes and graphs, initializers. */
  readonly values: number;
  /** Attributes, items of lists, dimensions. */
  readonly attributeItems: number;
  /** The nesting of messages. */
  readonly depth: number;
  /** Bytes of heap per byte of the file. */
  readonly heapFactor: number;
  /** Bytes of heap that any file may use in addition. */
  readonly heapBase: number;
}

/** The default limits. */
export const DEFAULT_DECODE_LIMITS: DecodeLimits = {
  nodes: 8_000_000,
  values: 32_000_000,
  attributeItems: 64_000_000,
  depth: 100,
  heapFactor: 20,
  heapBase: 16 * 2 ** 20,
};

/** The longest name or string attribute. */
export const MAX_TEXT_BYTES: number = 2 ** 20;

/** The counted items. */
export type Counted = 'nodes' | 'values' | 'attributeItems';

/** The rest of the limits. */
export interface Budget {
  readonly limits: DecodeLimits;
  /**
   * Takes `count` items and `heapBytes` for all of them. Returns the name of the exceeded limit, or
   * `undefined`.
   */
  readonly take: (what: Counted, count: number, heapBytes: number) => LimitName | undefined;
  /** Like `take`, for data outside the file: `false` if the heap does not allow it. */
  readonly takeHeap: (heapBytes: number) => boolean;
}

/** The name of a limit in diagnostics. */
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
