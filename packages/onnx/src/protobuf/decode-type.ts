/** Reads the fields of a ValueInfoProto. */
import { CONTAINER_TYPE, DIMENSION, SHAPE, TENSOR_TYPE, TYPE, VALUE_INFO } from './fields.ts';
import type { Container, DimensionProto, TypeProto, ValueInfoProto } from './messages.ts';
import { exact, type WireReader } from './wire.ts';

const VALUE_HEAP_BYTES = 144;
const DIM_HEAP_BYTES = 16;

export function decodeValueInfo(r: WireReader): ValueInfoProto {
  let name = '';
  let type: TypeProto | undefined;
  if (!r.take('values', 1, VALUE_HEAP_BYTES)) return { name, type };
  while (r.next()) {
    if (r.field === VALUE_INFO.name) name = r.string();
    else if (r.field === VALUE_INFO.type) type = r.message('TypeProto', decodeType);
    else r.skip();
  }
  return { name, type };
}

const OTHER_TYPES: ReadonlyMap<number, string> = new Map([
  [TYPE.sequence, 'a sequence'],
  [TYPE.map, 'a map'],
  [TYPE.opaque, 'an opaque value'],
  [TYPE.sparseTensor, 'a sparse tensor'],
  [TYPE.optional, 'an optional value'],
]);

function decodeType(r: WireReader): TypeProto | undefined {
  let type: TypeProto | undefined;
  while (r.next()) {
    const other = OTHER_TYPES.get(r.field);
    const container = CONTAINERS.get(r.field);
    if (r.field === TYPE.tensor) type = r.message('TypeProto.Tensor', decodeTensorType);
    else if (container !== undefined) {
      const of = r.message('TypeProto', decodeContained);
      type =
        of?._tag === 'Tensor'
          ? { _tag: 'Container', container, of }
          : { _tag: 'Other', what: other ?? '' };
    } else {
      if (other !== undefined) type = { _tag: 'Other', what: other };
      r.skip();
    }
  }
  return type;
}

const CONTAINERS: ReadonlyMap<number, Container> = new Map([
  [TYPE.sequence, 'sequence'],
  [TYPE.optional, 'optional'],
]);

/** The type inside a container; recursion is as deep as messages nest, which the reader bounds. */
function decodeContained(r: WireReader): TypeProto | undefined {
  let type: TypeProto | undefined;
  while (r.next()) {
    if (r.field === CONTAINER_TYPE.elemType) type = r.message('TypeProto', decodeType);
    else r.skip();
  }
  return type;
}

function decodeTensorType(r: WireReader): TypeProto {
  let elemType = 0;
  let shape: ReadonlyArray<DimensionProto> | undefined;
  while (r.next()) {
    if (r.field === TENSOR_TYPE.elemType) elemType = r.int32();
    else if (r.field === TENSOR_TYPE.shape) shape = r.message('TensorShapeProto', decodeShape);
    else r.skip();
  }
  return { _tag: 'Tensor', elemType, shape };
}

function decodeShape(r: WireReader): ReadonlyArray<DimensionProto> {
  const dims: DimensionProto[] = [];
  while (r.next()) {
    if (r.field !== SHAPE.dim) r.skip();
    else if (r.take('attributeItems', 1, DIM_HEAP_BYTES)) {
      dims.push(r.message('TensorShapeProto.Dimension', decodeDimension));
    }
  }
  return exact(dims);
}

function decodeDimension(r: WireReader): DimensionProto {
  let dim: DimensionProto;
  while (r.next()) {
    if (r.field === DIMENSION.value) dim = r.int64();
    else if (r.field === DIMENSION.param) dim = r.string();
    else r.skip();
  }
  return dim;
}
