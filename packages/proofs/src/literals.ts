/** Sorts and numbers of the solver's language, by element type and theory. */
import { type DType, dtypeInfo, isFloat } from '@baton/tensor';
import { exactly } from './fractions.ts';
import type { Theory } from './meaning.ts';

/** How the elements of each kind of element type are understood. */
export interface Theories {
  readonly floats: 'real' | 'ieee';
  readonly ints: 'ring' | 'bits';
}

/** The exponent and significand of floats. */
const FORMATS: Partial<Record<DType, string>> = {
  float16: '5 11',
  bfloat16: '8 8',
  float32: '8 24',
  float64: '11 53',
};

/** The exponent and significand of a float type: `8 24`. */
export const formatOf = (dtype: DType): string => FORMATS[dtype] ?? '';

/** Whether every number of a type, NaN and zeros with a sign among them, is one of another type. */
export function hasEvery(wide: DType, narrow: DType): boolean {
  const [to, from] = [dtypeInfo(wide), dtypeInfo(narrow)];
  if (narrow === 'bool') return true;
  if (wide === 'bool') return false;
  const [exponent, significand] = formatOf(wide).split(' ').map(Number) as [number, number];
  if (isFloat(narrow)) {
    const [e, s] = formatOf(narrow).split(' ').map(Number) as [number, number];
    return isFloat(wide) && e <= exponent && s <= significand;
  }
  if (!isFloat(wide)) return to.min <= from.min && from.max <= to.max;
  return from.bits - (from.kind === 'int' ? 1 : 0) <= significand;
}

/** The theory of the elements of a type. */
export function theoryOf(dtype: DType, { floats, ints }: Theories): Theory {
  if (isFloat(dtype)) return floats;
  return dtype === 'bool' ? 'bits' : ints;
}

/** The sort of numbers of a type. Those of bool are counted in eight bits. */
export function sortOf(dtype: DType, theories: Theories): string {
  switch (theoryOf(dtype, theories)) {
    case 'real':
      return 'Real';
    case 'ring':
      return 'Int';
    case 'ieee':
      return `(_ FloatingPoint ${formatOf(dtype)})`;
    case 'bits':
      return `(_ BitVec ${widthOf(dtype)})`;
  }
}

const widthOf = (dtype: DType): number => Math.max(dtypeInfo(dtype).bits, 8);

/**
 * A number of a type; `undefined` if the theory lacks it. `rootOf` names the root of a fraction.
 */
export function numberText(
  value: number,
  dtype: DType,
  theories: Theories,
  rootOf: (square: string) => string,
): string | undefined {
  switch (theoryOf(dtype, theories)) {
    case 'real': {
      if (!Number.isFinite(value)) return undefined;
      const { over, under, isRoot } = exactly(value, dtype);
      const text = fraction(over, under);
      return isRoot ? rootOf(text) : text;
    }
    case 'ring':
      return value < 0 ? `(- ${-value})` : `${value}`;
    case 'ieee':
      return float(value, formatOf(dtype));
    case 'bits':
      return `(_ bv${BigInt.asUintN(widthOf(dtype), BigInt(value))} ${widthOf(dtype)})`;
  }
}

const fraction = (over: bigint, under: bigint): string =>
  over < 0n ? `(- (/ ${-over}.0 ${under}.0))` : `(/ ${over}.0 ${under}.0)`;

function float(value: number, format: string): string {
  if (Number.isNaN(value)) return `(_ NaN ${format})`;
  if (!Number.isFinite(value)) return `(_ ${value > 0 ? '+' : '-'}oo ${format})`;
  if (Object.is(value, -0)) return `(_ -zero ${format})`;
  let over = value;
  let under = 1n;
  while (!Number.isInteger(over)) {
    over *= 2;
    under *= 2n;
  }
  return `((_ to_fp ${format}) RNE ${fraction(BigInt(over), under)})`;
}
