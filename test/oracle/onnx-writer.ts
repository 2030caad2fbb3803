/** Writes ONNX files, with only the part of the format that the comparisons need. */
import type { DType, Tensor } from '@baton/tensor';
import { toBytes } from '@baton/tensor';

/** The default version of the operator set. */
const OPSET = 21;

const IR_VERSION = 9;

/** The value of an attribute: a whole number, `{ float }`, a text, or a list of whole numbers. */
export type AttributeValue = number | string | { readonly float: number } | ReadonlyArray<number>;

/** Attributes by name. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A node of a graph. */
export interface NodeParts {
  readonly opType: string;
  readonly inputs: ReadonlyArray<string>;
  readonly outputs: ReadonlyArray<string>;
  readonly attributes: Attributes;
}

/** A graph: tensors by the names of their values. */
export interface GraphParts {
  /** The version of the operator set. */
  readonly opset?: number | undefined;
  readonly nodes: ReadonlyArray<NodeParts>;
  readonly inputs: ReadonlyMap<string, Tensor>;
  readonly constants: ReadonlyMap<string, Tensor>;
  readonly outputs: ReadonlyArray<string>;
  /** Whether inputs have only ranks, and no sizes. */
  readonly isFree?: boolean;
}

/** The part of a graph that these outputs need, with inputs of any size. */
export function freePart(graph: GraphParts, outputs: ReadonlyArray<string>): GraphParts {
  const needed = new Set(outputs);
  const nodes = graph.nodes.toReversed().filter((node) => {
    const isNeeded = node.outputs.some((name) => needed.has(name));
    if (isNeeded) for (const name of node.inputs) needed.add(name);
    return isNeeded;
  });
  const only = (tensors: ReadonlyMap<string, Tensor>): ReadonlyMap<string, Tensor> =>
    new Map([...tensors].filter(([name]) => needed.has(name)));
  return {
    nodes: nodes.toReversed(),
    inputs: only(graph.inputs),
    constants: only(graph.constants),
    outputs,
    opset: graph.opset,
    isFree: true,
  };
}

/** ONNX's numbers of element types. */
const ELEMENT_TYPES: Readonly<Partial<Record<DType, number>>> = {
  float32: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
  float64: 11,
  uint32: 12,
  uint64: 13,
};

/** ONNX's number of an element type. */
export function elementType(dtype: DType): number {
  const found = ELEMENT_TYPES[dtype];
  if (found === undefined) throw new Error(`no element type for ${dtype}`);
  return found;
}

/** The bytes of a model with this graph. */
export function modelBytes(graph: GraphParts): Uint8Array {
  const opset = concat([text(1, ''), int(2, graph.opset ?? OPSET)]);
  return concat([int(1, IR_VERSION), message(8, opset), message(7, graphProto(graph))]);
}

type Bytes = ReadonlyArray<number> | Uint8Array;

function concat(parts: ReadonlyArray<Bytes>): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Negative numbers take their 64-bit two's complement. */
function varint(value: number): ReadonlyArray<number> {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    out.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
  return out;
}

const VARINT = 0;
const LENGTH = 2;
const FIXED32 = 5;

const tag = (field: number, wireType: number): ReadonlyArray<number> =>
  varint(field * 8 + wireType);
const int = (field: number, value: number): Bytes => [...tag(field, VARINT), ...varint(value)];
const message = (field: number, payload: Bytes): Bytes =>
  concat([tag(field, LENGTH), varint(payload.length), payload]);
const text = (field: number, value: string): Bytes =>
  message(field, new TextEncoder().encode(value));
const float = (field: number, value: number): Bytes =>
  concat([tag(field, FIXED32), new Uint8Array(new Float32Array([value]).buffer)]);

const tensorProto = (name: string, t: Tensor): Bytes =>
  concat([
    ...t.shape.map((dim) => int(1, dim)),
    int(2, elementType(t.dtype)),
    text(8, name),
    message(9, toBytes(t)),
  ]);

/** The kinds of attributes: field 20 of an AttributeProto. */
const KIND = { float: 1, int: 2, string: 3, ints: 7 } as const;

function attributeProto(name: string, value: AttributeValue): Bytes {
  const named = text(1, name);
  if (typeof value === 'number') return concat([named, int(3, value), int(20, KIND.int)]);
  if (typeof value === 'string') return concat([named, text(4, value), int(20, KIND.string)]);
  if ('float' in value) return concat([named, float(2, value.float), int(20, KIND.float)]);
  return concat([named, ...value.map((item) => int(8, item)), int(20, KIND.ints)]);
}

const nodeProto = (node: NodeParts): Bytes =>
  concat([
    ...node.inputs.map((name) => text(1, name)),
    ...node.outputs.map((name) => text(2, name)),
    text(4, node.opType),
    ...Object.entries(node.attributes).map(([name, value]) =>
      message(5, attributeProto(name, value)),
    ),
  ]);

function valueInfo(name: string, t: Tensor | undefined, isFree = false): Bytes {
  if (t === undefined) return text(1, name);
  const shape = concat(t.shape.map((dim) => message(1, isFree ? [] : int(1, dim))));
  const tensorType = concat([int(1, elementType(t.dtype)), message(2, shape)]);
  return concat([text(1, name), message(2, message(1, tensorType))]);
}

const graphProto = (graph: GraphParts): Bytes =>
  concat([
    ...graph.nodes.map((node) => message(1, nodeProto(node))),
    text(2, 'oracle'),
    ...[...graph.constants].map(([name, t]) => message(5, tensorProto(name, t))),
    ...[...graph.inputs].map(([name, t]) => message(11, valueInfo(name, t, graph.isFree))),
    ...graph.outputs.map((name) => message(12, valueInfo(name, undefined))),
  ]);
