/** Graphs, nodes, attributes and functions: the messages that contain one another. */
import { decodeTensorProto, emptyTensorProto, readInt64s } from './decode-tensor.ts';
import { decodeValueInfo } from './decode-type.ts';
import { ATTRIBUTE, FUNCTION, GRAPH, NODE, OPSET, SPARSE, VALUES } from './fields.ts';
import type {
  AttributeProto,
  AttributeValue,
  FunctionProto,
  GraphProto,
  NodeProto,
  OperatorSetIdProto,
  SparseTensorProto,
  TensorProto,
  ValueInfoProto,
} from './messages.ts';
import { exact, type Int64, WIRE, type WireReader } from './wire.ts';

/** Heap of each message's objects, with lists and their growth. */
const GRAPH_HEAP_BYTES = 256;
const NODE_HEAP_BYTES = 160;
const ATTRIBUTE_HEAP_BYTES = 128;
/** A name is in a list of its node and in tables of the import. */
const NAME_HEAP_BYTES = 64;
const ITEM_HEAP_BYTES = 16;

/** Reads the fields of a GraphProto. Graphs nest in attributes, as deeply as messages may. */
export function decodeGraph(r: WireReader): GraphProto {
  let name = '';
  const nodes: NodeProto[] = [];
  const inputs: ValueInfoProto[] = [];
  const outputs: ValueInfoProto[] = [];
  const valueInfos: ValueInfoProto[] = [];
  const initializers: TensorProto[] = [];
  const sparseInitializers: SparseTensorProto[] = [];
  r.take('nodes', 1, GRAPH_HEAP_BYTES);
  while (r.next()) {
    switch (r.field) {
      case GRAPH.node:
        pushNode(r, nodes);
        break;
      case GRAPH.name:
        name = r.string();
        break;
      case GRAPH.initializer:
        initializers.push(r.message('TensorProto', decodeTensorProto));
        break;
      case GRAPH.input:
        inputs.push(r.message('ValueInfoProto', decodeValueInfo));
        break;
      case GRAPH.output:
        outputs.push(r.message('ValueInfoProto', decodeValueInfo));
        break;
      case GRAPH.valueInfo:
        valueInfos.push(r.message('ValueInfoProto', decodeValueInfo));
        break;
      case GRAPH.sparseInitializer:
        sparseInitializers.push(r.message('SparseTensorProto', decodeSparse));
        break;
      default:
        r.skip();
    }
  }
  return { name, nodes, inputs, outputs, valueInfos, initializers, sparseInitializers };
}

/** Reads the nodes of a GraphProto without attributes, and the names of its outputs; all else is skipped. */
export function decodeGraphOutline(r: WireReader): GraphProto {
  let name = '';
  const nodes: NodeProto[] = [];
  const outputs: ValueInfoProto[] = [];
  while (r.next()) {
    if (r.field === GRAPH.name) name = r.string();
    else if (r.field === GRAPH.node) pushNode(r, nodes, { attributes: false });
    else if (r.field === GRAPH.output) outputs.push(r.message('ValueInfoProto', decodeValueInfo));
    else r.skip();
  }
  return { name, nodes, inputs: [], outputs, initializers: [], sparseInitializers: [] };
}

/** Reads the name of a FunctionProto. */
export function decodeFunctionOutline(r: WireReader): FunctionProto {
  let [name, domain, overload] = ['', '', ''];
  while (r.next()) {
    if (r.field === FUNCTION.name) name = r.string();
    else if (r.field === FUNCTION.domain) domain = r.string();
    else if (r.field === FUNCTION.overload) overload = r.string();
    else r.skip();
  }
  const none = { inputs: [], outputs: [], nodes: [], defaults: [], opsetImports: [] };
  return { name, domain, overload, ...none };
}

