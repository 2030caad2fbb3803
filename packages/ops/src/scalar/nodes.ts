/**
 * The node kinds of scalar expressions. A kind is defined for families of element types, once as a
 * function and once as JavaScript text. Each definition is total, as decision
 * [D16](https://batonjs.github.io/baton/spec/decisions#D16) requires: an integer divided by 0 is 0.
 */
import { erf } from './erf.ts';
import { powBig, powFloat, powInt32 } from './power.ts';

/**
 * The element types that compute alike: those stored as numbers (floats, integers of at most 32
 * bits, bool), and the 64-bit integers, stored as bigints.
 */
export type Family = 'float' | 'int' | 'uint' | 'bool' | 'big';

/** A function of elements, numbers or bigints by storage. */
export type Apply = (...elements: number[]) => number;

/** The definition of a node: the text computes in `x`, `y` and `z` what the function does. */
export interface Meaning {
  readonly text: string;
  readonly apply: Apply;
}

/**
 * A kind of node, with its definitions; `uint` and `bool` compute as `int` unless they have their
 * own.
 */
export interface NodeKind extends Partial<Readonly<Record<Family | 'any', Meaning>>> {
  readonly arity: 1 | 2 | 3;
  /** Whether swapping the operands keeps every bit (all NaNs count as equal). */
  readonly commutes?: true;
  /**
   * Whether the value is a boolean, which is 0 or 1 in every family: always, or if its operands
   * are.
   */
  readonly truth?: 'always' | 'of truths';
  /** The text of a boolean as a condition. */
  readonly test?: string;
  /** Whether its value rounds, or jumps. Default: neither, on multiples of a power of two. */
  readonly numerics?: 'smooth' | 'discontinuous';
}

/** The functions that texts use, in addition to those of `Math`. */
export const NAMED = { erf, floorQuotient, powBig, powFloat, powInt32, rint };

const ITSELF = says('x', (x) => x);

export const NODES = {
  neg: { arity: 1, any: says('-x', (x) => -x) },
  abs: {
    arity: 1,
    float: says('Math.abs(x)', Math.abs),
    big: onBigs('x < 0n ? -x : x', (x) => (x < 0n ? -x : x)),
  },
  floor: rounding(ofMath('floor').float),
  ceil: rounding(ofMath('ceil').float),
  trunc: rounding(ofMath('trunc').float),
  /** To the nearest integer, halves to the even one. */
  rint: rounding(says('rint(x)', rint)),
  sqrt: ofMath('sqrt'),
  exp: ofMath('exp'),
  log: ofMath('log'),
  log2: ofMath('log2'),
  log10: ofMath('log10'),
  sin: ofMath('sin'),
  cos: ofMath('cos'),
  tan: ofMath('tan'),
  sinh: ofMath('sinh'),
  cosh: ofMath('cosh'),
  tanh: ofMath('tanh'),
  asin: ofMath('asin'),
  acos: ofMath('acos'),
  atan: ofMath('atan'),
  asinh: ofMath('asinh'),
  acosh: ofMath('acosh'),
  atanh: ofMath('atanh'),
  erf: { arity: 1, numerics: 'smooth', float: says('erf(x)', erf) },

  add: { arity: 2, commutes: true, any: says('x + y', (x, y) => x + y) },
  sub: { arity: 2, any: says('x - y', (x, y) => x - y) },
  mul: {
    arity: 2,
    commutes: true,
    any: says('x * y', (x, y) => x * y),
    int: says('Math.imul(x, y)', Math.imul),
  },
  div: {
    arity: 2,
    numerics: 'smooth',
    float: says('x / y', (x, y) => x / y),
    int: says('y === 0 ? 0 : Math.trunc(x / y)', (x, y) => (y === 0 ? 0 : Math.trunc(x / y))),
    big: onBigs('y === 0n ? 0n : x / y', (x, y) => (y === 0n ? 0n : x / y)),
  },
  floorDiv: {
    arity: 2,
    numerics: 'discontinuous',
    float: says('Math.floor(x / y)', (x, y) => Math.floor(x / y)),
    int: says('y === 0 ? 0 : Math.floor(x / y)', (x, y) => (y === 0 ? 0 : Math.floor(x / y))),
    big: onBigs('floorQuotient(x, y)', floorQuotient),
  },
  rem: {
    arity: 2,
    numerics: 'discontinuous',
    float: says('x % y', (x, y) => x % y),
    int: says('y === 0 ? 0 : x % y', (x, y) => (y === 0 ? 0 : x % y)),
    big: onBigs('y === 0n ? 0n : x % y', (x, y) => (y === 0n ? 0n : x % y)),
  },
  pow: {
    arity: 2,
    numerics: 'smooth',
    float: says('powFloat(x, y)', powFloat),
    int: says('powInt32(x, y)', powInt32),
    big: onBigs('powBig(x, y)', powBig),
  },
  min: {
    arity: 2,
    commutes: true,
    any: says('Math.min(x, y)', (x, y) => Math.min(x, y)),
    big: onBigs('x < y ? x : y', smallerBig),
  },
  max: {
    arity: 2,
    commutes: true,
    any: says('Math.max(x, y)', (x, y) => Math.max(x, y)),
    big: onBigs('x > y ? x : y', largerBig),
  },

  not: {
    arity: 1,
    int: says('~x', (x) => ~x),
    bool: says('x ^ 1', (x) => x ^ 1),
    big: onBigs('~x', (x) => ~x),
  },
  and: bits('x & y', (x, y) => x & y, 'x && y'),
  or: bits('x | y', (x, y) => x | y, 'x || y'),
  xor: bits('x ^ y', (x, y) => x ^ y, 'x !== y'),
  shiftLeft: { arity: 2, any: says('x << y', (x, y) => x << y) },
  shiftRight: {
    arity: 2,
    any: says('x >> y', (x, y) => x >> y),
    uint: says('x >>> y', (x, y) => x >>> y),
  },

  equal: symmetric('x === y', (x, y) => (x === y ? 1 : 0)),
  notEqual: symmetric('x !== y', (x, y) => (x !== y ? 1 : 0)),
  less: comparison('x < y', (x, y) => (x < y ? 1 : 0)),
  lessEqual: comparison('x <= y', (x, y) => (x <= y ? 1 : 0)),

  /** Stores an intermediate result as an integer of 32 or 64 bits. */
  wrap: {
    arity: 1,
    float: says('x', (x) => x),
    int: says('x | 0', (x) => x | 0),
    big: onBigs('BigInt.asIntN(64, x)', (x) => BigInt.asIntN(64, x)),
  },
  /** The second operand if the first, a boolean or a number, is not 0; else the third. */
  select: {
    arity: 3,
    numerics: 'discontinuous',
    any: says('x ? y : z', (x, y, z) => (x !== 0 ? y : z)),
  },
} as const satisfies Readonly<Record<string, NodeKind>>;

