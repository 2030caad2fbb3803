/** A graph under construction: many small comparisons go to onnxruntime as one model. */
import { type DType, type Tensor, tensor } from '@baton/tensor';
import type { Attributes, GraphParts, NodeParts } from './onnx-writer.ts';
import { elementType } from './onnx-writer.ts';

/** Adds to a graph; everything is named by the graph. */
export interface OnnxGraph {
  /** An input of the graph. */
  readonly input: (t: Tensor) => string;
  /** A constant of the graph. */
  readonly constant: (t: Tensor) => string;
  /** A constant list of whole numbers. */
  readonly ints: (values: ReadonlyArray<number>) => string;
  /** A constant of rank 0. */
  readonly scalar: (value: number, dtype: DType) => string;
  /** A node with one output. */
  readonly node: (opType: string, inputs: ReadonlyArray<string>, attributes?: Attributes) => string;
  /** A node with several outputs. */
  readonly nodes: (
    opType: string,
    inputs: ReadonlyArray<string>,
    count: number,
    attributes?: Attributes,
  ) => ReadonlyArray<string>;
  readonly cast: (value: string, dtype: DType) => string;
  readonly parts: (outputs: ReadonlyArray<string>) => GraphParts;
}

/** An empty graph. */
export function makeGraph(): OnnxGraph {
  const inputs = new Map<string, Tensor>();
  const constants = new Map<string, Tensor>();
  const list: NodeParts[] = [];
  let made = 0;
  const name = (): string => `v${made++}`;
  const put = (into: Map<string, Tensor>, t: Tensor): string => {
    const named = name();
    into.set(named, t);
    return named;
  };
  const nodes: OnnxGraph['nodes'] = (opType, operands, count, attributes = {}) => {
    const outputs = Array.from({ length: count }, name);
    list.push({ opType, inputs: operands, outputs, attributes });
    return outputs;
  };
  const node: OnnxGraph['node'] = (opType, operands, attributes) =>
    nodes(opType, operands, 1, attributes)[0] as string;
  return {
    input: (t) => put(inputs, t),
    constant: (t) => put(constants, t),
    ints: (values) => put(constants, tensor(values, [values.length], 'int64')),
    scalar: (value, dtype) => put(constants, tensor([value], [], dtype)),
    node,
    nodes,
    cast: (value, dtype) => node('Cast', [value], { to: elementType(dtype) }),
    parts: (outputs) => ({ nodes: list, inputs, constants, outputs }),
  };
}
