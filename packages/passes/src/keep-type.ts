/**
 * Types that a place gives an expression. What a pass puts in the place of an expression may have a
 * more precise type: a vector of 3 for one of an unknown number. Where that type is refused, since
 * a part of the program that is never run would not fit, it is bound to a variable of the old type.
 */
import {
  type Expr,
  type Func,
  type IRModule,
  inferTypes,
  letIn,
  typeEqual,
  typeOf,
  variable,
  withFunctions,
} from '@baton/ir';
import type { Count } from '@baton/pass-manager';

/** What a pass made of a function. */
export interface Made {
  readonly f: Func;
  /** Whether something in it has a more precise type than what it takes the place of. */
  readonly refines: boolean;
}

/**
 * What `make` gives if the module with it has types, else what it gives when told to keep the type
 * of all that it replaces. Rows are counted for that alone which is returned.
 *
 * **Complexity** inference of the function, where a type was refined.
 */
export function refined<Row extends string>(
  f: Func,
  m: IRModule,
  count: Count<Row>,
  make: (keepsTypes: boolean, count: Count<Row>) => Made,
): Func {
  const attempt = (keepsTypes: boolean): Func | undefined => {
    const counted: Parameters<Count<Row>>[] = [];
    const made = make(keepsTypes, (...row) => counted.push(row));
    if (made.refines && !keepsTypes && !hasTypes(m, f, made.f)) return undefined;
    for (const row of counted) count(...row);
    return made.f;
  };
  return attempt(false) ?? attempt(true) ?? f;
}

/** Whether the module has types with `made` in the place of `f`. */
const hasTypes = (m: IRModule, f: Func, made: Func): boolean => {
  const functions = new Map([...m.functions].map(([name, g]) => [name, g === f ? made : g]));
  return inferTypes(withFunctions(m, functions))._tag === 'Right';
};

/** Whether an expression has another type than what it would take the place of. */
export function refines(m: IRModule, was: Expr, made: Expr): boolean {
  const [old, own] = [typeOf(m, was), typeOf(m, made)];
  return old !== undefined && own !== undefined && old !== own && !typeEqual(old, own);
}

/** An expression bound to a variable of the type of what it takes the place of. */
export function withTypeOf(m: IRModule, was: Expr, made: Expr): Expr {
  const seen = variable('value', typeOf(m, was));
  return letIn(seen, made, seen, made.span);
}
