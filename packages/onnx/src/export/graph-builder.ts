/** A graph under way: nodes whose values have no names yet. */
import type { Span } from '@baton/base';
import { type TensorType, tensorType } from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import type { NodeAttributeValues, Operand } from '../operator-api/exporter.ts';

/** A graph under way. */
export interface GraphBuilder {
  /** The values that it is given, besides those of the graphs around it. */
  readonly inputs: ReadonlyArray<Operand>;
  readonly nodes: DraftNode[];
  /** The number of graphs around it. */
  readonly depth: number;
}

export interface DraftNode {
  readonly opType: string;
  /** ONNX's own by default. */
  readonly domain?: string;
  /** `undefined` is an absent input. */
  readonly inputs: ReadonlyArray<Operand | undefined>;
  readonly outputs: ReadonlyArray<Operand>;
  readonly attributes: NodeAttributeValues;
  /** The attributes that are graphs. */
  readonly graphs: Readonly<Record<string, InnerGraph>>;
  readonly span: Span | undefined;
}

/** A graph inside a node, with its results. */
export interface InnerGraph {
  readonly draft: GraphBuilder;
  readonly outputs: ReadonlyArray<Operand>;
}

export const graphBuilder = (depth: number, inputs: ReadonlyArray<Operand> = []): GraphBuilder => ({
  inputs,
  nodes: [],
  depth,
});

/**
 * The deepest nesting of graphs. Readers of protobuf refuse messages within 100 others, and each
 * graph is within a node and an attribute.
 */
export const MAX_GRAPH_DEPTH = 24;

/** A new tensor. */
export const operand = (
  type: TensorType,
  { constant, hint }: { readonly constant?: Tensor; readonly hint?: string | undefined } = {},
): Operand => ({ _tag: 'Tensor', type, constant, hint });

/** A tensor of known elements. */
export const constantOperand = (constant: Tensor, hint?: string): Operand =>
  operand(tensorType(constant.shape, constant.dtype), { constant, hint });
