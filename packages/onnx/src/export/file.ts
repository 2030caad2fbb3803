/** The messages of a finished graph: every value gets its name. */
import { spanLeaves } from '@baton/base';
import { bareAtom, type Dim, isStaticDim } from '@baton/ir';
import { isDType, type Tensor } from '@baton/tensor';
import type { ExternalLocation } from '../import/options.ts';
import type { Operand } from '../operator-api/exporter.ts';
import { elementNumber } from '../protobuf/element-type.ts';
import type {
  AttributeProto,
  DimensionProto,
  GraphProto,
  NodeProto,
  TensorPayload,
  TensorProto,
  ValueInfoProto,
} from '../protobuf/messages.ts';
import { packed } from '../protobuf/packing.ts';
import type { ContainerOutput, InputDefault, Signature } from '../signature.ts';
import type { DraftNode, InnerGraph } from './graph-builder.ts';
import type { ExportOptions } from './options.ts';
import { isNumbered, originText } from './origins.ts';

/** The names of the inputs and outputs. */
export interface BorderNames {
  readonly inputs: ReadonlyArray<string>;
  readonly outputs: ReadonlyArray<string>;
  /** The outputs that contain tensors, by their places. */
  readonly containers: ReadonlyArray<ContainerOutput | undefined>;
  readonly dims: DimensionNames;
  readonly defaults: ReadonlyArray<InputDefault>;
  /** Whether the shapes of values inside are stated, too. */
  readonly statesShapes: boolean;
}

/** The names of dimensions where they are not those of the variables. */
export interface DimensionNames {
  /** By variable; empty for a dimension that has no name. */
  readonly ofVariables: ReadonlyMap<string, string>;
  /** The names that the outputs have for their open dimensions, and sizes that the program lacks. */
  readonly ofOutputs: ReadonlyArray<ReadonlyArray<string | number>>;
}

/** The names of the dimensions by the signature of a file that had these inputs. */
export function dimensionNames(
  { inputDims, outputDims }: Signature,
  inputs: ReadonlyArray<Operand>,
): DimensionNames {
  const ofVariables = new Map<string, string>();
  for (const [i, { type }] of inputs.entries()) {
    const shape = '_tag' in type.shape ? [] : type.shape;
    const names = inputDims[i] ?? [];
    if (inputDims.length !== inputs.length || names.length !== shape.length) continue;
    for (const [axis, dim] of shape.entries()) {
      const variable = variableOf(dim);
      if (variable !== undefined) ofVariables.set(variable, names[axis] ?? '');
    }
  }
  return { ofVariables, ofOutputs: outputDims };
}

/** The graph as a message. Recursion is as deep as graphs nest. */
export function graphProto(
  name: string,
  graph: InnerGraph,
  border: BorderNames,
  options: ExportOptions,
): GraphProto {
  const table = makeNames(options, border.dims);
  const { inputs } = graph.draft;
  for (const [i, input] of inputs.entries()) table.give(input, border.inputs[i] ?? 'input');
  for (const [i, output] of graph.outputs.entries()) {
    if (!inputs.includes(output)) table.give(output, border.outputs[i] ?? 'output');
  }
  const within = graphWithin(table, name, graph);
  table.placeInitializers();
  const outputs = within.outputs.map((output, i) => outputInfo(output, i, border));
  const defaults = border.defaults.filter((one) =>
    within.inputs.some((input) => takes(input, one)),
  );
  const valueInfos = border.statesShapes && !table.areShort ? namedShapes(table, graph) : [];
  return {
    ...within,
    outputs,
    valueInfos,
    initializers: [...defaults.map(initializer), ...within.initializers],
  };
}

/**
 * The shapes of values inside that have dimensions with names. Runtimes lose these after a reshape or a
 * broadcast, and with them the kernels for operands of one shape.
 */
const namedShapes = (table: Names, { draft, outputs }: InnerGraph): ReadonlyArray<ValueInfoProto> =>
  draft.nodes
    .flatMap((node) => node.outputs)
    .filter(({ type: { shape } }) => !('_tag' in shape) && !shape.every(isStaticDim))
    .filter((value) => !outputs.includes(value))
    .map((value) => valueInfo(table, value))
    .filter(({ type }) => type?._tag === 'Tensor' && type.shape?.includes(undefined) === false);

/** Whether an input may have this default. */
function takes({ name, type }: ValueInfoProto, given: InputDefault): boolean {
  if (type?._tag !== 'Tensor' || name !== given.name) return false;
  const { shape = [], elemType } = type;
  return (
    elemType === elementNumber(given.dtype) &&
    shape.length === given.shape.length &&
    shape.every((dim, axis) => typeof dim !== 'number' || dim === given.shape[axis])
  );
}

