/** Reads the fields of a ValueInfoProto. */
import type { DimensionProto, TypeProto, ValueInfoProto } from './messages.ts';
import { exact, type WireReader } from './wire.ts';

const VALUE_HEAP_BYTES = 144;
const DIM_HEAP_BYTES = 16;

export function decodeValueInfo(r: WireReader): ValueInfoProto {
  let name = '';
  let type: TypeProto | undefined;
  if (!r.take('values', 1, VALUE_HEAP_BYTES)) return { name, type };
  while (r.next()) {
    if (r.field === 1) name = r.string();
    else if (r.field === 2) type = r.message('TypeProto', decodeType);
    else r.skip();
  }
  return { name, type };
}

const OTHER_TYPES: ReadonlyMap<number, string> = new Map([
  [4, 'a sequence'],
  [5, 'a map'],
  [7, 'an opaque value'],
  [8, 'a sparse tensor'],
  [9, 'an optional value'],
]);

function decodeType(r: WireReader): TypeProto | undefined {
  let type: TypeProto | undefined;
  while (r.next()) {
    const other = OTHER_TYPES.get(r.field);
    if (r.field === 1) type = r.message('TypeProto.Tensor', decodeTensorType);
    else {
      if (other !== undefined) type = { _tag: 'Other', what: other };
      r.skip();
    }
  }
  return type;
}

function decodeTensorType(r: WireReader): TypeProto {
  let elemType = 0;
  let shape: ReadonlyArray<DimensionProto> | undefined;
  while (r.next()) {
    if (r.field === 1) elemType = r.int32();
    else if (r.field === 2) shape = r.message('TensorShapeProto', decodeShape);
    else r.skip();
  }
  return { _tag: 'Tensor', elemType, shape };
}

function decodeShape(r: WireReader): ReadonlyArray<DimensionProto> {
  const dims: DimensionProto[] = [];
  while (r.next()) {
    if (r.field !== 1) r.skip();
    else if (r.take('attributeItems', 1, DIM_HEAP_BYTES)) {
      dims.push(r.message('TensorShapeProto.Dimension', decodeDimension));
    }
  }
  return exact(dims);
}

function decodeDimension(r: WireReader): DimensionProto {
  let dim: DimensionProto;
  while (r.next()) {
    if (r.field === 1) dim = r.int64();
    else if (r.field === 2) dim = r.string();
    else r.skip();
  }
  return dim;
}
