/**
 * SimplifyExpr: rewrites that make programs smaller.
 * [passes §7](https://batonjs.github.io/baton/spec/passes#7).
 */

import {
  type Expr,
  type Func,
  type IRModule,
  isStateful,
  mapChildren,
  referenceCounts,
  typeOf,
} from '@baton/ir';
import { concreteColumn, isOpCall, type OpCall } from '@baton/ops';
import {
  type Count,
  inferType,
  isDecidedByCallers,
  type MustKeep,
  type Pass,
  refined,
  rewriteFunc,
  rewritingPass,
  withTypeOf,
} from '@baton/pass-manager';
import { operatorRows } from '../operator-rows.ts';
import { dropCast, dropClip, skipClipped, skipWidening } from './casts.ts';
import {
  divideByRoot,
  doubled,
  dropNeutral,
  fillWithScalar,
  mergeChains,
  scaleFirst,
} from './constants.ts';
import { castToKnown, concretize } from './like.ts';
import { mergePermutations, mergeReshapes } from './movement.ts';
import { factorQuadratic } from './quadratic.ts';
import { ROWS, type Row, type Rule, type RuleContext } from './rule.ts';

/** The rules in the order of trying. Each checks for its own operators. */
const RULES: ReadonlyArray<Rule> = [
  doubled,
  divideByRoot,
  dropNeutral,
  mergeChains,
  scaleFirst,
  factorQuadratic,
  mergeReshapes,
  mergePermutations,
  dropCast,
  skipWidening,
  skipClipped,
  dropClip,
  castToKnown,
  concretize,
  fillWithScalar,
];

/**
 * Merges constants, and drops calls that do nothing:
 *
 * ```
 * multiply(add(multiply(%x, %c1), %c2), %c3)   =>   add(multiply(%x, %k1), %k2)
 * ```
 *
 * Constants that a rule makes are evaluated at once. Each call is rewritten until no rule applies,
 * after its arguments. A call that goes may leave what it used with one user less, so the function
 * is walked again until nothing changes: the result is a fixed point.
 *
 * **Complexity** linear in the function for each walk, of which two are usual, plus the evaluation of
 * constants: every rule removes a call, or turns a sum that is scaled into a scaled value with a
 * sum, once.
 */
export const simplifyExpr: Pass = rewritingPass({
  name: 'SimplifyExpr',
  doc: 'Merges chains of constants, reshapes, transposes and casts.',
  level: 0,
  requires: [inferType],
  rows: ROWS,
  operatorRows: operatorRows(concreteColumn),
  isIdempotent: true,
  needs: ['nsz', 'nnan', 'ninf', 'reassoc', 'arcp'],
  run: (f, m, context) =>
    refined(f, m, context.count, (mustKeep, count) => {
      let current = f;
      for (;;) {
        const next = simplifiedOnce(current, m, mustKeep, count);
        if (next === current) return current;
        current = next;
      }
    }),
});

function simplifiedOnce(f: Func, m: IRModule, mustKeep: MustKeep, count: Count<Row>): Func {
  const counts = referenceCounts([f.body]);
  // The uses of rewritten expressions; intermediate results of rules have one use.
  const uses = new Map<Expr, number>();
  const context: RuleContext = {
    ops: m.ops,
    typeOf: (expr) => typeOf(m, expr),
    isDecidedByCallers: (call) => isDecidedByCallers(m, call),
    mayDrop: (expr) => !isStateful(m, expr),
    isOnlyUser: (arg) => (uses.get(arg) ?? 1) === 1,
    count,
  };
  return rewriteFunc(f, m, (node, get) => {
    const rebuilt = mapChildren(node, get);
    const made = simplified(rebuilt, context);
    const isOther = made !== rebuilt && mustKeep(rebuilt, made);
    const result = isOther ? withTypeOf(m, rebuilt, made) : made;
    uses.set(result, (uses.get(result) ?? 0) + (counts.get(node) ?? 0));
    return result;
  });
}

/** The expression after all rules that apply, one after the other. */
function simplified(expr: Expr, context: RuleContext): Expr {
  let result = expr;
  while (isOpCall(result) && !context.isDecidedByCallers(result)) {
    const next = firstMade(result, context);
    if (next === undefined) return result;
    result = next;
  }
  return result;
}

function firstMade(call: OpCall, context: RuleContext): Expr | undefined {
  for (const rule of RULES) {
    const next = rule(call, context);
    if (next !== undefined) return next;
  }
  return undefined;
}