export function meaningOf(kind: NodeKind, family: Family): Meaning | undefined {
  const own = kind[family] ?? kind.any;
  if (family === 'big' || family === 'float') return own;
  return kind[family] ?? kind.int ?? kind.any ?? kind.float;
}

function says(text: string, apply: Apply): Meaning {
  return { text, apply };
}

function onBigs(text: string, apply: (...elements: bigint[]) => bigint): Meaning {
  // The elements of this family are bigints.
  return { text, apply: apply as unknown as Apply };
}

/** A function of `Math`, for numbers only. */
function ofMath(name: MathFunction) {
  return { arity: 1, numerics: 'smooth', float: says(`Math.${name}(x)`, Math[name]) } as const;
}

type MathFunction = {
  [Name in keyof Math]: Math[Name] extends (x: number) => number ? Name : never;
}[keyof Math] &
  string;

/** A function that leaves integers unchanged. */
function rounding(float: Meaning) {
  return { arity: 1, numerics: 'discontinuous', float, int: ITSELF, big: ITSELF } as const;
}

function comparison(test: string, apply: Apply) {
  return {
    arity: 2,
    truth: 'always',
    numerics: 'discontinuous',
    test,
    any: says(`${test} ? 1 : 0`, apply),
  } as const;
}

function symmetric(test: string, apply: Apply) {
  return { ...comparison(test, apply), commutes: true } as const;
}

/** A node that combines bits, hence booleans. */
function bits(text: string, apply: Apply, test: string) {
  return { arity: 2, commutes: true, truth: 'of truths', test, any: says(text, apply) } as const;
}

// `Math.min` and `Math.max` do not take bigints.
function smallerBig(x: bigint, y: bigint): bigint {
  if (x < y) return x;
  return y;
}

function largerBig(x: bigint, y: bigint): bigint {
  if (x > y) return x;
  return y;
}

/** `Math.round` rounds halves up; this moves back from an odd number. */
function rint(x: number): number {
  const up = Math.round(x);
  return up - x === 0.5 && up % 2 !== 0 ? up - 1 : up;
}

function floorQuotient(x: bigint, y: bigint): bigint {
  if (y === 0n) return 0n;
  const quotient = x / y;
  return x % y !== 0n && x < 0n !== y < 0n ? quotient - 1n : quotient;
}
