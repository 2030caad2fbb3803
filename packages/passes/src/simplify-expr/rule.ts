/** A rule of SimplifyExpr, and its context. */
import type { Span } from '@baton/base';
import { type Attrs, type Call, type Expr, noAttrs, type OpTable, type Type } from '@baton/ir';
import { callOp, type OpCall } from '@baton/ops';
import type { Count, OperatorRow } from '@baton/pass-manager';

/** The cases of SimplifyExpr. */
export const ROWS = [
  'cast_like',
  'x + x',
  'n / sqrt(x)',
  'x + 0',
  'x - 0',
  'x * 1',
  'x / 1',
  'reshape of reshape',
  'reshape to the same',
  'transpose of transpose',
  'transpose of transpose cancels',
  'transpose of nothing',
  'layout_transform of layout_transform',
  'layout_transform of layout_transform cancels',
  'layout_transform of nothing',
  'cast to the same',
  'cast of widening',
  'cast of clipped',
  'clip of nothing',
  'op(x, full)',
  '(x + c) + c',
  '(x * c) * c',
  '(x + c) * c',
  '(x * c + c) * c',
  'nn.bias_add of a constant',
  'quadratic form',
  'kept: like a stateful value',
  'kept: root with other users',
  'kept: sum with other users',
  'kept: neutral operand broadcasts',
  'kept: full operand broadcasts',
  'kept: cast narrows',
  'kept: clip narrows',
  'kept: merged constant grows',
  'kept: merged constant overflows',
] as const;

/** A case of SimplifyExpr. */
export type Row = (typeof ROWS)[number] | OperatorRow;

/** The context of a rule. */
export interface RuleContext {
  readonly ops: OpTable;
  readonly typeOf: (expr: Expr) => Type | undefined;
  /** Whether the call has to stay, since the function states its relation. */
  readonly isDecidedByCallers: (call: Call) => boolean;
  /** Whether an expression may be left unevaluated. */
  readonly mayDrop: (expr: Expr) => boolean;
  /** Whether the current call is the only user of this argument. */
  readonly isOnlyUser: (arg: Expr) => boolean;
  /** Counts that a case applied. */
  readonly count: Count<Row>;
}

/** The replacement of an operator call with simplified arguments; `undefined` leaves it. */
export type Rule = (call: OpCall, context: RuleContext) => Expr | undefined;

/** A call of an operator with the origin `span`. */
export const build = (
  { ops }: RuleContext,
  name: string,
  args: ReadonlyArray<Expr>,
  span: Span | undefined,
  attrs: Attrs = noAttrs,
): Call => callOp(ops, name, args, attrs, span);