const initializer = ({ name, dtype, shape, bytes }: InputDefault): TensorProto => ({
  name,
  dims: shape,
  dataType: elementNumber(dtype),
  payload: { _tag: 'Raw', start: 0, end: bytes.length },
  file: bytes,
});

/**
 * An output with the names that its open dimensions have in the file, and the sizes of those that
 * have no name here, as the container that it is.
 */
function outputInfo(
  output: ValueInfoProto,
  index: number,
  { containers, dims }: BorderNames,
): ValueInfoProto {
  const { type } = output;
  if (type?._tag !== 'Tensor') return output;
  const container = containers[index]?.container;
  if (container !== undefined)
    return { ...output, type: { _tag: 'Container', container, of: type } };
  const stated = dims.ofOutputs[index] ?? [];
  if (stated.length !== type.shape?.length) return output;
  const shape = type.shape.map((dim, axis) => {
    const known = stated[axis] ?? '';
    const isBetter = typeof known === 'number' ? dim === undefined : known !== '';
    return isBetter && typeof dim !== 'number' ? known : dim;
  });
  return { ...output, type: { ...type, shape } };
}

function graphWithin(table: Names, name: string, { draft, outputs }: InnerGraph): GraphProto {
  const { initializers, leave } = table.enter();
  const inputs = draft.inputs.map((input) => valueInfo(table, input));
  const nodes = draft.nodes.map((node) => nodeProto(table, node));
  const results = outputs.map((output) => valueInfo(table, output));
  leave();
  return { name, nodes, inputs, outputs: results, initializers, sparseInitializers: [] };
}

function nodeProto(table: Names, node: DraftNode): NodeProto {
  const { opType, span, graphs } = node;
  const places = spanLeaves(span);
  const first = places.find((place) => place._tag === 'NodeSpan')?.name;
  const hasName = !table.areShort && !(first !== undefined && isNumbered(first));
  const name = hasName ? table.nodeName(first ?? opType) : '';
  const given = Object.entries(node.attributes).map(([key, value]) => ({ name: key, value }));
  const inner = Object.entries(graphs).map(
    ([key, graph]): AttributeProto => ({
      name: key,
      value: {
        kind: 'graph',
        value: graphWithin(table, table.areShort ? key : `${name || opType}.${key}`, graph),
      },
    }),
  );
  return {
    name,
    opType,
    domain: node.domain ?? '',
    overload: '',
    inputs: withoutAbsentEnd(node.inputs).map((input) => (input ? table.nameOf(input) : '')),
    outputs: node.outputs.map((output) => table.nameOf(output, first ?? opType)),
    attributes: [...given, ...inner],
    docString: table.areShort ? '' : originText(places, name),
  };
}

function withoutAbsentEnd(
  inputs: ReadonlyArray<Operand | undefined>,
): ReadonlyArray<Operand | undefined> {
  const last = inputs.findLastIndex((input) => input !== undefined);
  return inputs.slice(0, last + 1);
}

function valueInfo(table: Names, operand: Operand): ValueInfoProto {
  const { shape, dtype } = operand.type;
  const elemType = isDType(dtype) ? elementNumber(dtype) : 0;
  const sizes = '_tag' in shape ? undefined : shape.map(table.dimension);
  return { name: table.nameOf(operand), type: { _tag: 'Tensor', elemType, shape: sizes } };
}

/** The name of a dimension that is a variable. */
function variableOf(dim: Dim): string | undefined {
  const atom = isStaticDim(dim) ? undefined : bareAtom(dim);
  return atom?._tag === 'TypeVar' ? atom.nameHint : undefined;
}

/** The names of a file, and its initializers. */
interface Names {
  /** Whether values are numbered, and nodes have no names. */
  readonly areShort: boolean;
  readonly give: (operand: Operand, name: string) => void;
  /** The name of a value; a new one is made from its hint, or from the other. */
  readonly nameOf: (operand: Operand, hint?: string) => string;
  readonly nodeName: (hint: string) => string;
  /** Begins a graph within the one before; its initializers come once all graphs are read. */
  readonly enter: () => Entered;
  /** Gives each graph its initializers. */
  readonly placeInitializers: () => void;
  /** A size, or the name of a variable. */
  readonly dimension: (dim: Dim) => DimensionProto;
}

/** A graph that has begun. */
interface Entered {
  readonly initializers: ReadonlyArray<TensorProto>;
  readonly leave: () => void;
}

