/**
 * Scalar expressions on four elements at once, or on two doubles. A number is a float32, a float64 or an
 * integer of 32 bits, which stands for those of fewer bits, too; a truth is a mask, all bits of its lane or
 * none. The sum, difference, product, quotient or root of two floats is the float that the reference
 * stores: it rounds twice, from a double, which changes nothing. Of doubles each step is that of the reference.
 */

import { invariant, present } from '@baton/base';
import {
  type Apply,
  type Element,
  isWithinType,
  type Load,
  nodesOf,
  type Product,
  rangeBefore,
  rangeOf,
} from '@baton/lower';
import type { Fold, NodeName, Scalar } from '@baton/ops';
import type { DType } from '@baton/tensor';
import { type FunctionBuilder, f32x4, f64x2, i32x4, type Value, v128 } from '../emit/index.ts';
import { doublesOf, splatOf } from '../kernels/lanes.ts';
import { type Approximation, erf, exp, log, tanh } from './approximate.ts';
import { fixedPointOf, fixedPointProduct } from './fixed-point.ts';
import type { Form, Lanes } from './forms.ts';
import {
  areBitsKept,
  INTEGER_FORMS,
  integerSplat,
  isInteger32,
  isWithin,
  wrappedTo,
} from './integers.ts';
import { power, quarterPower } from './power.ts';
import { magnitudeOf, negated } from './signs.ts';
import { isNeverMinusZero } from './zeros.ts';

type Vector = Value<'v128'>;

/** The number types whose lanes hold floats. */
type FloatType = 'float32' | 'float64';

/** The instructions on the floats of a type. */
export const FLOAT_LANES = {
  float32: { ...f32x4, kind: 'floats', count: 4, splat: splatOf },
  float64: { ...f64x2, kind: 'doubles', count: 2, splat: doublesOf },
} as const;

/** The type of floats whose instructions compute numbers of a type. */
export const floatTypeOf = (dtype: DType): FloatType =>
  dtype === 'float64' ? 'float64' : 'float32';

/** Numbers. */
export const floats = (vector: Vector, of: FloatType = 'float32'): Lanes => ({
  kind: FLOAT_LANES[of].kind,
  vector,
});

/** The lanes of a dtype in storage. uint32 is moved, and not computed with. */
export function kindOf(dtype: DType): Lanes['kind'] {
  if (dtype === 'float32' || dtype === 'float64') return FLOAT_LANES[dtype].kind;
  if (dtype === 'bool') return 'masks';
  return isInteger32(dtype) ? 'ints' : 'bits';
}

/** Whether elements of a type can be loaded and stored. */
export const isMovable = (dtype: DType): boolean => kindOf(dtype) !== 'bits' || dtype === 'uint32';

/** Whether the element can be computed in vectors: all of its lanes are as wide. */
export function isVectorElement(element: Element): boolean {
  if (areDoubles(element) === undefined) return false;
  const kinds = new Map<Element, Lanes['kind'] | undefined>();
  for (const node of nodesOf(element)) kinds.set(node, kindOfNode(node, kinds));
  return kinds.get(element) !== undefined;
}

/** Whether the numbers of an element are doubles; `undefined` if only some are. */
function areDoubles(element: Element): boolean | undefined {
  const nodes = nodesOf(element);
  const types = nodes.flatMap(typesOf).filter((dtype) => dtype !== 'bool');
  if (!types.includes('float64')) return false;
  // The windows of a nest tell how many lanes its vectors have.
  const isInMemory = nodes.some(
    (node) => (node._tag === 'Load' || node === element) && typesOf(node).at(-1) === 'float64',
  );
  return types.every((dtype) => dtype === 'float64') && isInMemory ? true : undefined;
}

const typesOf = (node: Element): ReadonlyArray<DType> => {
  if (node._tag === 'Load') return [node.window.dtype];
  return node._tag === 'Apply' ? [node.of, node.dtype] : [node.dtype];
};

/**
 * Whether each expression gives the very float that the reference stores: it rounds at most once, in
 * its last step.
 */
export const isExactElement = (element: Element): boolean =>
  nodesOf(element).every(
    (node) =>
      node._tag !== 'Apply' ||
      isInteger32(node.of) ||
      node.of === 'float64' ||
      isExactScalar(node.expr),
  );

