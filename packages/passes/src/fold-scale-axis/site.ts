/** What the two directions of FoldScaleAxis ask about calls. */
import { type Call, type Expr, type IRModule, isStateful, typeOf } from '@baton/ir';
import { type ScaleAxis, type ScaleSite, scaleAxisColumn } from '@baton/ops';
import type { Count } from '@baton/pass-manager';
import { dtypeInfo, type Tensor, toNumbers } from '@baton/tensor';
import { constantOf } from '../facts.ts';
import type { GuardRow } from './rows.ts';

/** The choices of FoldScaleAxis. */
export interface FoldScaleAxisOptions {
  /** Leaves out the operators that TVM has no rule for. */
  readonly tvmOnly?: boolean;
}

/** A call with the equation of its operator, and what the equation may look at. */
export interface ScaledCall {
  readonly fact: ScaleAxis;
  readonly site: ScaleSite;
}

/** The equation that holds at a call; `undefined` where there is none, or types are not known. */
export function scaledCall(
  m: IRModule,
  call: Call,
  options: FoldScaleAxisOptions,
): ScaledCall | undefined {
  const fact = call.op._tag === 'Op' ? m.ops.read(scaleAxisColumn, call.op.name) : undefined;
  if (fact === undefined) return undefined;
  if (options.tvmOnly === true && 'beyondTvm' in fact && fact.beyondTvm) return undefined;
  const result = typeOf(m, call);
  const args = call.args.map((arg) => typeOf(m, arg)).filter((type) => type !== undefined);
  if (result === undefined || args.length !== call.args.length) return undefined;
  const constant = (index: number): Tensor | undefined => constantOf(call.args[index]);
  return { fact, site: { args, result, attrs: call.attrs ?? {}, constant } };
}

/** Whether the expression is a constant with every element as `holds` wants it. */
function everyElement(expr: Expr | undefined, holds: (value: number) => boolean): boolean {
  const value = constantOf(expr);
  if (value === undefined) return false;
  for (const element of toNumbers(value)) if (!holds(element)) return false;
  return true;
}

/**
 * Whether an operand may become a scale: it is evaluated elsewhere, and below a rectifier it must be
 * known to be positive.
 */
export function mayScale(
  m: IRModule,
  operand: Expr,
  value: Expr,
  needsPositive: boolean,
  count: Count<GuardRow>,
): boolean {
  const isStateless = !isStateful(m, operand);
  count(isStateless ? 'stateless scale: yes' : 'stateless scale: no');
  if (!isStateless || !needsPositive) return isStateless;
  const isConstant = constantOf(value) !== undefined;
  count(isConstant ? 'constant scale: yes' : 'constant scale: no');
  if (!isConstant) return false;
  const isAbove = everyElement(value, isPositive);
  count(isAbove ? 'positive scale: yes' : 'positive scale: no');
  return isAbove;
}

/** Above 0 and finite: an infinite scale makes NaN of the zeros of a rectifier. */
const isPositive = (value: number): boolean => value > 0 && value < Number.POSITIVE_INFINITY;

/**
 * Whether the expression is a constant that other numbers can be divided by, and multiplied back,
 * without leaving the dtype's range: networks do have channels with a scale of 1e-40, where a bias
 * divided by it is infinite.
 */
export function isSafeDivisor(expr: Expr | undefined): boolean {
  const value = constantOf(expr);
  if (value === undefined) return false;
  const largest = Math.sqrt(Number(dtypeInfo(value.dtype).max));
  return everyElement(expr, (element) => {
    const size = Math.abs(element);
    return size >= 1 / largest && size <= largest;
  });
}

/** Whether two lists of axes are the same. */
export const sameAxes = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): boolean =>
  a.length === b.length && a.every((axis, i) => axis === b[i]);

/**
 * The axes that `axes` come from or go to under `map`, if every one has a counterpart and their
 * order is kept.
 */
export function mappedAxes(
  axes: ReadonlyArray<number>,
  map: (axis: number) => number | undefined,
): ReadonlyArray<number> | undefined {
  const mapped = axes.map(map).filter((axis) => axis !== undefined);
  const ascending = mapped.every((axis, i) => i === 0 || axis > (mapped[i - 1] ?? axis));
  return mapped.length === axes.length && ascending ? mapped : undefined;
}
