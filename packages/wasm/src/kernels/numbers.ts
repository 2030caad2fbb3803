/** The numbers that products multiply and add, and how they fill vectors. */
import type { SumType } from '@baton/lower';
import {
  f32,
  f32x4,
  f64,
  f64x2,
  i32x4,
  type Operand,
  type Statement,
  type Value,
  v128,
} from '../emit/index.ts';
import type { SimdLevel } from '../level.ts';

type Vector = Value<'v128'>;
type Address = Operand<'i32'>;

/** How the numbers of a product are stored and computed with. */
export interface Numbers {
  /** **Units** bytes of a number. */
  readonly bytes: number;
  /** Numbers in a vector. */
  readonly lanes: number;
  /** The number at an address in all lanes. */
  readonly splat: (address: Address, offset?: number) => Vector;
  readonly add: (a: Vector, b: Vector) => Vector;
  /** `a * b + c`, rounded once at level `relaxed`; of pairs of integers, both products are added. */
  readonly multiplyAdd: (level: SimdLevel) => (a: Vector, b: Vector, c: Vector) => Vector;
  /** Copies the number at an address. */
  readonly copy: (from: Address, to: Address, offset?: number) => Statement;
}

/** Multiplies and adds, in one step if the level has an instruction for it. */
const stepwise =
  ({ add, mul, relaxedMadd }: typeof f32x4 | typeof f64x2): Numbers['multiplyAdd'] =>
  (level) =>
  (a, b, c) =>
    level === 'relaxed' ? relaxedMadd(a, b, c) : add(c, mul(a, b));

const SINGLES: Numbers = {
  bytes: 4,
  lanes: 4,
  splat: v128.load32Splat,
  add: f32x4.add,
  multiplyAdd: stepwise(f32x4),
  copy: (from, to, offset) => f32.store(to, f32.load(from), offset),
};

const DOUBLES: Numbers = {
  bytes: 8,
  lanes: 2,
  splat: v128.load64Splat,
  add: f64x2.add,
  multiplyAdd: stepwise(f64x2),
  copy: (from, to, offset) => f64.store(to, f64.load(from), offset),
};

const PAIRS: Numbers = {
  ...SINGLES,
  add: i32x4.add,
  multiplyAdd: () => (a, b, c) => i32x4.add(c, i32x4.dotI16x8S(a, b)),
};

/** The numbers of a product, by the type of its sums. */
export const NUMBERS: { readonly [T in SumType]: Numbers } = {
  float32: SINGLES,
  float64: DOUBLES,
  int32: PAIRS,
};
