/**
 * The loss of range or digits in constants that a step computes from constants. In float16 the
 * reciprocal of 1e-5 is infinite, and the reciprocal of 65504 has only nine of its eleven bits.
 */
import { isLeft, remember } from '@baton/base';
import { type Constant, type Expr, type IRModule, postOrderExprs, typeOf } from '@baton/ir';
import { evaluateCall, evaluateOp, isOpCall, kindColumn, type OpCall } from '@baton/ops';
import {
  cast,
  type DType,
  dtypeInfo,
  isBig,
  isDType,
  isFloat,
  isTensor,
  readNumber,
  scalar,
  spacingOf,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import { constantOf } from '../rule/matched-value.ts';
import { computed, isCompileTime } from './fold.ts';
import { partsOf } from './parts.ts';

/** Float types for storage only are too narrow to compute in. */
const COARSE = { leastNormal: 1, epsilon: 1 };

/** The least positive number of a float type that has all its digits. */
export const leastNormal = (dtype: DType): number => (spacingOf(dtype) ?? COARSE).leastNormal;

/** Whether programs often leave the range of a float type. */
export const isNarrow = (dtype: DType): boolean => isFloat(dtype) && dtypeInfo(dtype).bytes < 4;

/** The largest relative error of a number with all its digits: half a unit in the last place. */
const toleranceOf = (dtype: DType): number => (1.001 / 2) * (spacingOf(dtype) ?? COARSE).epsilon;

/** Whether a type holds a number with all its digits; a 64-bit integer only if a double holds it. */
export function holds(dtype: DType, value: number): boolean {
  if (isBig(dtype)) return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (!isFloat(dtype)) return true;
  const size = Math.abs(value);
  const isSpecial = value === 0 || !Number.isFinite(value);
  return (
    isSpecial ||
    (size >= leastNormal(dtype) && Number.isFinite(readNumber(scalar(value, dtype), 0)))
  );
}

/** The special values of a tensor of floats. */
interface Specials {
  readonly allFinite: boolean;
  readonly hasZero: boolean;
  /** Whether some number has fewer digits than its type. */
  readonly hasSubnormal: boolean;
}

const specials = new WeakMap<Tensor, Specials>();

/** The special values of a tensor, in one loop: it may be large. */
export const specialsIn = (data: Tensor): Specials =>
  remember(specials, data, () => {
    const values = toNumbers(data);
    const least = isFloat(data.dtype) ? leastNormal(data.dtype) : 0;
    let allFinite = true;
    let hasZero = false;
    let hasSubnormal = false;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      if (value === 0) hasZero = true;
      else if (value - value !== 0) allFinite = false;
      else if (value < least && value > -least) hasSubnormal = true;
    }
    return { allFinite, hasZero, hasSubnormal };
  });

/**
 * Whether a float constant that a call of constants is lost a value: one overflows, becomes 0 or has
 * fewer digits than it would have in a wider type. A step that computes such a constant changes the
 * result of the program.
 */
export function losesValue(
  m: IRModule,
  { data }: Constant,
  call: Expr,
  args: ReadonlyArray<Expr>,
): boolean {
  if (!isFloat(data.dtype) || !isOpCall(call)) return false;
  const { allFinite, hasZero, hasSubnormal } = specialsIn(data);
  if (allFinite && !hasZero && !hasSubnormal) return false;
  const given = args.map(constantOf).filter((value) => value !== undefined);
  const exact = widened(m, call, given);
  if (exact !== undefined) return differs(data, exact);
  const parts = given.map(specialsIn);
  if (!allFinite) return parts.every((part) => part.allFinite);
  if (SUMS.has(call.op.name)) return false;
  return (
    (hasZero && parts.every((part) => !part.hasZero)) ||
    (hasSubnormal && parts.every((part) => !part.hasSubnormal))
  );
}

/** A sum of floats is small only if its terms cancel, and then nothing is lost. */
const SUMS: ReadonlySet<string> = new Set(['add', 'subtract']);

/** The value of a call in float64; `undefined` if its result has no wider type. */
function widened(m: IRModule, call: OpCall, given: ReadonlyArray<Tensor>): Tensor | undefined {
  if (given.length < call.args.length || given.some(({ dtype }) => dtype === 'float64')) {
    return undefined;
  }
  const wide = given.map((part) => (isFloat(part.dtype) ? cast(part, 'float64') : part));
  const value = evaluateCall(m.ops, call, wide);
  if (isLeft(value) || !isTensor(value.right)) return undefined;
  return value.right.dtype === 'float64' ? value.right : undefined;
}

/**
 * Whether some number is not the exact one. In a tensor of several long axes, such as the weight of a
 * product, a number is compared with the largest ones in its slices: their sum has no more digits.
 */
function differs(data: Tensor, exact: Tensor): boolean {
  const [made, wanted] = [toNumbers(data), toNumbers(exact)];
  const isMatrix = data.shape.filter((size) => size > 1).length > 1;
  const sizeAt = isMatrix ? leastOfLargest(wanted, data.shape) : undefined;
  const tolerance = toleranceOf(data.dtype);
  const least = leastNormal(data.dtype);
  return made.some((value, i) => {
    const right = wanted[i] as number;
    if (value === right || !Number.isFinite(right)) return false;
    if (!Number.isFinite(value)) return true;
    if (Math.abs(value) >= least) return false;
    return sizeAt === undefined || Math.abs(value - right) > tolerance * sizeAt(i);
  });
}

