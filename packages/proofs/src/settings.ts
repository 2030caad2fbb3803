/** The calls of one operator whose data take every value of a type of 8 bits, and its parameters typical ones. */
import type { Attrs, AttrValue, OpTable } from '@baton/ir';
import { examplesColumn, kindColumn } from '@baton/ops';
import {
  type CallPattern,
  isAttrHole,
  type Pattern,
  type Rule,
  subpatterns,
} from '@baton/rewrites';
import {
  type DType,
  dtypeInfo,
  fromNumbers,
  type Shape,
  shapeSize,
  type Tensor,
  zeros,
} from '@baton/tensor';
import { attributeText } from './attributes.ts';
import { type AttrHoles, type FoundCalls, type Typed, typed } from './calls.ts';
import { type Role, rolesOf } from './roles.ts';

/** A hole for a tensor. */
interface Input {
  readonly name: string;
  readonly role: Role;
}

/** A call of the left side of a rule whose parameters have no values yet. */
export interface Setting {
  readonly left: CallPattern;
  readonly attrs: Attrs;
  /** What the holes for attributes stand for. */
  readonly holes: AttrHoles;
  /** What of the data is tried: every value of each, or every pair of values. */
  readonly unit: 'value' | 'pair of values';
  readonly data: ReadonlyMap<string, Tensor>;
  /** The parameters: zeros of their types. */
  readonly parameters: ReadonlyMap<string, Tensor>;
}

/** The types all of whose values are tried. */
const SMALL_TYPES: ReadonlyArray<DType> = ['int8', 'uint8'];

/** The types of scales. */
const REALS: ReadonlyArray<DType> = ['float32', 'float64'];

/**
 * The settings of a rule whose operators work element by element, or move elements; none for other
 * rules, and where an element depends on more than two.
 */
export function settingsOf(
  { equations }: Rule,
  ops: OpTable,
  calls: FoundCalls,
): ReadonlyArray<Setting> {
  const [{ left, right }] = equations;
  if (equations.length > 1 || left._tag !== 'Call') return [];
  const kinds = [left, right]
    .flatMap(subpatterns)
    .flatMap((p) => (p._tag === 'Call' ? [ops.read(kindColumn, p.op)] : []));
  if (!kinds.every((kind) => kind === 'elementwise' || kind === 'movement')) return [];
  const inputs = inputsOf(left, ops);
  const names = inputs.map(({ name }) => name);
  const isApart = inputs.length > 0 && new Set(names).size === names.length;
  const moves = ops.read(kindColumn, left.op) === 'movement';
  return isApart ? typesOf(inputs, moves).flatMap((types) => callsOf(left, types, ops, calls)) : [];
}

/** The inputs of a call whose arguments are holes, and tuples of holes; none for other calls. */
function inputsOf({ op, args }: CallPattern, ops: OpTable): ReadonlyArray<Input> {
  const roles = rolesOf(ops, op);
  const parts = args.flatMap((arg, i) =>
    (arg._tag === 'Tuple' ? arg.fields : [arg]).map((part) => [part, roles?.[i]] as const),
  );
  const found = parts.flatMap(([part, role]) =>
    part._tag === 'Hole' && role !== undefined ? [{ name: part.name, role }] : [],
  );
  return found.length < parts.length ? [] : found;
}

/** Tensors by the names of inputs. */
type Types = Pick<Setting, 'data' | 'parameters' | 'unit'>;

