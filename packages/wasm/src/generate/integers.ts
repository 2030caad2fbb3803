/**
 * Integers of at most 32 bits, four at once. As in the reference, nodes are computed without bounds and
 * wrap where they are stored: a node whose low bits do not follow from those of its operands has
 * operands that have not wrapped.
 */
import type { NodeName, Scalar } from '@baton/ops';
import { type DType, dtypeInfo } from '@baton/tensor';
import { i32x4, type Value, v128 } from '../emit/index.ts';
import type { Form } from './forms.ts';

type Vector = Value<'v128'>;

const TYPES: ReadonlyArray<DType> = ['int8', 'uint8', 'int16', 'uint16', 'int32'];

/** Whether numbers of a type are computed as integers of 32 bits. */
export const isInteger32 = (dtype: DType): boolean => TYPES.includes(dtype);

/** An integer in all lanes. */
export const integerSplat = (value: number): Vector => v128.const(new Int32Array(4).fill(value));

const unary = (code: (x: Vector) => Vector): Form => ({
  takes: 'ints',
  gives: 'ints',
  accuracy: 'exact',
  code: ([x]) => code(x as Vector),
});

const binary = (
  code: (a: Vector, b: Vector) => Vector,
  gives: 'ints' | 'masks' = 'ints',
): Form => ({
  takes: 'ints',
  gives,
  accuracy: 'exact',
  code: ([a, b]) => code(a as Vector, b as Vector),
});

/** A shift by a constant. */
const shift = (code: typeof i32x4.shl): Form => ({
  takes: 'ints',
  gives: 'ints',
  accuracy: 'exact',
  code: ([x], _, [, distance]) =>
    code(x as Vector, distance?._tag === 'Constant' ? distance.value & 31 : 0),
});

const same = unary((x) => x);

/** The forms of nodes of integers. */
export const INTEGER_FORMS: { readonly [Name in NodeName]?: Form } = {
  neg: unary(i32x4.neg),
  abs: unary(i32x4.abs),
  ...{ floor: same, ceil: same, trunc: same, rint: same, wrap: same },
  add: binary(i32x4.add),
  sub: binary(i32x4.sub),
  mul: binary(i32x4.mul),
  min: binary(i32x4.minS),
  max: binary(i32x4.maxS),
  and: binary(v128.and),
  or: binary(v128.or),
  xor: binary(v128.xor),
  not: unary(v128.not),
  shiftLeft: shift(i32x4.shl),
  shiftRight: shift(i32x4.shrS),
  equal: binary(i32x4.eq, 'masks'),
  notEqual: binary(i32x4.ne, 'masks'),
  less: binary(i32x4.ltS, 'masks'),
  lessEqual: binary(i32x4.leS, 'masks'),
};

/** Nodes that give an integer as it is. */
const AS_IT_IS = ['wrap', 'floor', 'ceil', 'trunc', 'rint'] as const;

/** Nodes of bits, which neither carry nor borrow. */
const OF_BITS = ['and', 'or', 'xor', 'not'] as const;

/** Nodes whose low bits depend on the low bits of their operands alone. */
const OF_LOW_BITS: ReadonlySet<NodeName> = new Set<NodeName>([
  ...AS_IT_IS,
  ...OF_BITS,
  ...(['neg', 'add', 'sub', 'mul', 'shiftLeft'] as const),
]);

/** Nodes that give an integer of 32 bits for such operands. */
const WITHIN: ReadonlySet<NodeName> = new Set<NodeName>([
  ...AS_IT_IS,
  ...OF_BITS,
  ...(['min', 'max', 'shiftRight'] as const),
]);

/** Whether 32 bits hold the value without wrapping, for operands of the same sort. */
export function isWithin(expr: Scalar): boolean {
  if (expr._tag === 'Constant') return Math.abs(expr.value) < 2 ** 31;
  if (expr._tag !== 'Operation') return true;
  if (expr.name === 'wrap') return true;
  if (expr.name === 'select') return expr.args.slice(1).every(isWithin);
  return WITHIN.has(expr.name) && expr.args.every(isWithin);
}

/** Whether a node has the bits of the reference, where each of its operands wraps. */
export function areBitsKept({ name, args }: Extract<Scalar, { _tag: 'Operation' }>): boolean {
  const isShift = name === 'shiftLeft' || name === 'shiftRight';
  if (isShift && args[1]?._tag !== 'Constant') return false;
  return OF_LOW_BITS.has(name) || args.every(isWithin);
}

/** An integer modulo the numbers of a type. */
export function wrappedTo(dtype: DType, vector: Vector): Vector {
  const { bits, kind } = dtypeInfo(dtype);
  if (bits === 32) return vector;
  if (kind === 'uint') return v128.and(vector, integerSplat(2 ** bits - 1));
  return i32x4.shrS(i32x4.shl(vector, 32 - bits), 32 - bits);
}