function isExactScalar(expr: Scalar): boolean {
  if (expr._tag === 'Constant') return Object.is(Math.fround(expr.value), expr.value);
  if (expr._tag !== 'Operation') return true;
  const form: Form | undefined = FORMS[expr.name];
  if (form?.accuracy === 'approximate') return false;
  const isOfOperand = expr.name === 'select' || form?.isOfOperand === true;
  return expr.args.every((arg) => isExactScalar(arg) && (isOfOperand || roundings(arg) === 0));
}

/** The number of operations in an expression that round, or approximate. */
function roundings(expr: Scalar): number {
  if (expr._tag !== 'Operation' || isFraction(expr)) return 0;
  const isExact = (FORMS[expr.name]?.accuracy ?? 'exact') === 'exact';
  return expr.args.reduce((sum, arg) => sum + roundings(arg), isExact ? 0 : 1);
}

/** x − trunc(x), which is exact: its bits are some of those of x. */
function isFraction({ name, args: [x, whole] }: Extract<Scalar, { _tag: 'Operation' }>): boolean {
  if (name !== 'sub' || x?._tag !== 'Argument' || whole?._tag !== 'Operation') return false;
  const [of] = whole.args;
  return whole.name === 'trunc' && of?._tag === 'Argument' && of.name === x.name;
}

function kindOfNode(
  node: Element,
  kinds: ReadonlyMap<Element, Lanes['kind'] | undefined>,
): Lanes['kind'] | undefined {
  if (node._tag === 'Load') {
    return isMovable(node.window.dtype) ? kindOf(node.window.dtype) : undefined;
  }
  if (node._tag === 'Product' || node._tag === 'Literal') return kindOf(node.dtype);
  const args = node.args.map((arg) => kinds.get(arg));
  if (fixedPointOf(node) !== undefined) {
    return args.every((kind) => kind === 'ints') ? 'ints' : undefined;
  }
  const kind = kindOfScalar(node.expr, args, node.of);
  return isMovable(node.dtype) && isConverted(node, kind) ? kindOf(node.dtype) : undefined;
}

/** Whether there is code that makes elements of the type of a node from lanes of a kind. */
function isConverted({ expr, of, dtype, args }: Apply, kind: Lanes['kind'] | undefined): boolean {
  const to = kindOf(dtype);
  if (kind === 'bits') return to === 'bits' && of === dtype;
  if (kind === undefined || to === 'bits') return false;
  if (kind === to) return true;
  if (kind === 'masks') return to !== 'doubles';
  // An integer that has wrapped is another float, or truth.
  if (kind === 'ints') return isWithin(expr);
  // The bits of a float out of range are not those that an instruction gives.
  return (
    to === 'ints' &&
    isWithinType(
      rangeBefore(
        expr,
        args.map((arg) => rangeOf(arg)),
      ),
      'int32',
    )
  );
}

/** The lanes of an expression; `undefined` if a node has no form in vectors of such operands. */
function kindOfScalar(
  expr: Scalar,
  args: ReadonlyArray<Lanes['kind'] | undefined>,
  of: DType,
): Lanes['kind'] | undefined {
  switch (expr._tag) {
    case 'Argument':
      return args['xyz'.indexOf(expr.name)];
    case 'Constant':
      return isInteger32(of) ? 'ints' : FLOAT_LANES[floatTypeOf(of)].kind;
    case 'Width':
      return undefined;
    case 'Operation': {
      const kinds = expr.args.map((arg) => kindOfScalar(arg, args, of));
      if (expr.name === 'select') {
        const [condition, a, b] = kinds;
        return condition === undefined || condition === 'bits' || a !== b ? undefined : a;
      }
      if (isInteger32(of) && !areBitsKept(expr)) return undefined;
      const form = formOf(expr.name, of);
      if (form === undefined || !kinds.every((kind) => kind === form.takes)) return undefined;
      // trunc(x / y): a quotient that is rounded up to a whole number would be one too large.
      const isStep = form.accuracy === 'exact' && form.isOfOperand !== true && of !== 'float64';
      if (isStep && expr.args.some((arg) => roundings(arg) > 0)) return undefined;
      return form.gives;
    }
  }
}

