/** Calls of operators on known values, which passes compute. */
import { type Budget, isLeft } from '@baton/base';
import type { Call, IRModule, Type } from '@baton/ir';
import {
  byteCount,
  type CallEvaluator,
  FOLDING,
  type OpValue,
  typeOfValue,
  whyKept,
} from '@baton/ops';

/** The reasons to leave a call on known values as it is. */
export const REASONS_TO_KEEP = [
  'kept: stateful operator',
  'kept: no argument',
  'kept: dropout',
  'kept: too large',
] as const;

/** The reason that is not the call's own: the context's budget is spent. */
export const BEYOND_LIMIT = 'kept: beyond the limit';

export type ReasonToKeep = (typeof REASONS_TO_KEEP)[number] | typeof BEYOND_LIMIT;

export interface KnownCall {
  readonly call: Call;
  readonly name: string;
  /** The type of the result, as far as it is known. */
  readonly type: Type | undefined;
  readonly args: ReadonlyArray<OpValue>;
}

/**
 * The value of a call on known values within a budget, or else the reason to leave it; `undefined` for
 * annotations, and if the evaluator refuses the values.
 */
export function computed(
  m: IRModule,
  { call, name, type, args }: KnownCall,
  evaluate: CallEvaluator['evaluateCall'],
  budget: Budget,
): { readonly value: OpValue } | ReasonToKeep | undefined {
  const known = { name, args: args.map(typeOfValue), result: type };
  const kept = whyKept(m.ops, known, FOLDING.passes);
  if (kept === 'annotation') return undefined;
  if (kept !== undefined) return `kept: ${kept}`;
  const bytes = type === undefined ? 0 : byteCount(type);
  if (budget.isOver() || !budget.take('bytes', bytes)) return BEYOND_LIMIT;
  const value = evaluate(m.ops, call, args);
  return isLeft(value) ? undefined : { value: value.right };
}