/** The tensors to try: data of each type, and parameters that are numbers, or lie along an axis. */
function typesOf(inputs: ReadonlyArray<Input>, moves: boolean): ReadonlyArray<Types> {
  const data = inputs.filter(({ role }) => role === 'data');
  const others = inputs.filter(({ role }) => role !== 'data');
  const places = others.flatMap((one, i) => others.slice(i).map((other) => [one, other]));
  return REALS.flatMap((real) =>
    choices(data.length, SMALL_TYPES).flatMap((dtypes) => {
      const types = (along: ReadonlyArray<Input>, shapes: ReadonlyArray<Shape>): Types => ({
        unit: data.length === 1 || moves ? 'value' : 'pair of values',
        data: new Map(
          data.map(({ name }, i) => [name, everyValue(shapes[i] ?? [], dtypes[i] as DType)]),
        ),
        parameters: new Map(
          others.map((one) => {
            const shape = along.includes(one) ? [ROWS] : [];
            return [one.name, zeros(shape, one.role === 'scale' ? real : 'int32')];
          }),
        ),
      });
      const whole = shapesOf(data.length, moves).map((shapes) => types([], shapes));
      const isOne = data.length === 1 && !moves;
      return isOne ? [...whole, ...places.map((along) => types(along, [[ROWS, VALUES]]))] : whole;
    }),
  );
}

/** The values of a type of 8 bits. */
const VALUES = 256;
/** The places along an axis with parameters. */
const ROWS = 2;

/** The shapes of data in which all their values meet. */
function shapesOf(count: number, moves: boolean): ReadonlyArray<ReadonlyArray<Shape>> {
  const alike = (shape: Shape): ReadonlyArray<Shape> => new Array<Shape>(count).fill(shape);
  if (moves) return [alike([VALUES]), alike([16, VALUES / 16])];
  if (count === 1) return [alike([VALUES])];
  return count === 2 ? [[[VALUES, 1], [VALUES]]] : [];
}

/** All lists of this number of elements. */
function choices<T>(length: number, from: ReadonlyArray<T>): ReadonlyArray<ReadonlyArray<T>> {
  let all: ReadonlyArray<ReadonlyArray<T>> = [[]];
  for (let i = 0; i < length; i++) all = all.flatMap((list) => from.map((one) => [...list, one]));
  return all;
}

/** A tensor with the values of a type one after another, again and again. */
function everyValue(shape: Shape, dtype: DType): Tensor {
  const least = Number(dtypeInfo(dtype).min);
  const values = Array.from({ length: shapeSize(shape) }, (_, i) => least + (i % VALUES));
  return fromNumbers(values, shape, dtype);
}

/** The well-typed calls with tensors of these types, each with what its attributes are. */
function callsOf(
  left: CallPattern,
  types: Types,
  ops: OpTable,
  calls: FoundCalls,
): ReadonlyArray<Setting> {
  const tensorOf = ({ name }: { readonly name: string }): Tensor =>
    (types.data.get(name) ?? types.parameters.get(name)) as Tensor;
  const typedOf = (p: Pattern): Typed =>
    typed(
      p._tag === 'Tuple'
        ? p.fields.flatMap((field) => (field._tag === 'Hole' ? [tensorOf(field)] : []))
        : tensorOf(p as typeof p & { readonly name: string }),
    );
  const args = left.args.map(typedOf);
  const found = new Map<string, Setting>();
  for (const holes of givenHoles(left, ops)) {
    const { valid } = calls.of(left, { args, holes, sizes: [], most: Number.POSITIVE_INFINITY });
    for (const { attrs, bound } of valid) {
      const key = attributeText(attrs);
      found.set(key, { left, attrs, holes: new Map([...holes, ...bound]), ...types });
    }
  }
  return [...found.values()];
}

/** No values for the holes for attributes, and those that the examples of the operator have. */
function givenHoles({ op, attrs }: CallPattern, ops: OpTable): ReadonlyArray<AttrHoles> {
  const examples = ops.read(examplesColumn, op) ?? [];
  const stated = examples.flatMap(({ attrs: given = {} }) => {
    const own = [...attrs].flatMap(([name, p]): ReadonlyArray<readonly [string, AttrValue]> => {
      const value = (given as Attrs)[name];
      return isAttrHole(p) && value !== undefined ? [[p.name, value]] : [];
    });
    return own.length === 0 ? [] : [new Map(own)];
  });
  return [new Map(), ...stated];
}
