/** How an operator of Relay is compared with ONNX. */
import type { Attrs } from '@baton/ir';
import type { OpValue } from '@baton/ops';
import type { Draw } from './draw.ts';
import type { OnnxGraph } from './onnx-graph.ts';

/** One comparison: a call of the operator, and the values of a graph that it must equal. */
export interface Case {
  readonly args: ReadonlyArray<OpValue>;
  /** Those that are not the defaults. */
  readonly attrs?: Attrs;
  /** The outputs of the graph, in the order of the fields of the operator's result. */
  readonly result: string | ReadonlyArray<string>;
  /**
   * How far the results may lie apart, in units in the last place of the larger one; 0 for the
   * same numbers (all NaNs are one). Default: 0.
   */
  readonly ulps?: number;
  /** Units in the last place are those of this number at least: for results that cancel. */
  readonly scale?: number;
}

/** Makes a comparison with random shapes, attributes and numbers. */
export type Mapping = (d: Draw, g: OnnxGraph) => Case;

/** Comparisons by the name of the operator. */
export type Mappings = Readonly<Record<string, Mapping>>;
