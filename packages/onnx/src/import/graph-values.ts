/** The initial values of a graph: inputs and initializers, by name. */
import {
  type Diagnostic,
  type Diagnostics,
  fail,
  isLeft,
  nodeSpan,
  type Result,
  right,
} from '@baton/base';
import { constant, type Expr, isStaticDim, tensorType, tuple, type Var, variable } from '@baton/ir';
import { isTensor, MAX_RANK, type Tensor } from '@baton/tensor';
import {
  badDimSize,
  badInputType,
  duplicateName,
  located,
  rankBeyondLimit,
  unknownElementType,
  wrongConstant,
} from '../diagnostics.ts';
import type { Problems } from '../problems.ts';
import { elementType } from '../protobuf/element-type.ts';
import type {
  GraphProto,
  SparseTensorProto,
  TensorProto,
  TypeProto,
  ValueInfoProto,
} from '../protobuf/messages.ts';
import type { Assumed } from './attempts.ts';
import { type Dimensions, dimensionName, makeDimensions } from './dimensions.ts';
import { suppliedWeight } from './filled.ts';
import type { ImportOptions, KnownValue, WeightSource } from './options.ts';
import { denseOf } from './sparse.ts';
import { tensorInfo, tensorOf } from './tensors.ts';

/** The state of reading the values. */
export interface ValueState {
  readonly options: ImportOptions;
  readonly weights: WeightSource;
  readonly source: string;
  readonly problems: Problems;
  /** The inputs with a default that stay inputs. */
  readonly defaults: ReadonlySet<string>;
}

/** The inputs and initializers of a graph. */
export interface GraphValues {
  readonly params: ReadonlyArray<Var>;
  /** The names of the parameters' dimensions without a size. */
  readonly openDims: ReadonlyArray<string>;
  /** The optional inputs that are stated to be absent. */
  readonly absent: ReadonlySet<string>;
  /**
   * The value of this name, if the graph has one: an initializer is read at its first use.
   * `undefined` after reporting a failure.
   */
  readonly get: (name: string) => Expr | undefined;
  /** Whether the graph has a value of this name, even one that cannot be read. */
  readonly has: (name: string) => boolean;
}

/**
 * The graph's values. IR version 3 lists every initializer as an input too; these are constants.
 * In later versions the caller may override them: they are parameters if the state says so. An input that cannot be a parameter,
 * such as one of texts, is a problem if it is used; otherwise it is left out.
 */
export function graphValues(
  state: ValueState,
  graph: GraphProto,
  dimensions: Dimensions = makeDimensions(state.options),
): GraphValues {
  const { problems } = state;
  const initializers = new Map<string, TensorProto>();
  for (const tensor of graph.initializers) {
    if (initializers.has(tensor.name)) {
      problems.add(duplicateName(tensor.name, nodeSpan(state.source, tensor.name, INITIALIZER)));
    }
    initializers.set(tensor.name, tensor);
  }
  const sparse = new Map(graph.sparseInitializers.map((proto) => [proto.values.name, proto]));
  const values = new Map<string, Expr>();
  const params: Var[] = [];
  const openDims = new Set<string>();
  const absent = new Set<string>();
  const refused = new Map<string, Diagnostics>();
  for (const input of graph.inputs) {
    const hasValue = initializers.has(input.name) || sparse.has(input.name);
    if (hasValue && !state.defaults.has(input.name)) continue;
    const known = knownValue(state.options, input.name);
    if (known === null) absent.add(input.name);
    if (isSequence(known)) {
      const span = nodeSpan(state.source, input.name, 'input');
      values.set(
        input.name,
        tuple(
          known.map((tensor) => constant(tensor, span)),
          span,
        ),
      );
    }
    if (isTensor(known) && input.type?._tag !== 'Tensor') {
      values.set(input.name, constant(known, nodeSpan(state.source, input.name, 'input')));
      continue;
    }
    if (known === null || isSequence(known)) continue;
    const made = parameter(input, dimensions, state);
    if (isLeft(made)) {
      refused.set(input.name, made.left);
      continue;
    }
    const param = made.right;
    if (values.has(input.name)) {
      problems.add(duplicateName(input.name, nodeSpan(state.source, input.name, 'input')));
    }
    const bound = boundConstant(state, param);
    if (bound === undefined) {
      params.push(param);
      for (const name of openDimsOf(state.options, input)) openDims.add(name);
    }
    values.set(input.name, bound ?? param);
  }
  return {
    params,
    openDims: [...openDims],
    absent,
    has: (name) =>
      values.has(name) || initializers.has(name) || sparse.has(name) || refused.has(name),
    get: (name) => {
      const known = values.get(name);
      problems.add(...(refused.get(name) ?? []));
      const proto = initializers.get(name);
      const scattered = sparse.get(name);
      if (known !== undefined || (proto === undefined && scattered === undefined)) return known;
      const tensor =
        proto === undefined ? sparseInitializer(state, scattered) : initializer(state, proto);
      if (tensor === undefined) return undefined;
      const made = constant(tensor, nodeSpan(state.source, name, INITIALIZER));
      values.set(name, made);
      return made;
    },
  };
}

