/** ONNX messages from tensors and plain values, and the cases of the hunt. */
import { joinedBytes } from '@baton/base';
import {
  type AttributeProto,
  type AttributeValue,
  elementNumber,
  encodeModel,
  type GraphProto,
  type ModelProto,
  type NodeProto,
  type TensorProto,
  type ValueInfoProto,
} from '@baton/onnx';
import { type Tensor, toBytes } from '@baton/tensor';

/** Tensors by the names of their values. */
export type Feeds = ReadonlyMap<string, Tensor>;

/** A model with the inputs of each run. */
export interface Case {
  readonly model: ModelProto;
  /** One for a model of known sizes; two of different sizes for one with open sizes. */
  readonly samples: ReadonlyArray<Feeds>;
  /** The sizes of open dimensions in the first sample, by the names that an import uses. */
  readonly dims: Readonly<Record<string, number>>;
}

/** The value of an attribute as a builder writes it: a number is an int. */
export type Attribute =
  | number
  | string
  | ReadonlyArray<number>
  | { readonly float: number }
  | { readonly floats: ReadonlyArray<number> }
  | { readonly tensor: Tensor }
  | { readonly graph: GraphProto };

/** Attributes by name; `undefined` leaves one out. */
export type Attributes = Readonly<Record<string, Attribute | undefined>>;

export const bytesOf = (model: ModelProto): Uint8Array => joinedBytes(encodeModel(model));

/**
 * The bytes for the reference: absent parts of a Split get names, since onnxruntime 1.30 ends with a
 * segmentation fault on a part without one.
 */
export function referenceBytes(model: ModelProto): Uint8Array {
  const graph = graphOf(model);
  const nodes = graph.nodes.map((node, at) =>
    node.opType === 'Split'
      ? { ...node, outputs: node.outputs.map((name, i) => name || `absent_${at}_${i}`) }
      : node,
  );
  return bytesOf({ ...model, graph: { ...graph, nodes } });
}

export function graphOf({ graph }: ModelProto): GraphProto {
  if (graph === undefined) throw new Error('the model has no graph');
  return graph;
}

export const opsetOf = ({ opsetImports }: ModelProto): number =>
  opsetImports.find(({ domain }) => domain === '')?.version ?? 0;

export function tensorProto(name: string, t: Tensor): TensorProto {
  const file = toBytes(t);
  return {
    name,
    dims: t.shape,
    dataType: elementNumber(t.dtype),
    payload: { _tag: 'Raw', start: 0, end: file.length },
    file,
  };
}

export const nodeProto = (
  opType: string,
  inputs: ReadonlyArray<string>,
  outputs: ReadonlyArray<string>,
  attributes: Attributes = {},
  domain = '',
): NodeProto => ({
  name: '',
  opType,
  domain,
  overload: '',
  inputs,
  outputs,
  attributes: Object.entries(attributes).flatMap(
    ([name, value]): ReadonlyArray<AttributeProto> =>
      value === undefined ? [] : [{ name, value: attributeValue(value) }],
  ),
});

/** A graph of nodes without initializers, as a branch has them. */
export const plainGraph = (
  name: string,
  nodes: ReadonlyArray<NodeProto>,
  inputs: ReadonlyArray<ValueInfoProto>,
  outputs: ReadonlyArray<ValueInfoProto>,
): GraphProto => ({ name, nodes, inputs, outputs, initializers: [], sparseInitializers: [] });

/** Every input of a node, and the values that its inner graphs read from outside. */
export function readsOf(node: NodeProto): ReadonlyArray<string> {
  const inner = node.attributes.flatMap(({ value }) =>
    value.kind === 'graph' ? value.value.nodes.flatMap(readsOf) : [],
  );
  const results = node.attributes.flatMap(({ value }) =>
    value.kind === 'graph' ? value.value.outputs.map(({ name }) => name) : [],
  );
  return [...node.inputs, ...inner, ...results].filter((name) => name !== '');
}

function attributeValue(value: Attribute): AttributeValue {
  if (typeof value === 'number') return { kind: 'int', value };
  if (typeof value === 'string') return { kind: 'string', value };
  if ('float' in value) return { kind: 'float', value: value.float };
  if ('floats' in value) return { kind: 'floats', value: value.floats };
  if ('tensor' in value) return { kind: 'tensor', value: tensorProto('', value.tensor) };
  if ('graph' in value) return { kind: 'graph', value: value.graph };
  return { kind: 'ints', value };
}
