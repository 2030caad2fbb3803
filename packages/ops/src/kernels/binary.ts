/**
 * The elementwise operators of two operands
 * ([operators §2](https://batonjs.github.io/baton/spec/operators#2)), on integers as decision
 * [D16](https://batonjs.github.io/baton/spec/decisions#D16) says: division by 0 gives 0, what is
 * too large wraps, shifts count modulo the width.
 */
import { type DType, dtypeInfo, heap, isFloat, type Memory, type Tensor } from '@baton/tensor';
import { type BinaryRule, mapBinary, select } from './elementwise.ts';
import { powBig, powFloat, powInt32 } from './power.ts';
import { binaryScalarRule, type ScalarRule } from './scalar-rule.ts';

/** A kernel of two operands of one type that broadcast. */
export interface BinaryKernel {
  (a: Tensor, b: Tensor, memory?: Memory): Tensor;
  /** The same on one element of each operand. */
  readonly scalar: (dtype: DType) => ScalarRule | undefined;
}

type OfNumbers = (x: number, y: number) => number;
type OfBigs = (x: bigint, y: bigint) => bigint;

/** a + b. */
export const add: BinaryKernel = arithmetic(
  (x, y) => x + y,
  (x, y) => x + y,
);
/** a − b. */
export const subtract: BinaryKernel = arithmetic(
  (x, y) => x - y,
  (x, y) => x - y,
);
/** a · b. */
export const multiply: BinaryKernel = arithmetic(
  (x, y) => x * y,
  (x, y) => x * y,
  Math.imul,
);
/** Floats: a / b. Integers: truncated toward 0. */
export const divide: BinaryKernel = arithmetic((x, y) => x / y, bigQuotient, intQuotient);
/** ⌊a / b⌋ */
export const floorDivide: BinaryKernel = arithmetic(
  (x, y) => Math.floor(x / y),
  (x, y) => (y === 0n ? 0n : (x - bigFloorMod(x, y)) / y),
  (x, y) => (y === 0 ? 0 : Math.floor(x / y)),
);
/** a / b toward 0. */
export const truncDivide: BinaryKernel = arithmetic(
  (x, y) => Math.trunc(x / y),
  bigQuotient,
  intQuotient,
);
/** The remainder of truncDivide, with the sign of a: `mod`, `trunc_mod`. */
export const truncMod: BinaryKernel = arithmetic(
  (x, y) => x % y,
  (x, y) => (y === 0n ? 0n : x % y),
  (x, y) => (y === 0 ? 0 : x % y),
);
/** The remainder of floorDivide, with the sign of b. */
export const floorMod: BinaryKernel = arithmetic(floorRemainder, bigFloorMod, (x, y) =>
  y === 0 ? 0 : floorRemainder(x, y),
);
/** Floats as IEEE 754's pow; integers wrap, and a negative exponent truncates toward 0. */
export const power: BinaryKernel = arithmetic(powFloat, powBig, powInt32);
/** NaN on either side gives NaN; 0 is greater than −0. */
export const maximum: BinaryKernel = arithmetic(Math.max, largerBig);
/** NaN on either side gives NaN; −0 is less than 0. */
export const minimum: BinaryKernel = arithmetic(Math.min, smallerBig);

/** a · 2^b, wrapped. */
export const leftShift: BinaryKernel = elementwise((dtype) => {
  const mask = dtypeInfo(dtype).bits - 1;
  return {
    number: (x, y) => x << (y & mask),
    big: (x, y) => x << (y & 63n),
  };
});
/** ⌊a / 2^b⌋: the sign is kept for signed types. */
export const rightShift: BinaryKernel = elementwise((dtype) => {
  const { bits, kind } = dtypeInfo(dtype);
  const mask = bits - 1;
  const number: OfNumbers =
    kind === 'uint' ? (x, y) => x >>> (y & mask) : (x, y) => x >> (y & mask);
  return { number, big: (x, y) => x >> (y & 63n) };
});

/** The bits set in both. */
export const bitwiseAnd: BinaryKernel = on({ number: (x, y) => x & y, big: (x, y) => x & y });
/** The bits set in either. */
export const bitwiseOr: BinaryKernel = on({ number: (x, y) => x | y, big: (x, y) => x | y });
/** The bits set in one of the two. */
export const bitwiseXor: BinaryKernel = on({ number: (x, y) => x ^ y, big: (x, y) => x ^ y });

