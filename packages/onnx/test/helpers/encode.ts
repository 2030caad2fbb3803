/** A tiny encoder of ONNX bytes, for tests, with the field numbers of onnx.proto. */

/** Bytes of one field or several. */
export type Bytes = ReadonlyArray<number>;

/** An unsigned varint; negative numbers take their 64-bit two's complement. */
export function varint(value: number | bigint): Bytes {
  if (value >= 0 && value < 0x80) return [Number(value)];
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    out.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
  return out;
}

const tag = (field: number, wireType: number): Bytes => varint(field * 8 + wireType);
const utf8 = (text: string): Bytes => [...new TextEncoder().encode(text)];

/** A varint field. */
export const int = (field: number, value: number | bigint): Bytes => [
  ...tag(field, 0),
  ...varint(value),
];

/** A length-delimited field. */
export const bytes = (field: number, value: Iterable<number>): Bytes => {
  const payload = Array.isArray(value) ? value : Array.from(value);
  return tag(field, 2).concat(varint(payload.length), payload);
};

/** A text field. */
export const text = (field: number, value: string): Bytes => bytes(field, utf8(value));

/** A float32 field. */
export const float = (field: number, value: number): Bytes => [
  ...tag(field, 5),
  ...new Uint8Array(new Float32Array([value]).buffer),
];

const floatBytes = (values: ReadonlyArray<number>): Bytes => [
  ...new Uint8Array(new Float32Array(values).buffer),
];

/** The parts of a tensor. Without `raw`, float32 values go to `float_data`. */
export interface TensorParts {
  readonly name?: string;
  readonly dims: ReadonlyArray<number>;
  readonly type?: number;
  /** Values of `float_data`. */
  readonly floats?: ReadonlyArray<number>;
  /** Values of `int64_data`. */
  readonly ints?: ReadonlyArray<number | bigint>;
  readonly raw?: Iterable<number>;
  readonly extra?: Bytes;
}

/** A TensorProto. */
export const tensorProto = (parts: TensorParts): Bytes => [
  ...parts.dims.flatMap((dim) => int(1, dim)),
  ...int(2, parts.type ?? (parts.ints === undefined ? 1 : 7)),
  ...(parts.floats === undefined ? [] : bytes(4, floatBytes(parts.floats))),
  ...(parts.ints === undefined ? [] : bytes(7, parts.ints.flatMap(varint))),
  ...(parts.name === undefined ? [] : text(8, parts.name)),
  ...(parts.raw === undefined ? [] : bytes(9, parts.raw)),
  ...(parts.extra ?? []),
];

/** The value of an attribute, by kind. */
export type Attribute =
  | { readonly i: number | bigint }
  | { readonly f: number }
  | { readonly s: string }
  | { readonly t: TensorParts }
  | { readonly sparse: SparseParts }
  | { readonly g: Bytes }
  /** The attribute of this name of the surrounding function. */
  | { readonly ref: string }
  | { readonly ints: ReadonlyArray<number | bigint> }
  | { readonly floats: ReadonlyArray<number> }
  | { readonly strings: ReadonlyArray<string> };

/** An AttributeProto. */
export function attributeProto(name: string, value: Attribute): Bytes {
  const named = text(1, name);
  if ('i' in value) return [...named, ...int(3, value.i), ...int(20, 2)];
  if ('f' in value) return [...named, ...float(2, value.f), ...int(20, 1)];
  if ('s' in value) return [...named, ...text(4, value.s), ...int(20, 3)];
  if ('t' in value) return [...named, ...bytes(5, tensorProto(value.t)), ...int(20, 4)];
  if ('ref' in value) return [...named, ...text(21, value.ref), ...int(20, 1)];
  if ('sparse' in value) {
    return [...named, ...bytes(22, sparseProto(value.sparse)), ...int(20, 11)];
  }
  if ('g' in value) return [...named, ...bytes(6, value.g), ...int(20, 5)];
  if ('ints' in value) return [...named, ...value.ints.flatMap((i) => int(8, i)), ...int(20, 7)];
  if ('floats' in value) {
    return [...named, ...value.floats.flatMap((f) => float(7, f)), ...int(20, 6)];
  }
  return [...named, ...value.strings.flatMap((s) => text(9, s)), ...int(20, 8)];
}

/** A node of a test graph. */
export interface NodeParts {
  readonly op: string;
  readonly in?: ReadonlyArray<string>;
  readonly out?: ReadonlyArray<string>;
  readonly name?: string;
  readonly domain?: string;
  readonly attrs?: Readonly<Record<string, Attribute>>;
}

