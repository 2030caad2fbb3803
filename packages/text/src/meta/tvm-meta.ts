/**
 * The metadata section in TVM's form: a graph of objects as JSON, in which each constant refers to
 * an array in the format of TVM's files.
 *
 * **Source** TVM 0.16, `src/node/serialization.cc` and `NDArray::Save`.
 */
import { isLeft } from '@baton/base';
import {
  DTYPES,
  type DType,
  type DTypeKind,
  dtypeInfo,
  fromBytes,
  STORAGE_DTYPES,
  type Tensor,
  toBytes,
} from '@baton/tensor';
import { fromBase64, toBase64 } from '../json/base64.ts';

/** The constants of a section that TVM reads, one to a line. */
export function writeTvmMeta(tensors: ReadonlyArray<Tensor>): string {
  // Node 0 is no object, 1 the table, 2 the list of constants, 3 and 4 the common parts of all.
  const nodes = [
    { type_key: '' },
    { type_key: 'Map', keys: ['relay.Constant'], data: [2] },
    { type_key: 'Array', data: tensors.map((_, i) => FIRST_CONSTANT + i) },
    { type_key: 'VirtualDevice', attrs: ANY_DEVICE },
    { type_key: 'runtime.String' },
    ...tensors.map((_, i) => ({
      type_key: 'relay.Constant',
      attrs: { _checked_type_: '0', data: String(i), span: '0', virtual_device_: '3' },
    })),
  ];
  const lists = [
    `"nodes": [\n${nodes.map((node) => JSON.stringify(node)).join(',\n')}\n]`,
    `"b64ndarrays": [\n${tensors.map((t) => `"${toBase64(arrayBytes(t))}"`).join(',\n')}\n]`,
  ];
  return `{"root": 1,\n${lists.join(',\n')},\n"attrs": {"tvm_version": "0.16.0"}}\n`;
}

const FIRST_CONSTANT = 5;
const ANY_DEVICE = {
  device_type_int: '-1',
  memory_scope: '4',
  target: '0',
  virtual_device_id: '-1',
};

/** DLPack's codes of number formats. A bool is an unsigned integer of one bit. */
const CODES: Readonly<Partial<Record<DTypeKind | DType, number>>> = {
  int: 0,
  uint: 1,
  bool: 1,
  float: 2,
  bfloat: 4,
  float8_e4m3fn: 10,
  float8_e4m3fnuz: 11,
  float8_e5m2: 12,
  float8_e5m2fnuz: 13,
  float8_e8m0fnu: 14,
  float4_e2m1fn: 17,
};

/** A dtype in DLPack: the code of its format, and its bits. */
function formatOf(dtype: DType): { readonly code: number; readonly bits: number } {
  const { kind, bits } = dtypeInfo(dtype);
  return { code: CODES[dtype] ?? CODES[kind] ?? 0, bits };
}

const dtypeOf = (code: number, bits: number): DType | undefined =>
  [...DTYPES, ...STORAGE_DTYPES].find(
    (dtype) => formatOf(dtype).code === code && formatOf(dtype).bits === bits,
  );

// An array in a file: magic, a reserved word, the device's type and number, the rank, the code,
// bits and lanes of the dtype; the shape and the number of bytes, eight bytes each; the elements.
const MAGIC = 0xdd5e40f096b4a13fn;
const DEVICE_AT = 16;
const RANK_AT = 24;
const CODE_AT = 28;
const BITS_AT = 29;
const LANES_AT = 30;
const SHAPE_AT = 32;
const WORD_BYTES = 8;
const CPU = 1;

function arrayBytes(t: Tensor): Uint8Array {
  const elements = toBytes(t);
  const sizeAt = SHAPE_AT + WORD_BYTES * t.shape.length;
  const bytes = new Uint8Array(sizeAt + WORD_BYTES + elements.length);
  const view = new DataView(bytes.buffer);
  const { code, bits } = formatOf(t.dtype);
  view.setBigUint64(0, MAGIC, true);
  view.setInt32(DEVICE_AT, CPU, true);
  view.setInt32(RANK_AT, t.shape.length, true);
  view.setUint8(CODE_AT, code);
  view.setUint8(BITS_AT, bits);
  view.setUint16(LANES_AT, 1, true);
  for (const [axis, dim] of t.shape.entries()) {
    view.setBigInt64(SHAPE_AT + WORD_BYTES * axis, BigInt(dim), true);
  }
  view.setBigInt64(sizeAt, BigInt(elements.length), true);
  bytes.set(elements, sizeAt + WORD_BYTES);
  return bytes;
}

function tensorOf(bytes: Uint8Array): Tensor | string {
  if (bytes.length < SHAPE_AT) return 'an array is cut off';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getBigUint64(0, true) !== MAGIC) return 'an array does not start as one';
  const dtype = dtypeOf(view.getUint8(CODE_AT), view.getUint8(BITS_AT));
  if (dtype === undefined || view.getUint16(LANES_AT, true) !== 1) return 'unknown dtype';
  const rank = view.getInt32(RANK_AT, true);
  const sizeAt = SHAPE_AT + WORD_BYTES * rank;
  if (rank < 0 || bytes.length < sizeAt + WORD_BYTES) return 'an array is cut off';
  const shape = Array.from({ length: rank }, (_, axis) =>
    Number(view.getBigInt64(SHAPE_AT + WORD_BYTES * axis, true)),
  );
  const made = fromBytes(bytes.subarray(sizeAt + WORD_BYTES), shape, dtype);
  return isLeft(made) ? made.left[0].message : made.right;
}

/** Whether parsed JSON is a section in TVM's form. */
export const isTvmMeta = (parsed: unknown): parsed is TvmMeta =>
  isRecord(parsed) && Array.isArray(parsed.nodes) && Array.isArray(parsed.b64ndarrays);

/** A section in TVM's form, as far as the first check shows. */
export interface TvmMeta {
  readonly root?: unknown;
  readonly nodes: ReadonlyArray<unknown>;
  readonly b64ndarrays: ReadonlyArray<unknown>;
}

/** The constants of a section that TVM wrote, or the mistake in it. */
export function readTvmMeta({ root, nodes, b64ndarrays }: TvmMeta): ReadonlyArray<Tensor> | string {
  const node = (index: unknown): Readonly<Record<string, unknown>> => {
    const found = nodes[Number(index)];
    return isRecord(found) ? found : {};
  };
  const { keys, data } = node(root);
  if (!Array.isArray(keys) || !Array.isArray(data)) return 'its root is no table';
  const at = keys.indexOf('relay.Constant');
  const constants = at < 0 ? [] : node(data[at]).data;
  if (!Array.isArray(constants)) return 'its constants are no list';
  const tensors: Tensor[] = [];
  for (const index of constants) {
    const { attrs } = node(index);
    const text = isRecord(attrs) ? b64ndarrays[Number(attrs.data)] : undefined;
    const bytes = typeof text === 'string' ? fromBase64(text) : undefined;
    const tensor = bytes === undefined ? 'a constant has no array' : tensorOf(bytes);
    if (typeof tensor === 'string') return tensor;
    tensors.push(tensor);
  }
  return tensors;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
