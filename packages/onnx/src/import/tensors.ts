/** Tensors of a file. */
import { fail, isLeft, type Result, right, type Span } from '@baton/base';
import {
  allocate,
  checkedSize,
  type DType,
  dtypeInfo,
  fromBytes,
  makeTensor,
  type Tensor,
  type TensorData,
} from '@baton/tensor';
import {
  elementCountMismatch,
  externalDataMissing,
  externalDataRefused,
  located,
  unknownElementType,
} from '../diagnostics.ts';
import { DEFAULT_DECODE_LIMITS, makeBudget } from '../protobuf/budget.ts';
import { TYPED_LISTS } from '../protobuf/decode-tensor.ts';
import { elementType } from '../protobuf/element-type.ts';
import type { RawPayload, TensorProto, TypedPayload } from '../protobuf/messages.ts';
import { elementsInByte, unpacked } from '../protobuf/packing.ts';
import { WIRE, WireReader } from '../protobuf/wire.ts';
import type { ExternalLocation, ImportOptions } from './options.ts';

/** Reads data outside the file. */
type ExternalData = ImportOptions['externalData'];

/** Where the elements of a tensor come from. */
export type TensorSource = Pick<ImportOptions, 'externalData' | 'ownsBytes'>;

/** Shape and dtype of a tensor in a file. */
export interface TensorInfo {
  readonly shape: ReadonlyArray<number>;
  readonly dtype: DType;
  readonly count: number;
}

/**
 * Shape and dtype of a tensor, checked for size only.
 *
 * **Errors** `ONNX_ELEMENT_TYPE`, `TENSOR_RANK`, `TENSOR_DIMENSION`, `TENSOR_TOO_LARGE`.
 */
export function tensorInfo(proto: TensorProto, span: Span): Result<TensorInfo> {
  const element = elementType(proto.dataType);
  if (element === undefined) return fail(unknownElementType(proto.dataType, span));
  const shape = proto.dims.map(Number);
  const count = checkedSize(shape);
  if (isLeft(count)) return located(count, span);
  return right({ shape, dtype: element.dtype, count: count.right });
}

/**
 * The tensor: a view of the file if its elements are raw and aligned, else a copy.
 *
 * The number of elements is compared with the dimensions before anything is allocated.
 *
 * **Errors** of {@link tensorInfo}, `ONNX_ELEMENT_COUNT`, `ONNX_EXTERNAL_DATA`, `TENSOR_BYTES`,
 * `TENSOR_STORAGE`.
 */
export function tensorOf(
  proto: TensorProto,
  span: Span,
  { externalData, ownsBytes }: TensorSource = {},
): Result<Tensor> {
  const info = tensorInfo(proto, span);
  if (isLeft(info)) return info;
  const { shape, dtype } = info.right;
  const { payload } = proto;
  switch (payload._tag) {
    case 'Empty':
      return info.right.count === 0
        ? located(fromBytes(new Uint8Array(0), shape, dtype), span)
        : fail(elementCountMismatch(info.right, 0, span));
    case 'Raw':
      return ofBytes(
        ownsBytes === true ? alignedInPlace(proto, payload, info.right) : rawBytes(proto, payload),
        info.right,
        span,
      );
    case 'External':
      return externalTensor(payload.entries, info.right, span, externalData);
    case 'Typed':
      return typedTensor(proto, payload, info.right, span);
  }
}

const rawBytes = ({ file }: TensorProto, { start, end }: RawPayload): Uint8Array =>
  file.subarray(start, end);

/** The length of raw data from which its tag and length take the four bytes before it. */
const MIN_MOVED = 2 ** 14;

/** The widest element whose alignment needs no more than three bytes. */
const MAX_MOVED_WIDTH = 4;

const movedTo = new WeakMap<RawPayload, Uint8Array>();

/**
 * Raw data at an aligned place of the file: it moves over its own tag and length, which have been
 * read, so that weights are not twice in memory. The data moves once.
 */
