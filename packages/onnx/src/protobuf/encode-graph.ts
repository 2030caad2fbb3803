/** Graphs, nodes, attributes and tensors as bytes: the inverses of the decoders in this folder. */
import { invariant } from '@baton/base';
import {
  ATTRIBUTE,
  CONTAINER_TYPE,
  DIMENSION,
  ENTRY,
  EXTERNAL,
  GRAPH,
  NODE,
  OPSET,
  SHAPE,
  SPARSE,
  TENSOR,
  TENSOR_TYPE,
  TYPE,
  VALUE_INFO,
  VALUES,
} from './fields.ts';
import type {
  AttributeKind,
  AttributeProto,
  AttributeValue,
  DimensionProto,
  GraphProto,
  NodeProto,
  OperatorSetIdProto,
  SparseTensorProto,
  TensorProto,
  TypeProto,
  ValueInfoProto,
} from './messages.ts';
import type { WireWriter } from './wire-writer.ts';

/** Writes the fields of a GraphProto. Recursion is as deep as graphs nest. */
export function encodeGraph(w: WireWriter, graph: GraphProto): void {
  for (const node of graph.nodes) w.message(GRAPH.node, (inner) => encodeNode(inner, node));
  w.text(GRAPH.name, graph.name);
  for (const tensor of graph.initializers) {
    w.message(GRAPH.initializer, (inner) => encodeTensor(inner, tensor));
  }
  for (const input of graph.inputs) {
    w.message(GRAPH.input, (inner) => encodeValueInfo(inner, input));
  }
  for (const output of graph.outputs) {
    w.message(GRAPH.output, (inner) => encodeValueInfo(inner, output));
  }
  for (const value of graph.valueInfos ?? []) {
    w.message(GRAPH.valueInfo, (inner) => encodeValueInfo(inner, value));
  }
  for (const sparse of graph.sparseInitializers) {
    w.message(GRAPH.sparseInitializer, (inner) => encodeSparse(inner, sparse));
  }
}

/** Writes the fields of an OperatorSetIdProto. */
export function encodeOpset(w: WireWriter, { domain, version }: OperatorSetIdProto): void {
  w.text(OPSET.domain, domain);
  w.int(OPSET.version, version);
}

/** Writes the fields of a NodeProto. */
export function encodeNode(w: WireWriter, node: NodeProto): void {
  for (const input of node.inputs) w.text(NODE.input, input);
  for (const output of node.outputs) w.text(NODE.output, output);
  textUnlessEmpty(w, NODE.name, node.name);
  w.text(NODE.opType, node.opType);
  for (const attribute of node.attributes) {
    w.message(NODE.attribute, (inner) => encodeAttribute(inner, attribute));
  }
  textUnlessEmpty(w, NODE.docString, node.docString ?? '');
  textUnlessEmpty(w, NODE.domain, node.domain);
  textUnlessEmpty(w, NODE.overload, node.overload);
}

/** Writes the fields of an AttributeProto. */
export function encodeAttribute(w: WireWriter, { name, value }: AttributeProto): void {
  w.text(ATTRIBUTE.name, name);
  if (value.kind === 'reference') {
    w.text(ATTRIBUTE.refAttrName, value.value);
    return;
  }
  const place = PLACE_OF_KIND.get(value.kind);
  invariant(place !== undefined && value.kind !== 'opaque', 'values that were read are written');
  encodeValue(w, place.field, value);
  w.int(ATTRIBUTE.type, place.type);
}

/** The field and the number of each kind of value. */
const PLACE_OF_KIND: ReadonlyMap<AttributeKind, { readonly field: number; readonly type: number }> =
  new Map(VALUES.map((place) => [place.kind, place]));