/** Reads the fields of a FunctionProto. */
export function decodeFunction(r: WireReader): FunctionProto {
  let name = '';
  let domain = '';
  let overload = '';
  const inputs: string[] = [];
  const outputs: string[] = [];
  const nodes: NodeProto[] = [];
  const defaults: AttributeProto[] = [];
  const opsetImports: OperatorSetIdProto[] = [];
  r.take('nodes', 1, GRAPH_HEAP_BYTES);
  while (r.next()) {
    switch (r.field) {
      case FUNCTION.name:
        name = r.string();
        break;
      case FUNCTION.input:
        if (r.take('values', 1, NAME_HEAP_BYTES)) inputs.push(r.string());
        break;
      case FUNCTION.output:
        if (r.take('values', 1, NAME_HEAP_BYTES)) outputs.push(r.string());
        break;
      case FUNCTION.node:
        pushNode(r, nodes);
        break;
      case FUNCTION.opsetImport:
        if (r.take('attributeItems', 1, ITEM_HEAP_BYTES)) {
          opsetImports.push(r.message('OperatorSetIdProto', decodeOpset));
        }
        break;
      case FUNCTION.domain:
        domain = r.string();
        break;
      case FUNCTION.attributeProto:
        if (r.take('attributeItems', 1, ATTRIBUTE_HEAP_BYTES)) {
          defaults.push(r.message('AttributeProto', decodeAttribute));
        }
        break;
      case FUNCTION.overload:
        overload = r.string();
        break;
      default:
        r.skip();
    }
  }
  return { name, domain, overload, inputs, outputs, nodes, defaults, opsetImports };
}

/** The parts of a node that are read. */
interface NodeReading {
  readonly attributes: boolean;
}

function pushNode(
  r: WireReader,
  nodes: NodeProto[],
  reading: NodeReading = { attributes: true },
): void {
  if (!r.take('nodes', 1, NODE_HEAP_BYTES)) return;
  nodes.push(r.message('NodeProto', (inner) => decodeNode(inner, reading)));
}

function decodeNode(r: WireReader, reading: NodeReading): NodeProto {
  let name = '';
  let opType = '';
  let domain = '';
  let overload = '';
  let docString = '';
  const inputs: string[] = [];
  const outputs: string[] = [];
  const attributes: AttributeProto[] = [];
  while (r.next()) {
    switch (r.field) {
      case NODE.input:
        if (r.take('values', 1, NAME_HEAP_BYTES)) inputs.push(r.string());
        break;
      case NODE.output:
        if (r.take('values', 1, NAME_HEAP_BYTES)) outputs.push(r.string());
        break;
      case NODE.name:
        name = r.string();
        break;
      case NODE.opType:
        opType = r.string();
        break;
      case NODE.attribute:
        if (!reading.attributes) r.skip();
        else if (r.take('attributeItems', 1, ATTRIBUTE_HEAP_BYTES)) {
          attributes.push(r.message('AttributeProto', decodeAttribute));
        }
        break;
      case NODE.domain:
        domain = r.string();
        break;
      case NODE.overload:
        overload = r.string();
        break;
      case NODE.docString:
        docString = r.string();
        break;
      default:
        r.skip();
    }
  }
  return {
    name,
    opType,
    domain,
    overload,
    inputs: exact(inputs),
    outputs: exact(outputs),
    attributes: exact(attributes),
    ...(docString === '' ? {} : { docString }),
  };
}

function decodeSparse(r: WireReader): SparseTensorProto {
  const none = emptyTensorProto(new Uint8Array(0));
  let [values, indices] = [none, none];
  let dims: Int64[] = [];
  while (r.next()) {
    if (r.field === SPARSE.values) values = r.message('TensorProto', decodeTensorProto);
    else if (r.field === SPARSE.indices) indices = r.message('TensorProto', decodeTensorProto);
    else if (r.field === SPARSE.dims) dims = readInt64s(r, dims);
    else r.skip();
  }
  return { values, indices, dims };
}

/** Reads the fields of an OperatorSetIdProto. */
export function decodeOpset(r: WireReader): OperatorSetIdProto {
  let domain = '';
  let version = 0;
  while (r.next()) {
    if (r.field === OPSET.domain) domain = r.string();
    else if (r.field === OPSET.version) version = Number(r.int64());
    else r.skip();
  }
  // `ai.onnx` is another name of ONNX's own domain.
  return { domain: domain === 'ai.onnx' ? '' : domain, version };
}

type ValueKind = Exclude<AttributeValue['kind'], 'reference'>;

/** The kind of value of each type of attribute. */
const KIND_OF_TYPE: ReadonlyMap<number, ValueKind> = new Map(
  VALUES.map(({ type, kind }) => [type, kind]),
);

/** The kind of value in each field of an AttributeProto. */
const KIND_OF_FIELD: ReadonlyMap<number, ValueKind> = new Map(
  VALUES.map(({ field, kind }) => [field, kind]),
);

