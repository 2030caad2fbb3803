/** A typed builder of ONNX graphs: every value has its dtype and its sizes in both runs. */
import {
  type DimensionProto,
  elementNumber,
  type GraphProto,
  type NodeProto,
  type ValueInfoProto,
} from '@baton/onnx';
import { type DType, isFloat, shapeSize, type Tensor, tensor, toNumbers } from '@baton/tensor';
import type { Draw } from './draw.ts';
import { type Attributes, type Case, nodeProto, plainGraph, tensorProto } from './model.ts';

/** A dimension: its sizes in the two runs, which differ only if it is open. */
export interface Dim {
  readonly sizes: readonly [number, number];
  readonly isOpen: boolean;
  /** The name that a file states for an open dimension. */
  readonly name?: string | undefined;
}

/** The type of a value, and a rough bound of its magnitude. */
export interface ValueType {
  readonly dtype: DType;
  readonly dims: ReadonlyArray<Dim>;
  readonly most: number;
}

export interface Val extends ValueType {
  readonly name: string;
}

export const known = (size: number): Dim => ({ sizes: [size, size], isOpen: false });

/** Whether two dimensions have one size in each run. */
export const sameDim = (a: Dim, b: Dim): boolean =>
  a.sizes[0] === b.sizes[0] && a.sizes[1] === b.sizes[1];

/** A dimension computed from others; it has no name. */
export function computed(of: (...sizes: number[]) => number, ...dims: ReadonlyArray<Dim>): Dim {
  const at = (run: 0 | 1): number => of(...dims.map(({ sizes }) => sizes[run]));
  return { sizes: [at(0), at(1)], isOpen: dims.some(({ isOpen }) => isOpen) };
}

/** The size of a dimension that is not open. */
export const sizeOf = (dim: Dim | undefined): number | undefined =>
  dim === undefined || dim.isOpen ? undefined : dim.sizes[0];

/** The dimension at an axis, from the end if negative. */
export function dimAt({ dims }: Pick<Val, 'dims'>, axis: number): Dim {
  const dim = dims.at(axis);
  if (dim === undefined) throw new Error(`no axis ${axis}`);
  return dim;
}

/** The type of an elementwise result. */
export const like = (x: Val, most: number = x.most): ValueType => ({
  dtype: x.dtype,
  dims: x.dims,
  most,
});

export interface Spread {
  readonly low: number;
  readonly high: number;
}

/** Builds a graph; all names are its own. */
export interface Builder {
  readonly draw: Draw;
  readonly opset: number;
  readonly input: (dtype: DType, dims: ReadonlyArray<Dim>, spread?: Spread) => Val;
  /** A drawn constant, as an initializer or a node Constant. */
  readonly weight: (dtype: DType, sizes: ReadonlyArray<number>, spread?: Spread) => Val;
  readonly constant: (t: Tensor) => Val;
  /** A constant list of int64. */
  readonly ints: (...values: ReadonlyArray<number>) => Val;
  /** A constant of rank 0. */
  readonly scalar: (value: number, dtype: DType) => Val;
  readonly node: (
    opType: string,
    inputs: ReadonlyArray<Val | undefined>,
    type: ValueType,
    attributes?: Attributes,
  ) => Val;
  /** A node with several outputs; `undefined` is an absent optional one. */
  readonly nodes: <T extends ReadonlyArray<ValueType | undefined>>(
    opType: string,
    inputs: ReadonlyArray<Val | undefined>,
    types: T,
    attributes?: Attributes,
    domain?: string,
  ) => { readonly [K in keyof T]: T[K] extends ValueType ? Val : Val | undefined };
  readonly inner: (inputs: ReadonlyArray<Val>, results: () => ReadonlyArray<Val>) => GraphProto;
  /** A value for inputs of inner graphs. */
  readonly named: (type: ValueType) => Val;
  /** Another dimension with the sizes of this one, under another name. */
  readonly aliasOf: (dim: Dim) => Dim;
  /** Makes a value an output of the graph, also if nodes read it. */
  readonly keep: (x: Val) => void;
  readonly values: () => ReadonlyArray<Val>;
  readonly finish: (outputs: ReadonlyArray<Val>) => Case;
}

const irVersionOf = (opset: number): number => (opset >= 21 ? 10 : opset >= 19 ? 9 : 8);

/** Constants are nodes with this probability, as several exporters write them. */
const CONSTANT_NODES = 0.25;

/** Weights that hold one value everywhere. */
const UNIFORM = 0.06;