function encodeValue(w: WireWriter, field: number, value: AttributeValue): void {
  switch (value.kind) {
    case 'float':
      w.float(field, value.value);
      break;
    case 'int':
      w.int(field, value.value);
      break;
    case 'string':
      w.text(field, value.value);
      break;
    case 'tensor':
      w.message(field, (inner) => encodeTensor(inner, value.value));
      break;
    case 'graph':
      w.message(field, (inner) => encodeGraph(inner, value.value));
      break;
    case 'sparse_tensor':
      w.message(field, (inner) => encodeSparse(inner, value.value));
      break;
    case 'opaque':
    case 'reference':
      break;
    default:
      for (const item of itemsOf(value)) encodeValue(w, field, item);
  }
}

/** The items of a list: each is a field of its own. */
function itemsOf(
  list: Extract<AttributeValue, { readonly kind: `${string}s` }>,
): ReadonlyArray<AttributeValue> {
  switch (list.kind) {
    case 'floats':
      return list.value.map((value) => ({ kind: 'float', value }));
    case 'ints':
      return list.value.map((value) => ({ kind: 'int', value }));
    case 'strings':
      return list.value.map((value) => ({ kind: 'string', value }));
    case 'tensors':
      return list.value.map((value) => ({ kind: 'tensor', value }));
    case 'graphs':
      return list.value.map((value) => ({ kind: 'graph', value }));
  }
}

/** Writes the fields of a TensorProto, whose elements are raw or outside the file. */
export function encodeTensor(w: WireWriter, tensor: TensorProto): void {
  for (const dim of tensor.dims) w.int(TENSOR.dims, dim);
  w.int(TENSOR.dataType, tensor.dataType);
  textUnlessEmpty(w, TENSOR.name, tensor.name);
  const { payload, file } = tensor;
  switch (payload._tag) {
    case 'Raw':
      w.bytes(TENSOR.rawData, file.subarray(payload.start, payload.end));
      break;
    case 'External':
      for (const [key, value] of payload.entries) {
        w.message(TENSOR.externalData, (inner) => {
          inner.text(ENTRY.key, key);
          inner.text(ENTRY.value, value);
        });
      }
      w.int(TENSOR.dataLocation, EXTERNAL);
      break;
    case 'Empty':
      break;
    case 'Typed':
      invariant(false, 'tensors that are written have raw elements');
  }
}

function encodeSparse(w: WireWriter, { values, indices, dims }: SparseTensorProto): void {
  w.message(SPARSE.values, (inner) => encodeTensor(inner, values));
  w.message(SPARSE.indices, (inner) => encodeTensor(inner, indices));
  for (const dim of dims) w.int(SPARSE.dims, dim);
}

/** Writes the fields of a ValueInfoProto. */
export function encodeValueInfo(w: WireWriter, { name, type }: ValueInfoProto): void {
  w.text(VALUE_INFO.name, name);
  if (type !== undefined) w.message(VALUE_INFO.type, (inner) => encodeType(inner, type));
}

function encodeType(w: WireWriter, type: TypeProto): void {
  invariant(type._tag !== 'Other', 'values that are written are tensors, or contain them');
  if (type._tag === 'Container') {
    w.message(TYPE[type.container], (inner) =>
      inner.message(CONTAINER_TYPE.elemType, (of) => encodeType(of, type.of)),
    );
    return;
  }
  w.message(TYPE.tensor, (inner) => {
    inner.int(TENSOR_TYPE.elemType, type.elemType);
    const { shape } = type;
    if (shape !== undefined) inner.message(TENSOR_TYPE.shape, (sizes) => encodeShape(sizes, shape));
  });
}

function encodeShape(w: WireWriter, shape: ReadonlyArray<DimensionProto>): void {
  for (const dim of shape) {
    w.message(SHAPE.dim, (inner) => {
      if (typeof dim === 'string') inner.text(DIMENSION.param, dim);
      else if (dim !== undefined) inner.int(DIMENSION.value, dim);
    });
  }
}

function textUnlessEmpty(w: WireWriter, field: number, text: string): void {
  if (text !== '') w.text(field, text);
}