function decodeAttribute(r: WireReader): AttributeProto {
  let name = '';
  let reference = '';
  let type = 0;
  let found: AttributeValue | undefined;
  while (r.next()) {
    const kind = KIND_OF_FIELD.get(r.field);
    if (kind !== undefined) found = readValue(r, kind, found);
    else if (r.field === ATTRIBUTE.name) name = r.string();
    else if (r.field === ATTRIBUTE.type) type = r.int32();
    else if (r.field === ATTRIBUTE.refAttrName) reference = r.string();
    else r.skip();
  }
  if (reference !== '') return { name, value: { kind: 'reference', value: reference } };
  return { name, value: attributeValue(r, name, type, found) };
}

/** The value, checked against the stated type of the attribute; old files state none. */
function attributeValue(
  r: WireReader,
  name: string,
  type: number,
  found: AttributeValue | undefined,
): AttributeValue {
  const kind = KIND_OF_TYPE.get(type);
  if (kind !== undefined && found === undefined) return emptyValue(kind);
  if (found !== undefined && (type === 0 || kind === found.kind)) return trimmed(found);
  const value = found === undefined ? 'no value' : found.kind;
  r.fail({
    _tag: 'Contradiction',
    reason: `attribute ${name.slice(0, 64)} of type ${kind ?? type} holds ${value}`,
  });
  return emptyValue('opaque');
}

/** The value with its list, if any, in minimal space. */
function trimmed(value: AttributeValue): AttributeValue {
  switch (value.kind) {
    case 'ints':
      return { kind: value.kind, value: exact(value.value) };
    case 'floats':
      return { kind: value.kind, value: exact(value.value) };
    case 'strings':
      return { kind: value.kind, value: exact(value.value) };
    default:
      return value;
  }
}

/** Protobuf does not store 0, empty texts and empty lists. */
function emptyValue(kind: ValueKind): AttributeValue {
  switch (kind) {
    case 'float':
    case 'int':
      return { kind, value: 0 };
    case 'string':
      return { kind, value: '' };
    case 'floats':
    case 'ints':
    case 'strings':
    case 'tensors':
    case 'graphs':
      return { kind, value: [] };
    case 'tensor':
    case 'graph':
    case 'sparse_tensor':
    case 'opaque':
      return { kind: 'opaque', value: kind };
  }
}

function readValue(
  r: WireReader,
  kind: ValueKind,
  before: AttributeValue | undefined,
): AttributeValue {
  if (before !== undefined && before.kind !== kind) {
    const reason = `an attribute holds both ${before.kind} and ${kind}`;
    r.fail({ _tag: 'Contradiction', reason });
    return before;
  }
  switch (kind) {
    case 'float':
      return { kind, value: r.float() };
    case 'int':
      return { kind, value: r.int64() };
    case 'string':
      return { kind, value: r.string() };
    case 'tensor':
      return { kind, value: r.message('TensorProto', decodeTensorProto) };
    case 'graph':
      return { kind, value: r.message('GraphProto', decodeGraph) };
    case 'sparse_tensor':
      return { kind, value: r.message('SparseTensorProto', decodeSparse) };
    case 'floats':
      return { kind, value: readFloats(r, before?.kind === kind ? own(before.value) : []) };
    case 'ints':
      return { kind, value: readInt64s(r, before?.kind === kind ? own(before.value) : []) };
    case 'strings':
      return { kind, value: withItem(r, before?.kind === kind ? before.value : [], readText) };
    case 'tensors':
      return { kind, value: withItem(r, before?.kind === kind ? before.value : [], readTensor) };
    case 'graphs':
      return { kind, value: withItem(r, before?.kind === kind ? before.value : [], readGraph) };
    case 'opaque':
      r.skip();
      return { kind, value: '' };
  }
}

const readText = (r: WireReader): string => r.string();
const readTensor = (r: WireReader): TensorProto => r.message('TensorProto', decodeTensorProto);
const readGraph = (r: WireReader): GraphProto => r.message('GraphProto', decodeGraph);

/** This decoder made the list and nothing else holds it yet, so it may grow in place. */
const own = <A>(list: ReadonlyArray<A>): A[] => list as A[];

function withItem<A>(
  r: WireReader,
  before: ReadonlyArray<A>,
  read: (r: WireReader) => A,
): ReadonlyArray<A> {
  const list = own(before);
  if (r.take('attributeItems', 1, ITEM_HEAP_BYTES)) list.push(read(r));
  return list;
}

function readFloats(r: WireReader, list: number[]): ReadonlyArray<number> {
  r.eachNumber(WIRE.fixed32, () => {
    if (r.take('attributeItems', 1, ITEM_HEAP_BYTES)) list.push(r.float());
  });
  return list;
}