/** The form of a node in a type. */
const formOf = (name: NodeName, of: DType): Form | undefined => {
  if (isInteger32(of)) return INTEGER_FORMS[name];
  return (of === 'float64' ? DOUBLE_FORMS : FORMS)[name];
};

type Binary = (a: Vector, b: Vector) => Vector;

type Forms = { readonly [Name in NodeName]?: Form };

const approximate = (code: Approximation): Form => ({
  takes: 'floats',
  gives: 'floats',
  accuracy: 'approximate',
  code: ([x], f) => code(x as Vector, f),
});

const binary =
  (parts: Omit<Form, 'code'>) =>
  (code: Binary): Form => ({ ...parts, code: ([a, b]) => code(a as Vector, b as Vector) });

/** The forms that floats of both types have. */
function formsOf({ kind, splat, ...lanes }: (typeof FLOAT_LANES)[FloatType]): Forms {
  const unary = (code: (x: Vector) => Vector, isOfOperand = false): Form => ({
    ...{ takes: kind, gives: kind, accuracy: 'exact', isOfOperand },
    code: ([x]) => code(x as Vector),
  });
  const arithmetic = binary({ takes: kind, gives: kind, accuracy: 'rounded' });
  const extreme = binary({ takes: kind, gives: kind, accuracy: 'exact', isOfOperand: true });
  const comparison = binary({ takes: kind, gives: 'masks', accuracy: 'exact' });
  const logical = binary({ takes: 'masks', gives: 'masks', accuracy: 'exact' });
  return {
    neg: unary((x) => negated(x, splat), true),
    abs: unary((x) => magnitudeOf(x, splat), true),
    floor: unary(lanes.floor),
    ceil: unary(lanes.ceil),
    trunc: unary(lanes.trunc),
    rint: unary(lanes.nearest),
    sqrt: { ...unary(lanes.sqrt), accuracy: 'rounded' },
    wrap: unary((x) => x, true),
    add: arithmetic(lanes.add),
    sub: arithmetic(lanes.sub),
    mul: arithmetic(lanes.mul),
    div: arithmetic(lanes.div),
    min: extreme(lanes.min),
    max: extreme(lanes.max),
    equal: comparison(lanes.eq),
    notEqual: comparison(lanes.ne),
    less: comparison(lanes.lt),
    lessEqual: comparison(lanes.le),
    and: logical(v128.and),
    or: logical(v128.or),
    xor: logical(v128.xor),
    not: logical((x) => v128.not(x)),
  };
}

const DOUBLE_FORMS = formsOf(FLOAT_LANES.float64);

const FORMS: Forms = {
  ...formsOf(FLOAT_LANES.float32),
  exp: approximate(exp),
  log: approximate(log),
  tanh: approximate(tanh),
  erf: approximate(erf),
  pow: {
    takes: 'floats',
    gives: 'floats',
    accuracy: 'approximate',
    code: ([x, y], f) => power(x as Vector, y as Vector, f),
  },
};

/**
 * The code of an element; each node is computed once. `loaded` gives the lanes of loads, and of the
 * product. */
export function elementCode(
  element: Element,
  loaded: (leaf: Load | Product) => Lanes,
  f: FunctionBuilder,
): Lanes {
  const known = new Map<Element, Lanes>();
  const nodes = nodesOf(element);
  const uses = countsOf(nodes.flatMap((node) => (node._tag === 'Apply' ? node.args : [])));
  for (const node of nodes) {
    if (node._tag === 'Load' || node._tag === 'Product') known.set(node, loaded(node));
    else if (node._tag === 'Literal') known.set(node, constantLanes(node.value, node.dtype));
    else {
      const args = node.args.map((arg) => known.get(arg) as Lanes);
      const lanes = applied(node, args, node === element, f);
      const factors = uses.get(node) === 1 ? lanes.factors : undefined;
      known.set(node, { ...lanes, vector: f.let(lanes.vector), factors });
    }
  }
  return known.get(element) as Lanes;
}

const constantLanes = (value: number, dtype: DType): Lanes => ({
  kind: kindOf(dtype),
  vector: isInteger32(dtype) ? integerSplat(value) : FLOAT_LANES[floatTypeOf(dtype)].splat(value),
  isSame: true,
  isNeverMinusZero: !Object.is(value, -0),
});

