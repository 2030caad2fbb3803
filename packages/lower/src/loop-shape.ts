/**
 * Loops: functions that call themselves in last position, as a row of parts that run in each turn.
 *
 * ```
 * let %loop = fn (%state) { lets; if (goesOn) { lets; %loop(next) } else { result } }
 * ```
 */
import { type Call, type Expr, type Func, type Let, postOrderExprs, type Var } from '@baton/ir';

/** The parts of a loop. */
export interface LoopShape {
  readonly params: ReadonlyArray<Var>;
  /** Values that each turn, and the end, computes before the condition. */
  readonly lets: ReadonlyArray<Let>;
  readonly condition: Expr;
  /** What the condition is in every turn but the last. */
  readonly goesOn: boolean;
  /** Values that a turn computes after the condition. */
  readonly inner: ReadonlyArray<Let>;
  /** The call of itself. */
  readonly again: Call;
  readonly result: Expr;
}

/** The parts of a function that calls itself by a variable; `undefined` if it is no loop. */
export function loopShape(func: Func, self: Var): LoopShape | undefined {
  const [lets, branch] = behindLets(func.body);
  if (branch._tag !== 'If') return undefined;
  const [whenTrue, whenFalse] = [behindLets(branch.trueBranch), behindLets(branch.falseBranch)];
  const goesOn = isCallOf(self, whenTrue[1]);
  const [inner, again] = goesOn ? whenTrue : whenFalse;
  const result = goesOn ? branch.falseBranch : branch.trueBranch;
  if (again._tag !== 'Call' || !isCallOf(self, again)) return undefined;
  const { cond: condition } = branch;
  const values = [...lets, ...inner].map(({ value }) => value);
  const others = postOrderExprs([...values, condition, ...again.args, result]);
  if (others.includes(self) || again.args.length !== func.params.length) return undefined;
  return { params: func.params, lets, condition, goesOn, inner, again, result };
}

const isCallOf = (self: Var, node: Expr): boolean => node._tag === 'Call' && node.op === self;

/** The lets that an expression begins with, and the body after them. */
function behindLets(body: Expr): readonly [ReadonlyArray<Let>, Expr] {
  const lets: Let[] = [];
  let at = body;
  for (; at._tag === 'Let'; at = at.body) lets.push(at);
  return [lets, at];
}

/** The nodes that a turn evaluates, operands first. */
export const nodesOfTurn = ({ lets, condition, inner, again }: LoopShape): ReadonlyArray<Expr> =>
  postOrderExprs([...[...lets, ...inner].map(({ value }) => value), condition, ...again.args]);