/** For each element: the maximum of its slice along each axis, and the least of these maxima. */
function leastOfLargest(
  values: ArrayLike<number>,
  shape: ReadonlyArray<number>,
): (index: number) => number {
  let inner = 1;
  const axes = [...shape].reverse().map((size) => {
    const stride = inner;
    inner *= size;
    const largest = new Float64Array(size);
    for (let i = 0; i < values.length; i++) {
      const at = Math.floor(i / stride) % size;
      largest[at] = Math.max(largest[at] as number, Math.abs(values[i] as number));
    }
    return { stride, size, largest };
  });
  const long = axes.filter(({ size }) => size > 1);
  return (index) =>
    Math.min(
      ...long.map(
        ({ stride, size, largest }) => largest[Math.floor(index / stride) % size] as number,
      ),
    );
}

/**
 * Whether a constant that a rule computed is out of its type's range though the constants of the match
 * are not: an infinite reciprocal, or an epsilon that becomes 0.
 */
export function isOutOfRange(made: Tensor, matched: Iterable<Expr>): boolean {
  if (!isFloat(made.dtype)) return false;
  const { allFinite, hasSubnormal } = specialsIn(made);
  if (allFinite && !hasSubnormal) return false;
  const parts = [...matched].flatMap((expr) => constantOf(expr) ?? []).map(specialsIn);
  return (
    (!allFinite && parts.every((part) => part.allFinite)) ||
    (hasSubnormal && parts.every((part) => !part.hasSubnormal))
  );
}

/** The least and the largest absolute value in a constant, zeros left out. */
interface Sizes {
  readonly least: number;
  readonly most: number;
}

const knownSizes = new WeakMap<Expr, Sizes | 'unknown'>();

/**
 * Whether a call of constants that is computed later, because it is large, will lose a value. It is
 * computed here, as its arguments are, only if its numbers may leave their range.
 *
 * **Complexity** linear in the constants, once for each expression.
 */
export function losesLater(m: IRModule, call: Expr): boolean {
  if (!isOpCall(call) || !isCompileTime(m, call)) return false;
  for (const node of postOrderExprs(
    [call],
    (expr) => knownSizes.has(expr) || !isCompileTime(m, expr),
  )) {
    if (!knownSizes.has(node)) knownSizes.set(node, sizesOf(m, node) ?? 'unknown');
  }
  const sizes = knownSizes.get(call);
  return remember(losing, call, () => {
    const [dtype] = call.args.flatMap((arg) => elementTypeOf(m, arg) ?? []);
    if (dtype === undefined || !isFloat(dtype)) return false;
    const isInside =
      sizes === undefined ||
      sizes === 'unknown' ||
      (sizes.least >= leastNormal(dtype) && sizes.most <= Number(dtypeInfo(dtype).max));
    if (isInside) return false;
    const args = call.args.map((arg) => computed(m, arg));
    const value = computed(m, call);
    return value._tag === 'Constant' && losesValue(m, value, call, args);
  });
}

/** The element type of an expression, if it is a tensor. */
function elementTypeOf(m: IRModule, expr: Expr): DType | undefined {
  const type = typeOf(m, expr);
  if (type?._tag !== 'TensorType') return constantOf(expr)?.dtype;
  const { dtype } = type;
  return typeof dtype === 'string' && isDType(dtype) ? dtype : undefined;
}

/** The value of an expression that a compiler can compute. */
export const constantIn = (m: IRModule, expr: Expr): Tensor | undefined =>
  constantOf(isCompileTime(m, expr) ? computed(m, expr) : expr);

/** Whether a tensor's elements have sizes between two bounds. */
export const areSized = (data: Tensor, least: number, most: number): boolean =>
  toNumbers(data).every((value) => Math.abs(value) >= least && Math.abs(value) <= most);

const losing = new WeakMap<Expr, boolean>();

/** The bounds of the absolute values of an expression of constants, from those of its parts. */
function sizesOf(m: IRModule, node: Expr): Sizes | undefined {
  const data = constantOf(node);
  if (data !== undefined) return sizesIn(data);
  const parts = partsOf(node).map((part) => knownSizes.get(part));
  const found = parts.filter((part) => part !== 'unknown' && part !== undefined);
  if (found.length < parts.length || found.length === 0) return undefined;
  if (!isOpCall(node) || m.ops.read(kindColumn, node.op.name) === 'movement') {
    return unionOf(found);
  }
  if (m.ops.read(kindColumn, node.op.name) !== 'elementwise') return undefined;
  // Where an operator is monotone its extremes are those of the extremes of its arguments.
  const corners = found.reduce<ReadonlyArray<ReadonlyArray<number>>>(
    (lists, { least, most }) =>
      lists.flatMap((list) => [
        [...list, least],
        [...list, most],
      ]),
    [[]],
  );
  const values = corners.flatMap((corner) => {
    const args = corner.map((value) => scalar(value, 'float64'));
    const value = evaluateOp(m.ops, node.op.name, node.attrs, args, node.span);
    const isNumber = !isLeft(value) && isTensor(value.right) && value.right.shape.length === 0;
    return isNumber ? [Math.abs(readNumber(value.right, 0))] : [];
  });
  return values.length < corners.length
    ? undefined
    : { least: Math.min(...values), most: Math.max(...values) };
}

const unionOf = (sizes: ReadonlyArray<Sizes>): Sizes => ({
  least: Math.min(...sizes.map(({ least }) => least)),
  most: Math.max(...sizes.map(({ most }) => most)),
});

function sizesIn(data: Tensor): Sizes | undefined {
  if (!isFloat(data.dtype)) return undefined;
  const values = toNumbers(data);
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i] as number);
    if (size !== 0 && size < least) least = size;
    if (size > most) most = size;
  }
  return most === 0 ? { least: 1, most: 1 } : { least, most };
}
