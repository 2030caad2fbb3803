/** Gradients against differences: the test of differentiation. */
import { expandGradients } from '@baton/autodiff';
import { isLeft, mulberry32, type Random } from '@baton/base';
import { evaluate, type Value } from '@baton/executor';
import {
  call,
  constant,
  copyFunction,
  type Expr,
  func,
  globalVar,
  type IRModule,
  inferTypes,
  scalarType,
  type Type,
  tupleGetItem,
  typeOf,
  variable,
  withFunctions,
} from '@baton/ir';
import { callOp } from '@baton/ops';
import { fromNumbers, isDType, isFloat, shapeSize, type Tensor, toNumbers } from '@baton/tensor';
import { inputsFor } from '../fuzz/inputs.ts';

/** How to differentiate, and on which arguments. */
export interface GradientCheckOptions {
  /** @defaultValue `higher_order` */
  readonly mode?: 'higher_order' | 'first_order';
  readonly seed?: number;
  readonly directions?: number;
  /** The step of differences, relative to 1. */
  readonly step?: number;
  /** The derivative that is compared: 2 takes differences of first gradients. */
  readonly order?: 1 | 2;
  readonly tolerance?: number;
}

/** The outcome: nothing to differentiate, agreement, or a description of the difference. */
export type GradientCheck =
  | { readonly _tag: 'Nothing'; readonly reason: string }
  | { readonly _tag: 'Agrees' }
  | { readonly _tag: 'Differs'; readonly found: string };

/**
 * Compares the gradient of `main`, whose parameters and results are tensors, with central
 * differences along random directions. The results are weighted with random numbers and summed.
 *
 * Where the differences of two step sizes disagree there is a corner, and nothing is compared.
 */
export function checkGradient(m: IRModule, options: GradientCheckOptions = {}): GradientCheck {
  const { seed = 1, directions = 2, step = 2 ** -17, tolerance = 1e-4 } = options;
  const mode = options.mode ?? 'higher_order';
  const random = mulberry32(seed);
  const typed = inferTypes(m);
  if (isLeft(typed)) return { _tag: 'Nothing', reason: typed.left[0].message };
  const objective = withObjective(typed.right, random);
  if (objective === undefined) return { _tag: 'Nothing', reason: 'no result of floats' };
  const params = objective.functions.get('objective')?.params ?? [];
  const floats = params.map((v) => isFloatTensor(v.typeAnnotation));
  if (!floats.includes(true)) return { _tag: 'Nothing', reason: 'no parameter of floats' };
  const marked = withGradient(objective, mode, options.order ?? 1, random);
  const expanded = expandGradients(marked);
  if (isLeft(expanded)) return { _tag: 'Nothing', reason: expanded.left[0].message };
  const main = m.functions.get('main');
  const given = main === undefined ? [] : inputsFor(main, seed);
  const at = (shift: number, way: ReadonlyArray<Value>, entry: string) =>
    evaluate(expanded.right, moved(given, way, shift), { entry });
  let compared = 0;
  for (let i = 0; i < directions; i++) {
    const way = given.map((value, k) => (floats[k] ? direction(value, random) : value));
    const known = at(0, way, 'grad');
    if (isLeft(known)) return { _tag: 'Differs', found: `fails: ${known.left[0].message}` };
    const slope = along(known.right, way, floats);
    const difference = (by: number): number => {
      const [up, down] = [by, -by].map((shift) => scalarOf(at(shift, way, 'value')));
      return ((up ?? Number.NaN) - (down ?? Number.NaN)) / (2 * by);
    };
    const [coarse, fine] = [difference(step), difference(step / 4)];
    const scale = Math.max(1, Math.abs(fine), Math.abs(slope));
    if (!(Math.abs(coarse - fine) <= 0.1 * tolerance * scale)) continue;
    compared++;
    if (Math.abs(slope - fine) <= tolerance * scale) continue;
    return { _tag: 'Differs', found: `gradient ${slope}, differences ${fine}` };
  }
  return compared > 0 ? { _tag: 'Agrees' } : { _tag: 'Nothing', reason: CORNER };
}

const CORNER = 'the differences of two steps disagree';

const isFloatTensor = (type: Type | undefined): boolean =>
  type?._tag === 'TensorType' &&
  typeof type.dtype === 'string' &&
  isDType(type.dtype) &&
  isFloat(type.dtype);