function alignedInPlace(proto: TensorProto, payload: RawPayload, info: TensorInfo): Uint8Array {
  const before = movedTo.get(payload);
  if (before !== undefined) return before;
  const { file } = proto;
  const { start, end } = payload;
  const { bytes: width } = dtypeInfo(info.dtype);
  const by = (file.byteOffset + start) % width;
  if (by === 0 || width > MAX_MOVED_WIDTH || end - start < MIN_MOVED) {
    return rawBytes(proto, payload);
  }
  file.copyWithin(start - by, start, end);
  const moved = file.subarray(start - by, end - by);
  movedTo.set(payload, moved);
  return moved;
}

const ofBytes = (bytes: Uint8Array, info: TensorInfo, span: Span): Result<Tensor> =>
  located(fromBytes(unpacked(bytes, info.dtype, info.count), info.shape, info.dtype), span);

function typedTensor(
  proto: TensorProto,
  payload: TypedPayload,
  info: TensorInfo,
  span: Span,
): Result<Tensor> {
  if (elementType(proto.dataType)?.list !== payload.list) {
    return fail(elementCountMismatch(info, 0, span, `elements in ${payload.list}`));
  }
  const each = elementsInByte(info.dtype);
  if (payload.count !== Math.ceil(info.count / each)) {
    return fail(elementCountMismatch(info, payload.count, span));
  }
  if (each > 1) {
    const bytes = allocate('uint8', payload.count);
    readElements(proto, payload, 'uint8', bytes);
    return ofBytes(bytes, info, span);
  }
  const data = allocate(info.dtype, info.count);
  readElements(proto, payload, info.dtype, data);
  return located(makeTensor(data, info.shape, info.dtype), span);
}

/** Fills `data` from a typed list, which decoding has counted and checked. */
function readElements(
  proto: TensorProto,
  payload: TypedPayload,
  dtype: DType,
  data: TensorData,
): void {
  const budget = makeBudget(DEFAULT_DECODE_LIMITS, 0);
  const message = proto.file.subarray(0, payload.end);
  const r = new WireReader(message, budget, 'TensorProto', payload.start);
  const source = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const halves = new Int32Array(2);
  const bigHalves = dtypeInfo(dtype).bytes === 8 ? new Int32Array(data.buffer) : halves;
  let index = 0;
  while (r.next()) {
    const list = TYPED_LISTS.get(r.field);
    if (list?.[0] !== payload.list) r.skip();
    else if (list[1] === WIRE.fixed32) {
      r.eachNumber(WIRE.fixed32, () => {
        data[index++] = source.getFloat32(r.fixed(4), true);
      });
    } else if (list[1] === WIRE.fixed64) {
      r.eachNumber(WIRE.fixed64, () => {
        data[index++] = source.getFloat64(r.fixed(8), true);
      });
    } else if (bigHalves !== halves) {
      r.eachNumber(WIRE.varint, () => r.varintHalves(bigHalves, 2 * index++));
    } else {
      r.eachNumber(WIRE.varint, () => {
        r.varintHalves(halves, 0);
        data[index++] = halves[0] as number;
      });
    }
  }
}

function externalTensor(
  entries: ReadonlyArray<readonly [string, string]>,
  info: TensorInfo,
  span: Span,
  externalData: ExternalData,
): Result<Tensor> {
  const get = (key: string): string | undefined => entries.find(([name]) => name === key)?.[1];
  const number = (key: string): number | undefined => {
    const text = get(key);
    return text === undefined ? undefined : /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  };
  const location = get('location');
  const offset = number('offset') ?? 0;
  const length = number('length');
  if (location === undefined || Number.isNaN(offset) || Number.isNaN(length ?? 0)) {
    return fail(externalDataMissing('expected a location, an offset and a length', span));
  }
  if (externalData === undefined) return fail(externalDataRefused(location, span));
  // A file may continue past the elements of its last tensor.
  const expected = info.count * dtypeInfo(info.dtype).bytes;
  const place: ExternalLocation = { location, offset, length: length ?? expected };
  const bytes = externalData(place);
  if (bytes === undefined) return fail(externalDataMissing(`nothing at ${location}`, span));
  if (!(bytes instanceof Uint8Array)) return fail({ ...bytes, span: bytes.span ?? span });
  // A plain view is needed: a Node Buffer has a `slice` of its own that does not copy.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return ofBytes(plain, info, span);
}