/** The code of a node; what the last one gives is stored, which takes the low bits alone. */
function applied(
  node: Apply,
  args: ReadonlyArray<Lanes>,
  isLast: boolean,
  f: FunctionBuilder,
): Lanes {
  const rounding = fixedPointOf(node);
  if (rounding !== undefined) {
    return { kind: 'ints', vector: fixedPointProduct(rounding, args, f) };
  }
  const { expr, of, dtype } = node;
  const lanes = scalarCode(expr, args, f, of);
  const to = kindOf(dtype);
  if (to !== 'ints') return to === lanes.kind ? lanes : converted(lanes, to);
  const range = rangeBefore(
    expr,
    node.args.map((arg) => rangeOf(arg)),
  );
  const isWrapped = isLast || isWithinType(range, dtype);
  const whole = lanes.kind === 'ints' ? lanes : converted(lanes, to);
  return isWrapped ? whole : { kind: to, vector: wrappedTo(dtype, whole.vector) };
}

/** Lanes of one kind as another. */
function converted({ kind, vector }: Lanes, to: Lanes['kind']): Lanes {
  if (to === 'masks') return { kind: to, vector: isNotZero(vector) };
  const whole = kind === 'masks' ? asBit(vector) : vector;
  if (to === 'floats') return floats(f32x4.convertI32x4S(whole));
  return { kind: to, vector: kind === 'floats' ? i32x4.truncSatF32x4S(vector) : whole };
}