function makeNames(
  { externalData, names: length }: ExportOptions,
  { ofVariables }: DimensionNames,
): Names {
  const areShort = length === 'short';
  let count = 0;
  const names = new Map<Operand, string>();
  const values = makeUnique();
  const nodes = makeUnique();
  const constants = makeConstants(values, externalData);
  const give = (operand: Operand, hint: string): string => {
    const name = values(hint);
    names.set(operand, name);
    return name;
  };
  const hintFor = (operand: Operand, hint = 'value'): string =>
    areShort ? String(count++) : (operand.hint ?? hint);
  return {
    areShort,
    give,
    nameOf: (operand, hint) => {
      const { constant } = operand;
      if (constant !== undefined) return constants.nameOf(constant, operand.hint);
      return names.get(operand) ?? give(operand, hintFor(operand, hint));
    },
    nodeName: nodes,
    enter: constants.enter,
    placeInitializers: constants.place,
    dimension: (dim) => {
      if (isStaticDim(dim)) return dim;
      const variable = variableOf(dim);
      const name = variable === undefined ? undefined : ofVariables.get(variable);
      return (name ?? variable) || undefined;
    },
  };
}

/** Names that are used once: `x`, `x_1`, `x_2`. */
function makeUnique(): (hint: string) => string {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return (hint) => {
    let name = hint;
    while (used.has(name) || name === '') {
      const count = (counts.get(hint) ?? 0) + 1;
      counts.set(hint, count);
      name = `${hint}_${count}`;
    }
    used.add(name);
    return name;
  };
}

const entriesOf = (
  { location, offset, length }: ExternalLocation,
  byteCount: number,
): ReadonlyArray<readonly [string, string]> => [
  ['location', location],
  ['offset', String(offset)],
  ['length', String(length ?? byteCount)],
];

/** The graphs from the outermost to one of them, as the lists of their initializers. */
type Path = ReadonlyArray<TensorProto[]>;

/** An initializer, and the innermost graph that has all graphs which use it. */
interface PlacedTensor {
  readonly proto: TensorProto;
  path: Path;
}

/**
 * The initializers, each tensor once. One that a single inner graph uses is that graph's own: a runtime hands
 * those of outer graphs over at each run of the inner one.
 */
function makeConstants(
  unique: (hint: string) => string,
  externalData: ExportOptions['externalData'],
): {
  readonly nameOf: (tensor: Tensor, hint: string | undefined) => string;
  readonly enter: () => Entered;
  readonly place: () => void;
} {
  const byTensor = new Map<Tensor, PlacedTensor>();
  const alike = new Map<string, Tensor[]>();
  const all: PlacedTensor[] = [];
  let here: Path = [];
  const add = (tensor: Tensor, hint: string): PlacedTensor => {
    const name = unique(hint);
    const file = packed(tensor);
    const place = externalData?.(name, file);
    const payload: TensorPayload =
      place === undefined
        ? { _tag: 'Raw', start: 0, end: file.length }
        : { _tag: 'External', entries: entriesOf(place, file.length) };
    const dataType = elementNumber(tensor.dtype);
    const made = { proto: { name, dims: tensor.shape, dataType, payload, file }, path: here };
    all.push(made);
    return made;
  };
  const placed = (tensor: Tensor, hint: string): PlacedTensor => {
    const known = byTensor.get(tensor);
    if (known !== undefined) return known;
    const print = fingerprint(tensor);
    const others = alike.get(print) ?? [];
    const same = others.find((other) => haveSameBytes(other, tensor));
    const made = (same && byTensor.get(same)) ?? add(tensor, hint);
    byTensor.set(tensor, made);
    if (same === undefined) alike.set(print, [...others, tensor]);
    return made;
  };
  return {
    nameOf: (tensor, hint = 'constant') => {
      const found = placed(tensor, hint);
      if (found.path !== here) found.path = commonPath(found.path, here);
      return found.proto.name;
    },
    enter: () => {
      const [outer, initializers] = [here, [] as TensorProto[]];
      here = [...outer, initializers];
      return {
        initializers,
        leave: () => {
          here = outer;
        },
      };
    },
    place: () => {
      for (const { proto, path } of all) path.at(-1)?.push(proto);
    },
  };
}

function commonPath(a: Path, b: Path): Path {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length === a.length ? a : a.slice(0, length);
}

/** The type of a tensor with a few of its elements: equal tensors have equal ones. */
function fingerprint(tensor: Tensor): string {
  const all = packed(tensor);
  const step = Math.max(1, Math.floor(all.length / FINGERPRINT_BYTES));
  const some = Array.from(
    { length: Math.min(all.length, FINGERPRINT_BYTES) },
    (_, i) => all[i * step],
  );
  return `${tensor.dtype}[${tensor.shape}]${some}`;
}

const FINGERPRINT_BYTES = 61;

function haveSameBytes(a: Tensor, b: Tensor): boolean {
  const [left, right] = [packed(a), packed(b)];
  return left.length === right.length && left.every((byte, i) => byte === right[i]);
}
