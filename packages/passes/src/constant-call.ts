/** Calls of operators on known values, which passes compute. */
import { type Budget, isLeft } from '@baton/base';
import type { Call, IRModule, Type } from '@baton/ir';
import {
  byteCount,
  type CallEvaluator,
  foldableColumn,
  isWorthStoring,
  type OpValue,
  typeOfValue,
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

/** One of {@link REASONS_TO_KEEP}, or {@link BEYOND_LIMIT}. */
export type ReasonToKeep = (typeof REASONS_TO_KEEP)[number] | typeof BEYOND_LIMIT;

/** A call on known values. */
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
  const op = m.ops.get(name);
  const foldable = m.ops.read(foldableColumn, name) ?? 'by value';
  if (op === undefined || op.nonComputational || foldable === 'annotation') return undefined;
  if (op.effect === 'stateful') return 'kept: stateful operator';
  if (args.length === 0) return 'kept: no argument';
  if (foldable === 'removed') return 'kept: dropout';
  if (!isWorthStoring(type, args.map(typeOfValue))) return 'kept: too large';
  const bytes = type === undefined ? 0 : byteCount(type);
  if (budget.isOver() || !budget.take('bytes', bytes)) return BEYOND_LIMIT;
  const value = evaluate(m.ops, call, args);
  return isLeft(value) ? undefined : { value: value.right };
}