/** The module with `objective`: the weighted sum of the floats of `main`. */
function withObjective(m: IRModule, random: Random): IRModule | undefined {
  const main = m.functions.get('main');
  const type = main && typeOf(m, main.body);
  if (main === undefined || type === undefined) return undefined;
  const result = main.body;
  const fields = type._tag === 'TupleType' ? type.fields : [type];
  const terms = fields.flatMap((field, i): Expr[] => {
    const part = type._tag === 'TupleType' ? tupleGetItem(result, i) : result;
    if (!isFloatTensor(field) || field._tag !== 'TensorType' || '_tag' in field.shape) return [];
    const sizes = field.shape.filter((dim) => typeof dim === 'number');
    if (sizes.length !== field.shape.length) return [];
    return [weighted(m, part, sizes, random)];
  });
  const [first, ...rest] = terms;
  if (first === undefined) return undefined;
  const body = rest.reduce((total, term) => callOp(m.ops, 'add', [total, term]), first);
  const objective = copyFunction(func(main.params, body, { retType: scalarType('float64') }));
  return withFunctions(m, new Map([...m.functions, ['objective', objective]]));
}

function weighted(m: IRModule, part: Expr, sizes: ReadonlyArray<number>, random: Random): Expr {
  const numbers = Array.from({ length: shapeSize(sizes) }, () => random() * 2 - 1);
  const weights = constant(fromNumbers(numbers, sizes, 'float64'));
  const wide = callOp(m.ops, 'cast', [part], { dtype: 'float64' });
  return callOp(m.ops, 'sum', [callOp(m.ops, 'multiply', [wide, weights])]);
}

/** The module with `value`, and `grad`, its gradients. */
function withGradient(m: IRModule, mode: string, order: 1 | 2, random: Random): IRModule {
  const objective = m.functions.get('objective');
  const params = (): ReadonlyArray<ReturnType<typeof variable>> =>
    (objective?.params ?? []).map((v) => variable(v.nameHint, v.typeAnnotation));
  const marker = (name: string) => callOp(m.ops, 'gradient', [globalVar(name)], { mode });
  const gradients = (name: string, of: ReadonlyArray<Expr>) =>
    tupleGetItem(call(marker(name), of), 1);
  const functions = new Map(m.functions);
  if (order === 1) {
    const own = params();
    functions.set('value', func(own, call(globalVar('objective'), own)));
  } else {
    const own = params();
    const found = gradients('objective', own);
    const terms = own.flatMap((v, i): Expr[] => {
      const type = v.typeAnnotation;
      if (!isFloatTensor(type) || type?._tag !== 'TensorType' || '_tag' in type.shape) return [];
      const sizes = type.shape.filter((dim) => typeof dim === 'number');
      return [weighted(m, tupleGetItem(found, i), sizes, random)];
    });
    const [first, ...rest] = terms;
    const body = rest.reduce((total, term) => callOp(m.ops, 'add', [total, term]), first as Expr);
    functions.set('value', func(own, body, { retType: scalarType('float64') }));
  }
  const own = params();
  functions.set('grad', func(own, gradients(order === 1 ? 'objective' : 'value', own)));
  return withFunctions(m, functions);
}

const asTensor = (value: Value): Tensor | undefined =>
  value._tag === 'Tensor' ? value : undefined;

function direction(value: Value, random: Random): Value {
  const tensor = asTensor(value);
  if (tensor === undefined) return value;
  const numbers = Array.from(toNumbers(tensor), () => random() * 2 - 1);
  return fromNumbers(numbers, tensor.shape, tensor.dtype);
}

function moved(
  given: ReadonlyArray<Value>,
  way: ReadonlyArray<Value>,
  by: number,
): ReadonlyArray<Value> {
  return given.map((value, i) => {
    const [tensor, other] = [asTensor(value), asTensor(way[i] ?? value)];
    if (by === 0 || tensor === undefined || other === undefined || other === tensor) return value;
    const steps = toNumbers(other);
    const numbers = Array.from(toNumbers(tensor), (n, k) => n + by * (steps[k] as number));
    return fromNumbers(numbers, tensor.shape, tensor.dtype);
  });
}

function along(found: Value, way: ReadonlyArray<Value>, floats: ReadonlyArray<boolean>): number {
  if (found._tag !== 'Tuple') return Number.NaN;
  return found.fields.reduce((total, field, i) => {
    const [gradient, steps] = [asTensor(field), asTensor(way[i] ?? field)];
    if (!floats[i] || gradient === undefined || steps === undefined) return total;
    const numbers = toNumbers(steps);
    return Array.from(toNumbers(gradient)).reduce(
      (sum, g, k) => sum + g * (numbers[k] as number),
      total,
    );
  }, 0);
}

const scalarOf = (found: ReturnType<typeof evaluate>): number => {
  if (isLeft(found) || found.right._tag !== 'Tensor') return Number.NaN;
  return toNumbers(found.right)[0] as number;
};
