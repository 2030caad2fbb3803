/** Questions about calls for both directions of FoldScaleAxis. */
import { aBoolean, invariant, type OptionTypes } from '@baton/base';
import { type Call, type Expr, type IRModule, isStateful, typeOf } from '@baton/ir';
import {
  arePositive,
  type ScaleAxis,
  type ScaledPart,
  type ScalePassage,
  type ScaleSite,
  scaleAxisColumn,
} from '@baton/ops';
import { type Count, isDecidedByCallers } from '@baton/pass-manager';
import type { Tensor } from '@baton/tensor';
import { constantOf } from '../facts.ts';
import { answered, type GuardCounter } from './counters.ts';

export interface FoldScaleAxisOptions {
  /** Leaves out the operators without a rule in TVM. */
  readonly tvmOnly?: boolean;
  /** Moves only constant scales into constant weights: new weights are computed at once. */
  readonly constantsOnly?: boolean;
  /** As for FoldConstant, for the weights: whether calls stay whose values are larger. Default: false. */
  readonly keepsSmaller?: boolean;
}

export const FOLD_SCALE_AXIS_TYPES: OptionTypes<FoldScaleAxisOptions> = {
  tvmOnly: aBoolean,
  constantsOnly: aBoolean,
  keepsSmaller: aBoolean,
};

/** A call with the equation of its operator, and the facts for the equation. */
export interface ScaledCall {
  readonly fact: ScaleAxis;
  readonly site: ScaleSite;
}

/** The equation of a call; `undefined` if there is none, or callers decide types. */
export function scaledCall(
  m: IRModule,
  call: Call,
  options: FoldScaleAxisOptions,
): ScaledCall | undefined {
  const fact = call.op._tag === 'Op' ? m.ops.read(scaleAxisColumn, call.op.name) : undefined;
  if (fact === undefined || isDecidedByCallers(m, call)) return undefined;
  const isOpen = fact._tag === 'ScaleProduct' && constantOf(call.args[1]) === undefined;
  if (options.constantsOnly === true && isOpen) return undefined;
  const result = typeOf(m, call);
  const args = call.args.map((arg) => typeOf(m, arg)).filter((type) => type !== undefined);
  if (result === undefined || args.length !== call.args.length) return undefined;
  const constant = (index: number): Tensor | undefined => constantOf(call.args[index]);
  const site: ScaleSite = { args, result, attrs: call.attrs ?? {}, constant };
  return options.tvmOnly === true && isBeyondTvm(fact, site) ? undefined : { fact, site };
}

function isBeyondTvm(fact: ScaleAxis, site: ScaleSite): boolean {
  if (fact._tag === 'ScaleProduct') return fact.beyondTvm(site);
  return 'beyondTvm' in fact && fact.beyondTvm;
}

/** The requirements on a scale that enters a weight. */
export interface ScaleNeeds {
  /** Whether it passes a rectifier on its way. */
  readonly positive: boolean;
  readonly constant: boolean;
}

/** Whether an operand may become a scale: evaluated elsewhere, and positive below a rectifier. */
export function mayScale(
  m: IRModule,
  operand: Expr,
  value: Expr,
  needs: ScaleNeeds,
  count: Count<GuardCounter>,
): boolean {
  if (!answered(count, 'stateless scale', !isStateful(m, operand))) return false;
  if (!needs.positive && !needs.constant) return true;
  const scale = constantOf(value);
  answered(count, 'constant scale', scale !== undefined);
  if (scale === undefined || !needs.positive) return scale !== undefined;
  return answered(count, 'positive scale', arePositive(scale));
}

/** The expression of a part of a call that a scale passes to. */
export function partOf({ args }: Call, { arg, field }: ScaledPart): Expr {
  const whole = args[arg];
  const part = whole?._tag === 'Tuple' && field !== undefined ? whole.fields[field] : whole;
  invariant(part, 'an equation of a scale names arguments of the call');
  return part;
}

/** The sides of a sum that take a scale by an equation. */
export const sideOf = (passage: ScalePassage | undefined): 'left' | 'right' | 'both' | 'none' => {
  if (passage === undefined) return 'none';
  const { companion } = passage;
  return companion === undefined ? 'both' : companion.arg === 1 ? 'left' : 'right';
};
