/**
 * A place shows the type of its expression, but no value. The replacement by a pass may show more:
 * a vector of 3 for one of an unknown number, a constant that relations read, an operator whose
 * calls read their relation. If that is refused, since a part of the program that never runs would
 * not fit, the replacement is bound to a variable of the old type.
 */
import { isRight } from '@baton/base';
import {
  type Call,
  type Expr,
  type Func,
  freeTypeVars,
  type IRModule,
  inferTypes,
  letIn,
  postOrderExprs,
  type Step,
  typeEqual,
  typeOf,
  variable,
  withFunctions,
} from '@baton/ir';
import type { Count } from '../pass.ts';
import { rewriteFunc } from './rewrite.ts';

/** Whether the replacement `made` must not show more than `was` showed. */
export type MustKeep = (was: Expr, made: Expr) => boolean;

/**
 * The result of `make` if the module with it has types; else its result when told to keep the type
 * of all replacements; else when told to hide their values, too. Only the counts of the
 * returned result are kept. `make` asks about each replacement.
 *
 * **Complexity** inference of the function if a place shows more than before: inference of the
 * returned module then finds the types.
 */
export function refined<Counter extends string>(
  f: Func,
  m: IRModule,
  count: Count<Counter>,
  make: (mustKeep: MustKeep, count: Count<Counter>) => Func,
): Func {
  const keepsNothing: MustKeep = () => false;
  const keepsTypes: MustKeep = (was, made) => hasOtherType(m, was, made);
  const keepsAll: MustKeep = (was, made) => showsValue(made) || hasOtherType(m, was, made);
  const attempt = (keeps: MustKeep): Func | undefined => {
    const counted = new Map<Counter, number>();
    let tellsMore = false;
    const mustKeep: MustKeep = (was, made) => {
      if (keeps(was, made)) return true;
      tellsMore ||= keepsAll(was, made);
      return false;
    };
    const made = make(mustKeep, (counter, by = 1) =>
      counted.set(counter, (counted.get(counter) ?? 0) + by),
    );
    if (tellsMore && made !== f && !hasTypes(m, f, made)) return undefined;
    for (const [counter, by] of counted) count(counter, by);
    return made;
  };
  return attempt(keepsNothing) ?? attempt(keepsTypes) ?? attempt(keepsAll) ?? f;
}

/**
 * The function with its nodes rewritten by a step, as `rewriteFunc` does it, each bound to a
 * variable of the old type if the place must not show more than before. The step counts by the
 * argument of `make`.
 */
export const refinedBy = <Counter extends string>(
  f: Func,
  m: IRModule,
  count: Count<Counter>,
  make: (count: Count<Counter>) => Step,
): Func =>
  refined(f, m, count, (mustKeep, counted) => {
    const step = make(counted);
    return rewriteFunc(f, m, (node, get) => {
      const made = step(node, get);
      return made !== undefined && mustKeep(node, made) ? withTypeOf(m, node, made) : made;
    });
  });

function hasTypes(m: IRModule, f: Func, made: Func): boolean {
  // If each node determines its own type, and the whole has the old one, nothing is left to infer.
  const isPlain = postOrderExprs([made]).every((node) => typeOf(m, node) !== undefined);
  if (isPlain && !hasOtherType(m, f, made)) return true;
  const functions = new Map([...m.functions].map(([name, g]) => [name, g === f ? made : g]));
  return isRight(inferTypes(withFunctions(m, functions)));
}

function hasOtherType(m: IRModule, was: Expr, made: Expr): boolean {
  const [old, own] = [typeOf(m, was), typeOf(m, made)];
  return old !== undefined && own !== undefined && old !== own && !typeEqual(old, own);
}

/** Whether relations read the value; no node with a value is replaced. */
const showsValue = (made: Expr): boolean => made._tag === 'Constant' || made._tag === 'Op';

/** An expression bound to a variable of the type of the expression that it replaces. */
export function withTypeOf(m: IRModule, was: Expr, made: Expr): Expr {
  const seen = variable('value', typeOf(m, was));
  return letIn(seen, made, seen, made.span);
}

/** Whether callers decide the type of the call or of an argument: then the call has to stay. */
export const isDecidedByCallers = (m: IRModule, call: Call): boolean =>
  [call, ...call.args].some((part) => {
    const type = typeOf(m, part);
    return type === undefined || freeTypeVars(type).some(({ kind }) => kind === 'Type');
  });
