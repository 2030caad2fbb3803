/** Whether values stay in the range of their type when a scale moves. */
import type { Call, Expr, Func, IRModule } from '@baton/ir';
import { dtypeOf } from '@baton/ops';
import type { Count } from '@baton/pass-manager';
import { areSized, constantIn, isNarrow, losesLater } from '@baton/rewrites';
import { isDType } from '@baton/tensor';
import type { ScaledCall } from './site.ts';

/** How a scale passes a call: into a weight, or before or after a sum or an average. */
export type Passing = 'into a weight' | 'before' | 'after';

/** A scale at a call on its way. */
export interface PassingScale {
  readonly m: IRModule;
  readonly known: ScaledCall;
  readonly scale: Expr;
  readonly passing: Passing;
  /** The operand that is scaled, or divided by the scale, if there is one. */
  readonly made: Expr | undefined;
  readonly operand: Expr | undefined;
}

/**
 * Whether a scale takes a value out of the range of its type. A constant must not overflow, vanish or
 * lose digits. In floats of fewer than 32 bits what is not known must not grow: a scale of at most 1 may
 * come before a sum, and one of at least 1 after it, and only constants meet in a weight.
 */
export function leavesRange({ m, known, scale, passing, made, operand }: PassingScale): boolean {
  if (made !== undefined && losesLater(m, made)) return true;
  const dtype = dtypeOf(known.site.result);
  if (!isDType(dtype) || !isNarrow(dtype)) return false;
  const factor = constantIn(m, scale);
  if (factor === undefined) return true;
  if (passing === 'into a weight') return operand === undefined || !constantIn(m, operand);
  return passing === 'before'
    ? !areSized(factor, 0, 1)
    : !areSized(factor, 1, Number.POSITIVE_INFINITY);
}

/**
 * The function after all scales have moved that stay in range. `folded` moves all but the given
 * multiplications, and takes those whose scale leaves the range.
 *
 * **Complexity** of `folded`, once more for each time that some scale has to stay.
 */
export function withoutLost<Row extends string>(
  count: Count<Row>,
  folded: (excluded: ReadonlySet<Call>, lose: (origin: Call) => void, count: Count<Row>) => Func,
): Func {
  const excluded = new Set<Call>();
  for (;;) {
    const lost = new Set<Call>();
    const counted: Parameters<Count<Row>>[] = [];
    const made = folded(
      excluded,
      (origin) => lost.add(origin),
      (...row) => counted.push(row),
    );
    if (lost.size === 0) {
      for (const row of counted) count(...row);
      return made;
    }
    for (const origin of lost) excluded.add(origin);
  }
}