/** The operator in the span of an initializer. */
const INITIALIZER = 'Initializer';

function initializer(state: ValueState, proto: TensorProto): Tensor | undefined {
  const { problems } = state;
  const span = nodeSpan(state.source, proto.name, INITIALIZER);
  const info = tensorInfo(proto, span);
  if (isLeft(info)) {
    problems.add(...info.left);
    return undefined;
  }
  const { shape, dtype } = info.right;
  const supplied = located(suppliedWeight(state, proto.name, shape, dtype), span);
  if (!isLeft(supplied) && supplied.right !== undefined) return supplied.right;
  const tensor = isLeft(supplied) ? supplied : tensorOf(proto, span, state.options);
  if (isLeft(tensor)) problems.add(...tensor.left);
  return isLeft(tensor) ? undefined : tensor.right;
}

function sparseInitializer(
  state: ValueState,
  proto: SparseTensorProto | undefined,
): Tensor | undefined {
  if (proto === undefined) return undefined;
  const span = nodeSpan(state.source, proto.values.name, INITIALIZER);
  const tensor = denseOf(proto, state.options, span);
  if (isLeft(tensor)) state.problems.add(...tensor.left);
  return isLeft(tensor) ? undefined : tensor.right;
}

/** The dimensions of the inputs. Constants in the options say the sizes of their names. */
export function dimensionsOf(
  options: ImportOptions,
  graph: GraphProto,
  { equal, sizes }: Pick<Assumed, 'equal' | 'sizes'>,
): Dimensions {
  const dims = { ...Object.fromEntries(sizes), ...options.dims };
  const dimensions = makeDimensions({ ...options, dims }, equal);
  for (const { name, type } of graph.inputs) {
    const value = knownValue(options, name);
    if (!isTensor(value) || type?._tag !== 'Tensor') continue;
    for (const [axis, dim] of (type.shape ?? []).entries()) {
      const open = dimensionName(name, axis, dim);
      const size = value.shape[axis];
      if (open !== undefined && size !== undefined) dimensions.bind(open, size);
    }
  }
  return dimensions;
}

/** A type that no parameter has, in words. */
function foundType(type: TypeProto): string {
  if (type._tag === 'Other') return type.what;
  if (type._tag === 'Tensor') return 'no shape';
  return type.container === 'sequence' ? 'a sequence' : 'an optional value';
}

/** The parameter of an input, or the reason why it cannot be one. */
function parameter(input: ValueInfoProto, dimensions: Dimensions, state: ValueState): Result<Var> {
  const refuse = (problem: Diagnostic): Result<Var> => fail(problem);
  const span = nodeSpan(state.source, input.name, 'input');
  const { type } = input;
  if (type?._tag !== 'Tensor' || type.shape === undefined) {
    const found = type === undefined ? 'no type' : foundType(type);
    return refuse(badInputType(input.name, found, span));
  }
  const element = elementType(type.elemType);
  if (element === undefined) return refuse(unknownElementType(type.elemType, span));
  if (type.shape.length > MAX_RANK) return refuse(rankBeyondLimit(type.shape.length, span));
  const shape = type.shape.map((dim, axis) => dimensions.of(input.name, axis, dim));
  const bad = shape.filter(isStaticDim).find((dim) => !isSize(dim));
  if (bad !== undefined) return refuse(badDimSize(input.name, bad, span));
  return right(variable(input.name, tensorType(shape, element.dtype), span));
}

/** The names of an input's dimensions without a size. */
const openDimsOf = ({ dims = {} }: ImportOptions, { name, type }: ValueInfoProto) =>
  (type?._tag === 'Tensor' ? (type.shape ?? []) : [])
    .flatMap((dim, axis) => dimensionName(name, axis, dim) ?? [])
    .filter((known) => !Object.hasOwn(dims, known));

/** What the caller states of an input, if anything. */
const knownValue = ({ constants = {} }: ImportOptions, name: string): KnownValue | undefined =>
  Object.hasOwn(constants, name) ? constants[name] : undefined;

const isSequence = (value: KnownValue | undefined): value is ReadonlyArray<Tensor> =>
  Array.isArray(value);

/** The constant that the caller binds an input to, if any. */
function boundConstant(state: ValueState, param: Var): Expr | undefined {
  const { problems } = state;
  const name = param.nameHint;
  const value = knownValue(state.options, name);
  if (!isTensor(value)) return undefined;
  const span = nodeSpan(state.source, name, 'input');
  const type = param.typeAnnotation;
  if (type?._tag === 'TensorType' && !('_tag' in type.shape)) {
    const fits =
      type.dtype === value.dtype &&
      type.shape.length === value.shape.length &&
      type.shape.every((dim, axis) => !isStaticDim(dim) || dim === value.shape[axis]);
    if (!fits) problems.add(wrongConstant(name, value, span));
  }
  return constant(value, span);
}

const isSize = (dim: number): boolean => Number.isSafeInteger(dim) && dim >= 0;