/** Whether both are other than 0: bool. */
export const logicalAnd: BinaryKernel = logical((x, y) => (x !== 0 && y !== 0 ? 1 : 0));
/** Whether either is other than 0: bool. */
export const logicalOr: BinaryKernel = logical((x, y) => (x !== 0 || y !== 0 ? 1 : 0));
/** Whether just one is other than 0: bool. */
export const logicalXor: BinaryKernel = logical((x, y) => ((x !== 0) !== (y !== 0) ? 1 : 0));

/** a = b: bool. As in all comparisons but notEqual, NaN gives false. */
export const equal: BinaryKernel = comparison((x, y) => (x === y ? 1 : 0));
/** a ≠ b: bool, and true with NaN. */
export const notEqual: BinaryKernel = comparison((x, y) => (x !== y ? 1 : 0));
/** a < b: bool. */
export const less: BinaryKernel = comparison((x, y) => (x < y ? 1 : 0));
/** a ≤ b: bool. */
export const lessEqual: BinaryKernel = comparison((x, y) => (x <= y ? 1 : 0));
/** a > b: bool. */
export const greater: BinaryKernel = comparison((x, y) => (x > y ? 1 : 0));
/** a ≥ b: bool. */
export const greaterEqual: BinaryKernel = comparison((x, y) => (x >= y ? 1 : 0));

/** `x` where the condition is not 0, else `y`; all three broadcast. */
export const where = select;

/** x > 0 ? x : αx, with one α for each place along an axis. `alpha` broadcasts against `x`. */
export const prelu: BinaryKernel = arithmetic(
  (x, alpha) => (x > 0 ? x : alpha * x),
  (x, alpha) => (x > 0n ? x : alpha * x),
  (x, alpha) => (x > 0 ? x : Math.imul(alpha, x)),
);

/**
 * One rule for floats, one for 64-bit integers and one for the other integers, which if left out
 * is the floats': sums of 32-bit integers are exact in double. On bool, the result is whether it
 * is not 0.
 */
function arithmetic(float: OfNumbers, big: OfBigs, int: OfNumbers = float): BinaryKernel {
  const onBool: OfNumbers = (x, y) => (int(x, y) !== 0 ? 1 : 0);
  const rules = {
    float: { number: float, big },
    int: { number: int, big },
    bool: { number: onBool, big },
  };
  return elementwise((dtype) => rules[familyOf(dtype)]);
}

/** A kernel from its rule for each type; the result has type `out`, or the operands'. */
function elementwise(ruleOf: (dtype: DType) => BinaryRule, out?: DType): BinaryKernel {
  const map = (a: Tensor, b: Tensor, memory: Memory = heap): Tensor =>
    mapBinary(a, b, memory, ruleOf(a.dtype), out);
  const scalar = (dtype: DType) => binaryScalarRule(ruleOf(dtype), dtype, out ?? dtype);
  return Object.assign(map, { scalar });
}

const familyOf = (dtype: DType): 'float' | 'int' | 'bool' => {
  if (dtype === 'bool') return 'bool';
  return isFloat(dtype) ? 'float' : 'int';
};

function on(rule: BinaryRule): BinaryKernel {
  return elementwise(() => rule);
}

function logical(number: OfNumbers): BinaryKernel {
  return on({ number });
}

// Each operator brings its whole rule: what V8 sees in a function that wraps it, it sees for all.
function comparison(rule: (x: number | bigint, y: number | bigint) => number): BinaryKernel {
  const rules: BinaryRule = { number: rule, big: rule };
  return elementwise(() => rules, 'bool');
}

/** The quotient of 32-bit integers: double has the bits to truncate it rightly. */
function intQuotient(x: number, y: number): number {
  return y === 0 ? 0 : Math.trunc(x / y);
}

function bigQuotient(x: bigint, y: bigint): bigint {
  return y === 0n ? 0n : x / y;
}

function bigFloorMod(x: bigint, y: bigint): bigint {
  if (y === 0n) return 0n;
  const rest = x % y;
  return rest !== 0n && rest < 0n !== y < 0n ? rest + y : rest;
}

/** The larger of two bigints, which `Math.max` does not take. */
export function largerBig(x: bigint, y: bigint): bigint {
  if (x > y) return x;
  return y;
}

/** The smaller of two bigints. */
export function smallerBig(x: bigint, y: bigint): bigint {
  if (x < y) return x;
  return y;
}

/** From the exact remainder: a − b⌊a/b⌋ as written loses it for large quotients. */
function floorRemainder(x: number, y: number): number {
  const rest = x % y;
  return rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest;
}