export function makeBuilder(draw: Draw, opset: number): Builder {
  const inputs = new Map<string, DrawnInput>();
  const initializers = new Map<string, Tensor>();
  const lists: NodeProto[][] = [[]];
  const values: Val[] = [];
  const kept: Val[] = [];
  let made = 0;
  const nameFor = (hint: string): string => `${hint}_${made++}`;
  const add = (node: NodeProto): void => void lists.at(-1)?.push(node);
  const constant = (t: Tensor): Val => {
    const value = constantVal(nameFor('const'), t);
    if (draw.chance(CONSTANT_NODES))
      add(nodeProto('Constant', [], [value.name], { value: { tensor: t } }));
    else initializers.set(value.name, t);
    return value;
  };
  const nodes: Builder['nodes'] = (opType, operands, types, attributes, domain) => {
    const results = types.map((type) => type && { ...type, name: nameFor(opType) });
    const names = results.map((value) => value?.name ?? '');
    add(nodeProto(opType, trimmed(operands.map((x) => x?.name ?? '')), names, attributes, domain));
    if (lists.length === 1) values.push(...results.filter((value) => value !== undefined));
    return results as never;
  };
  return {
    draw,
    opset,
    input: (dtype, dims, spread) => {
      const name = nameFor('in');
      const at = (run: 0 | 1): Tensor =>
        drawn(
          draw,
          dtype,
          dims.map(({ sizes }) => sizes[run]),
          spread,
        );
      const value = { name, dtype, dims, most: mostOf(dtype, spread) };
      inputs.set(name, [value, at(0), at(1)]);
      return value;
    },
    weight: (dtype, sizes, spread) => {
      // Exporters write some weights with one value: those of a fresh normalization.
      const one = draw.chance(UNIFORM) ? drawn(draw, dtype, [1], spread) : undefined;
      return constant(one === undefined ? drawn(draw, dtype, sizes, spread) : filled(one, sizes));
    },
    constant,
    ints: (...list) => constant(tensor(list, [list.length], 'int64')),
    scalar: (value, dtype) => constant(tensor([value], [], dtype)),
    node: (opType, operands, type, attributes) =>
      nodes(opType, operands, [type] as const, attributes)[0],
    nodes,
    inner: (params, results) => {
      lists.push([]);
      const outputs = results();
      const own = lists.pop() ?? [];
      return plainGraph(nameFor('graph'), own, params.map(infoOf), outputs.map(rankless));
    },
    named: (type) => ({ ...type, name: nameFor('inner') }),
    aliasOf: (dim) => (dim.isOpen ? { ...dim, name: nameFor('dim') } : dim),
    keep: (x) => void kept.push(x),
    values: () => values,
    finish: (outputs) => {
      const all = [...new Set([...kept, ...outputs])];
      return finished({
        opset,
        inputs: [...inputs.values()],
        nodes: lists[0] ?? [],
        initializers,
        outputs: all,
      });
    },
  };
}

type DrawnInput = readonly [Val, Tensor, Tensor];

interface Parts {
  readonly opset: number;
  readonly inputs: ReadonlyArray<DrawnInput>;
  readonly nodes: ReadonlyArray<NodeProto>;
  readonly initializers: ReadonlyMap<string, Tensor>;
  readonly outputs: ReadonlyArray<Val>;
}

function finished({ opset, inputs, nodes, initializers, outputs }: Parts): Case {
  const graph: GraphProto = {
    name: 'hunted',
    nodes,
    inputs: inputs.map(([value]) => infoOf(value)),
    outputs: outputs.map(infoOf),
    initializers: [...initializers].map(([name, t]) => tensorProto(name, t)),
    sparseInitializers: [],
  };
  const opsetImports = [{ domain: '', version: opset }];
  const isOpen = inputs.some(([{ dims }]) => dims.some((dim) => dim.isOpen));
  const sample = (run: 1 | 2) =>
    new Map(inputs.map((entry) => [entry[0].name, entry[run]] as const));
  return {
    model: {
      irVersion: irVersionOf(opset),
      producer: ['hunt', '1'],
      opsetImports,
      graph,
      functions: [],
    },
    samples: isOpen ? [sample(1), sample(2)] : [sample(1)],
    dims: openSizes(inputs.map(([value]) => value)),
  };
}

/** The sizes of open dimensions, as an import names them. */
const openSizes = (inputs: ReadonlyArray<Val>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    inputs.flatMap(({ name, dims }) =>
      dims.flatMap((dim, axis) =>
        dim.isOpen ? [[dim.name ?? `${name}:${axis}`, dim.sizes[0]]] : [],
      ),
    ),
  );

const trimmed = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.slice(0, names.findLastIndex((name) => name !== '') + 1);

const constantVal = (name: string, t: Tensor): Val => ({
  name,
  dtype: t.dtype,
  dims: t.shape.map(known),
  most: Math.max(1, ...Array.from(toNumbers(t).subarray(0, 64), Math.abs)),
});

const dimensionOf = (dim: Dim): DimensionProto => (dim.isOpen ? dim.name : dim.sizes[0]);

const infoOf = ({ name, dtype, dims }: Val): ValueInfoProto => ({
  name,
  type: { _tag: 'Tensor', elemType: elementNumber(dtype), shape: dims.map(dimensionOf) },
});

/** Exporters state no shape of the results of branches. */
const rankless = ({ name, dtype }: Val): ValueInfoProto => ({
  name,
  type: { _tag: 'Tensor', elemType: elementNumber(dtype), shape: undefined },
});

const DEFAULTS: Readonly<Partial<Record<DType, Spread>>> = {
  bool: { low: 0, high: 1 },
  uint8: { low: 0, high: 255 },
  int8: { low: -128, high: 127 },
};

const spreadOf = (dtype: DType, spread: Spread | undefined): Spread =>
  spread ?? DEFAULTS[dtype] ?? (isFloat(dtype) ? { low: -2, high: 2 } : { low: -9, high: 9 });

function mostOf(dtype: DType, spread: Spread | undefined): number {
  const { low, high } = spreadOf(dtype, spread);
  return Math.max(Math.abs(low), Math.abs(high));
}

const filled = (one: Tensor, sizes: ReadonlyArray<number>): Tensor =>
  tensor(Array(shapeSize(sizes)).fill(toNumbers(one)[0]), sizes, one.dtype);

function drawn(draw: Draw, dtype: DType, sizes: ReadonlyArray<number>, spread?: Spread): Tensor {
  const { low, high } = spreadOf(dtype, spread);
  const one = isFloat(dtype) ? () => low + (high - low) * draw.next() : () => draw.int(low, high);
  return tensor(Array.from({ length: shapeSize(sizes) }, one), sizes, dtype);
}