/** A NodeProto. */
export const nodeProto = (parts: NodeParts): Bytes => [
  ...(parts.in ?? []).flatMap((name) => text(1, name)),
  ...(parts.out ?? ['y']).flatMap((name) => text(2, name)),
  ...(parts.name === undefined ? [] : text(3, parts.name)),
  ...text(4, parts.op),
  ...Object.entries(parts.attrs ?? {}).flatMap(([name, value]) =>
    bytes(5, attributeProto(name, value)),
  ),
  ...(parts.domain === undefined ? [] : text(7, parts.domain)),
];

/** A value of a test graph: sizes are numbers, names, or `null` for neither. */
export interface ValueParts {
  readonly name: string;
  readonly dims?: ReadonlyArray<number | string | null>;
  readonly type?: number;
}

/** A ValueInfoProto of a tensor; without `dims` it has no shape. */
export function valueInfo({ name, dims, type = 1 }: ValueParts): Bytes {
  const dim = (d: number | string | null): Bytes =>
    bytes(1, d === null ? [] : typeof d === 'number' ? int(1, d) : text(2, d));
  const shape = dims === undefined ? [] : bytes(2, dims.flatMap(dim));
  return [...text(1, name), ...bytes(2, bytes(1, [...int(1, type), ...shape]))];
}

/** A function of a test model. */
export interface FunctionParts {
  readonly name: string;
  readonly domain: string;
  readonly inputs: ReadonlyArray<string>;
  readonly outputs: ReadonlyArray<string>;
  readonly nodes: ReadonlyArray<NodeParts>;
  readonly defaults?: Readonly<Record<string, Attribute>>;
  readonly opset?: number;
}

/** A FunctionProto. */
export const functionProto = (parts: FunctionParts): Bytes => [
  ...text(1, parts.name),
  ...parts.inputs.flatMap((name) => text(4, name)),
  ...parts.outputs.flatMap((name) => text(5, name)),
  ...parts.nodes.flatMap((node) => bytes(7, nodeProto(node))),
  ...bytes(9, [...text(1, ''), ...int(2, parts.opset ?? 13)]),
  ...text(10, parts.domain),
  ...Object.entries(parts.defaults ?? {}).flatMap(([name, value]) =>
    bytes(11, attributeProto(name, value)),
  ),
];

/** A test graph. */
export interface GraphParts {
  readonly nodes: ReadonlyArray<NodeParts>;
  readonly inputs?: ReadonlyArray<ValueParts>;
  /** The outputs by name, which are scalars, or with their types. */
  readonly outputs?: ReadonlyArray<string | ValueParts>;
  /** Types of other values. */
  readonly valueInfos?: ReadonlyArray<ValueParts>;
  readonly initializers?: ReadonlyArray<TensorParts>;
  /** Sparse initializers of float32, each with its places. */
  readonly sparse?: ReadonlyArray<SparseParts>;
  readonly extra?: Bytes;
}

/** A sparse tensor. */
export interface SparseParts {
  readonly values: TensorParts;
  readonly indices: TensorParts;
  readonly dims: ReadonlyArray<number>;
}

const sparseProto = ({ values, indices, dims }: SparseParts): Bytes => [
  ...bytes(1, tensorProto(values)),
  ...bytes(2, tensorProto(indices)),
  ...dims.flatMap((dim) => int(3, dim)),
];

/** A GraphProto; its output is `y` unless named. */
export const graphProto = (parts: GraphParts): Bytes => [
  ...parts.nodes.flatMap((node) => bytes(1, nodeProto(node))),
  ...text(2, 'test'),
  ...(parts.initializers ?? []).flatMap((tensor) => bytes(5, tensorProto(tensor))),
  ...(parts.inputs ?? []).flatMap((value) => bytes(11, valueInfo(value))),
  ...(parts.outputs ?? ['y']).flatMap((output) =>
    bytes(12, valueInfo(typeof output === 'string' ? { name: output, dims: [] } : output)),
  ),
  ...(parts.valueInfos ?? []).flatMap((value) => bytes(13, valueInfo(value))),
  ...(parts.sparse ?? []).flatMap((tensor) => bytes(15, sparseProto(tensor))),
  ...(parts.extra ?? []),
];

/** A model file with this graph, for this version of the operator set. */
export const modelBytes = (
  graph: GraphParts,
  opset = 13,
  functions: ReadonlyArray<FunctionParts> = [],
): Uint8Array =>
  Uint8Array.from([
    ...int(1, 8),
    ...bytes(8, [...text(1, ''), ...int(2, opset)]),
    ...bytes(7, graphProto(graph)),
    ...functions.flatMap((f) => bytes(25, functionProto(f))),
  ]);
