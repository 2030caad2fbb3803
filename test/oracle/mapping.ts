/** The comparison of an operator of Relay with ONNX. */
import type { Attrs } from '@baton/ir';
import type { OpValue } from '@baton/ops';
import type { Draw } from './draw.ts';
import type { OnnxGraph } from './onnx-graph.ts';

/** One comparison: a call of the operator, and equal values of a graph. */
export interface Case {
  readonly args: ReadonlyArray<OpValue>;
  /** Attributes that differ from their defaults. */
  readonly attrs?: Attrs;
  /** The outputs of the graph, in the order of the fields of the operator's result. */
  readonly result: string | ReadonlyArray<string>;
  /**
   * The allowed distance of the results, in units in the last place of the larger one; 0 for the
   * same numbers (all NaNs are one). Default: 0.
   */
  readonly ulps?: number;
  /** Units in the last place are at least those of this number: for results that cancel. */
  readonly scale?: number;
}

/** Makes a comparison with random shapes, attributes and numbers. */
export type Mapping = (d: Draw, g: OnnxGraph) => Case;

/** Comparisons by the name of the operator. */
export type Mappings = Readonly<Record<string, Mapping>>;
