/** Decoding of tensors. */
import { ENTRY, EXTERNAL, TENSOR } from './fields.ts';
import type { TensorPayload, TensorProto, TypedList } from './messages.ts';
import { exact, type Int64, WIRE, type WireReader } from './wire.ts';

/** Heap that a tensor's objects occupy, without its elements, which stay in the file. */
const TENSOR_HEAP_BYTES = 160;
const LIST_ITEM_HEAP_BYTES = 16;

/** The typed lists by their field: name, wire type of one element. */
export const TYPED_LISTS: ReadonlyMap<number, readonly [TypedList, number]> = new Map([
  [TENSOR.floatData, ['float_data', WIRE.fixed32]],
  [TENSOR.int32Data, ['int32_data', WIRE.varint]],
  [TENSOR.stringData, ['string_data', WIRE.bytes]],
  [TENSOR.int64Data, ['int64_data', WIRE.varint]],
  [TENSOR.doubleData, ['double_data', WIRE.fixed64]],
  [TENSOR.uint64Data, ['uint64_data', WIRE.varint]],
]);

/** Reads the fields of a TensorProto. Elements are counted and left in the file. */
export function decodeTensorProto(r: WireReader): TensorProto {
  const start = r.position;
  const end = r.end;
  let name = '';
  let dims: Int64[] = [];
  let dataType = 0;
  let payload: TensorPayload = EMPTY;
  let external = false;
  const entries: [string, string][] = [];
  if (!r.take('values', 1, TENSOR_HEAP_BYTES)) return emptyTensorProto(r.bytes);
  while (r.next()) {
    const list = TYPED_LISTS.get(r.field);
    if (list !== undefined) {
      payload = typedPayload(r, payload, list, start, end);
      continue;
    }
    switch (r.field) {
      case TENSOR.dims:
        dims = readInt64s(r, dims);
        break;
      case TENSOR.dataType:
        dataType = r.int32();
        break;
      case TENSOR.segment:
        r.fail({ _tag: 'Contradiction', reason: 'the tensor is stored in segments' });
        break;
      case TENSOR.name:
        name = r.string();
        break;
      case TENSOR.rawData:
        payload = rawPayload(r, payload);
        break;
      case TENSOR.externalData:
        if (r.take('attributeItems', 1, 64)) entries.push(r.message('external_data', decodeEntry));
        break;
      case TENSOR.dataLocation:
        external = r.int32() === EXTERNAL;
        break;
      default:
        r.skip();
    }
  }
  if (external || entries.length > 0) payload = { _tag: 'External', entries };
  return { name, dims: exact(dims), dataType, payload, file: r.bytes };
}

/** The integers of a repeated `int64` field, packed or not, after those read before. */
export function readInt64s(r: WireReader, before: Int64[]): Int64[] {
  r.eachNumber(WIRE.varint, () => {
    if (r.take('attributeItems', 1, LIST_ITEM_HEAP_BYTES)) before.push(r.int64());
  });
  return before;
}

const EMPTY: TensorPayload = { _tag: 'Empty' };

/** A tensor without fields. */
export const emptyTensorProto = (file: Uint8Array): TensorProto => ({
  name: '',
  dims: [],
  dataType: 0,
  payload: EMPTY,
  file,
});

function typedPayload(
  r: WireReader,
  before: TensorPayload,
  [list, wireType]: readonly [TypedList, number],
  start: number,
  end: number,
): TensorPayload {
  const more = wireType === WIRE.bytes ? countBytes(r) : r.countNumbers(wireType);
  if (more === 0) return before;
  const same = before._tag === 'Typed' && before.list === list;
  if (before._tag !== 'Empty' && !same) return contradiction(r, before);
  return { _tag: 'Typed', list, count: (same ? before.count : 0) + more, start, end };
}

function rawPayload(r: WireReader, before: TensorPayload): TensorPayload {
  const start = r.range();
  // A field of no bytes equals an absent field.
  if (start === r.position || r.fault !== undefined) return before;
  return before._tag === 'Empty'
    ? { _tag: 'Raw', start, end: r.position }
    : contradiction(r, before);
}

function contradiction(r: WireReader, before: TensorPayload): TensorPayload {
  r.fail({ _tag: 'Contradiction', reason: 'the tensor holds its elements twice' });
  return before;
}

function countBytes(r: WireReader): number {
  r.range();
  return r.fault === undefined ? 1 : 0;
}

function decodeEntry(r: WireReader): [string, string] {
  let key = '';
  let value = '';
  while (r.next()) {
    if (r.field === ENTRY.key) key = r.string();
    else if (r.field === ENTRY.value) value = r.string();
    else r.skip();
  }
  return [key, value];
}