/** How often each item occurs. */
function countsOf<A>(items: ReadonlyArray<A>): ReadonlyMap<A, number> {
  const counts = new Map<A, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** The code of an expression of operands that are cheap to compute again. */
export function scalarCode(
  root: Scalar,
  args: ReadonlyArray<Lanes>,
  f: FunctionBuilder,
  of: DType = 'float32',
): Lanes {
  const known = new Map<Scalar, Lanes>();
  const uses = usesIn(root);
  const codeOf = (expr: Scalar): Lanes => {
    const made = known.get(expr);
    if (made !== undefined) return made;
    if (expr._tag === 'Argument') {
      const lanes = args['xyz'.indexOf(expr.name)] as Lanes;
      return { ...lanes, factors: uses.get(expr.name) === 1 ? lanes.factors : undefined };
    }
    if (expr._tag === 'Constant')
      return constantLanes(expr.value, isInteger32(of) ? of : floatTypeOf(of));
    invariant(expr._tag === 'Operation', 'an operation');
    const operands = expr.args.map(codeOf);
    const lanes = operationCode(expr, operands, f, of);
    const vectors = operands.map(({ vector }) => vector);
    const isProduct = expr.name === 'mul' && (expr === root || uses.get(expr) === 1);
    const factors = isProduct
      ? (vectors as readonly Vector[] as readonly [Vector, Vector])
      : undefined;
    const kept = { ...lanes, vector: f.let(lanes.vector), factors };
    known.set(expr, kept);
    return kept;
  };
  return codeOf(root);
}

/** How often an expression uses its parts, and its arguments by their names. */
function usesIn(root: Scalar): ReadonlyMap<Scalar | string, number> {
  const counts = new Map<Scalar | string, number>();
  const visit = (expr: Scalar): void => {
    if (expr._tag !== 'Operation') return;
    for (const arg of expr.args) {
      const key = arg._tag === 'Argument' ? arg.name : arg;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (counts.get(key) === 1) visit(arg);
    }
  };
  visit(root);
  if (root._tag === 'Argument') counts.set(root.name, 1);
  return counts;
}

function operationCode(
  expr: Extract<Scalar, { _tag: 'Operation' }>,
  args: ReadonlyArray<Lanes>,
  f: FunctionBuilder,
  of: DType,
): Lanes {
  if (expr.name === 'select') {
    const [condition, a, b] = args as readonly [Lanes, Lanes, Lanes];
    const isTrue = {
      masks: (x: Vector) => x,
      ints: isNotZero,
      floats: (x: Vector) => f32x4.ne(x, splatOf(0)),
      doubles: (x: Vector) => f64x2.ne(x, doublesOf(0)),
    };
    invariant(condition.kind !== 'bits', 'a condition is a truth or a number');
    const mask = isTrue[condition.kind](condition.vector);
    return { kind: a.kind, vector: v128.bitselect(a.vector, b.vector, mask) };
  }
  const form: Form = present(formOf(expr.name, of));
  const vectors = args.map(({ vector }) => vector);
  if (form.takes === 'ints') return { kind: form.gives, vector: form.code(vectors, f, expr.args) };
  const isTurned = expr.args[0]?._tag === 'Constant' && form.isOfOperand === true;
  const inOrder = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> =>
    isTurned ? items.toReversed() : items;
  const isShort = of !== 'float64';
  const shorter = isShort ? SHORTER[expr.name]?.(inOrder(args), inOrder(expr.args), f) : undefined;
  const fused = isShort && f.isFused ? FUSED[expr.name]?.(args, expr.args) : undefined;
  return {
    kind: form.gives,
    vector: fused ?? shorter ?? form.code(vectors, f, expr.args),
    isNeverMinusZero: isNeverMinusZero(expr, (i) => args[i]?.isNeverMinusZero === true),
  };
}

/** Sums and differences that take a product in, and are rounded once. */
const FUSED: {
  readonly [Name in NodeName]?: (
    lanes: ReadonlyArray<Lanes>,
    args: ReadonlyArray<Scalar>,
  ) => Vector | undefined;
} = {
  add: ([a, b]) => {
    if (a?.factors) return f32x4.relaxedMadd(...a.factors, (b as Lanes).vector);
    return b?.factors && f32x4.relaxedMadd(...b.factors, (a as Lanes).vector);
  },
  sub: ([a, b], [, subtracted]) => {
    if (b?.factors) return f32x4.relaxedNmadd(...b.factors, (a as Lanes).vector);
    return a?.factors && subtracted?._tag === 'Constant'
      ? f32x4.relaxedMadd(...a.factors, splatOf(-subtracted.value))
      : undefined;
  },
};

/**
 * Shorter code where the second operand is a constant. The greater and the lesser take an instruction,
 * where those of two numbers take eight: NaN comes from the number alone, and of the two zeros only +0
 * is a constant, to which −0 is added where it may occur. Common powers are roots and products.
 */
const SHORTER: {
  readonly [Name in NodeName]?: (
    lanes: ReadonlyArray<Lanes>,
    args: ReadonlyArray<Scalar>,
    f: FunctionBuilder,
  ) => Vector | undefined;
} = {
  max: (lanes, [, bound]) => {
    if (!isPlain(bound)) return undefined;
    const [x, y] = lanes as readonly [Lanes, Lanes];
    const larger = f32x4.pmax(x.vector, y.vector);
    return bound.value === 0 && !x.isNeverMinusZero ? f32x4.add(larger, y.vector) : larger;
  },
  min: ([x, y], [, bound]) =>
    isPlain(bound) ? f32x4.pmin((x as Lanes).vector, (y as Lanes).vector) : undefined,
  pow: ([x], [, exponent], f) =>
    exponent?._tag === 'Constant'
      ? quarterPower((x as Lanes).vector, exponent.value, f)
      : undefined,
};

/** Whether it is a constant other than NaN and −0. */
const isPlain = (expr: Scalar | undefined): expr is Extract<Scalar, { _tag: 'Constant' }> =>
  expr?._tag === 'Constant' && !Number.isNaN(expr.value) && !Object.is(expr.value, -0);

/** Whether a fold of floats of a type can be computed in vectors. */
export const isVectorFold = ({ step }: Fold, of: FloatType): boolean => {
  const { kind } = FLOAT_LANES[of];
  return kindOfScalar(step, [kind, kind], of) === kind;
};

/** Whether a fold gives the same in any order. */
export const isExactFold = ({ step }: Fold): boolean => roundings(step) === 0;

/** A mask as the integer 0 or 1. */
export const asBit = (mask: Vector): Vector =>
  v128.and(mask, v128.const(new Int32Array(4).fill(1)));

const isNotZero = (words: Vector): Vector => i32x4.ne(words, integerSplat(0));

/** Four bytes, each 0 or 1, in the low lanes, as masks. */
export const masksOf = isNotZero;
