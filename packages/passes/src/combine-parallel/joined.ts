/** Calls that are computed as one. */
import { mergeSpans, type Span } from '@baton/base';
import { type Expr, type IRModule, typeEqual, typeOf } from '@baton/ir';
import { dimsOf, type OpCall } from '@baton/ops';

/** Calls, and the expression that computes all of them. */
export interface Joined {
  readonly members: ReadonlyArray<OpCall>;
  readonly whole: Expr;
  /** The axis along which the combined call concatenates the members. */
  readonly axis: number;
}

export interface Combination {
  readonly isHead: (m: IRModule, call: OpCall) => boolean;
  /** Whether two calls on the same data may be one; an equivalence. */
  readonly areAlike: (m: IRModule, a: OpCall, b: OpCall) => boolean;
  /** The calls as one; `undefined` if they do not fit. */
  readonly heads: (m: IRModule, calls: ReadonlyArray<OpCall>) => Joined | undefined;
  /** Calls of one operator, which follow those before, as one; `undefined` if they do not fit. */
  readonly followers: (
    m: IRModule,
    calls: ReadonlyArray<OpCall>,
    before: Joined,
  ) => Joined | undefined;
  /** The result of each member. */
  readonly parts: (m: IRModule, joined: Joined) => ReadonlyArray<Expr>;
}

/** The merged span of calls that become one. */
export const spanOf = (calls: ReadonlyArray<Expr>): Span | undefined =>
  calls.map(({ span }) => span).reduce((all, next) => mergeSpans(all, next), undefined);

export function staticDim(m: IRModule, node: Expr, axis: number): number | undefined {
  const dim = dimsOf(typeOf(m, node))?.[axis];
  return typeof dim === 'number' ? dim : undefined;
}

/** Whether an expression has the type of the one that it replaces. */
export function fitsPlaceOf(m: IRModule, made: Expr, was: Expr): boolean {
  const [type, wanted] = [typeOf(m, made), typeOf(m, was)];
  return type !== undefined && wanted !== undefined && typeEqual(type, wanted);
}
