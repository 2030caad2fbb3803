/** What is compared with onnxruntime: a call of an operator of Relay, or nodes of ONNX. */
import type { Attrs } from '@baton/ir';
import type { OpValue } from '@baton/ops';
import type { Draw } from './draw.ts';
import type { OnnxGraph } from './onnx-graph.ts';

/** The allowed distance of two results. */
export interface Tolerance {
  /**
   * In units in the last place of the larger result; 0 for the same numbers (all NaNs are one).
   * Default: 0.
   */
  readonly ulps?: number;
  /** Units in the last place are at least those of this number: for results that cancel. */
  readonly scale?: number;
}

/** A call of an operator. */
export interface Case extends Tolerance {
  readonly args: ReadonlyArray<OpValue>;
  /** Attributes that differ from their defaults. */
  readonly attrs?: Attrs;
  /** Whether the integers after the first argument are constants of the file: shapes and bounds. */
  readonly hasConstantShapes?: boolean;
  /** Whether the file leaves the sizes of the arguments open: known ones decide the result. */
  readonly hasOpenSizes?: boolean;
}

/** Calls with random shapes, attributes and numbers. */
export type CaseDraw = (d: Draw) => Case;

/** Draws by the name of the operator. */
export type CaseDraws = Readonly<Record<string, CaseDraw>>;

/** Nodes of ONNX that no operator of Relay stands for. */
export interface NodeCase extends Tolerance {
  /** The values of the graph that are compared. */
  readonly result: string | ReadonlyArray<string>;
}

/** Adds random nodes to a graph. */
export type NodeDraw = (d: Draw, g: OnnxGraph) => NodeCase;

/** Draws by the name of the node. */
export type NodeDraws = Readonly<Record<string, NodeDraw>>;
