/** Functions that call themselves last, under a condition. */
import type { Call, Expr, Func, If } from '@baton/ir';

/** The parts of a function that ends with a branch, one side of which calls it again. */
export interface LoopShape {
  readonly branch: If;
  /** The value of the condition under which it goes on. */
  readonly goesOnAt: boolean;
  readonly round: Call;
  /** What stands before the call on its side of the branch. */
  readonly again: Expr;
  readonly exit: Expr;
}

/** The loop of a function that is called as `self`. */
export function loopShape(func: Func, self: Expr): LoopShape | undefined {
  const branch = afterLets(func.body);
  if (branch._tag !== 'If') return undefined;
  const { trueBranch, falseBranch } = branch;
  for (const goesOnAt of [true, false]) {
    const [again, exit] = goesOnAt ? [trueBranch, falseBranch] : [falseBranch, trueBranch];
    const round = afterLets(again);
    if (round._tag === 'Call' && isSame(round.op, self)) {
      return { branch, goesOnAt, round, again, exit };
    }
  }
  return undefined;
}

function afterLets(expr: Expr): Expr {
  let node = expr;
  while (node._tag === 'Let') node = node.body;
  return node;
}

const isSame = (a: Expr, b: Expr): boolean =>
  a === b || (a._tag === 'GlobalVar' && b._tag === 'GlobalVar' && a.nameHint === b.nameHint);
