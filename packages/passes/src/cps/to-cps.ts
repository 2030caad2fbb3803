/**
 * ToCPS and UnCPS: functions that give their results to continuations, and back.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import { isLeft, type Result, right } from '@baton/base';
import {
  call,
  copyFunction,
  type Expr,
  type Func,
  func,
  globalVar,
  type IRModule,
  inferTypes,
  type Type,
  typeOf,
  variable,
  withFunctions,
} from '@baton/ir';
import {
  type Count,
  inferType,
  isOpaque,
  type Pass,
  pass,
  type RunningContext,
} from '@baton/pass-manager';
import { etaExpand } from '../eta-expand.ts';
import { mentionsFunction } from '../facts.ts';
import { toANormalForm } from '../normal-forms/a-normal-form.ts';
import { sharesEvaluations } from '../normal-forms/shared-evaluations.ts';
import { Conversion } from './convert.ts';
import { COUNTERS, type Counter } from './counters.ts';

/** The attribute of a form in continuation-passing style: the name of its function. */
const FORM_OF = 'CpsOf';

/**
 * Gives each function a form in continuation-passing style, which gives its result to a function
 * instead of its caller, and lets the function itself call that form with the identity:
 *
 * ```
 * def @main(%x: float32) -> float32 { exp(@f(%x)) }
 * =>
 * def @main_cps[R](%x: float32, %k: fn (float32) -> R, CpsOf="main") -> R {
 *   @f_cps(%x, fn (%v: float32) -> R { let %w = exp(%v); %k(%w) })
 * }
 * def @main(%x: float32) -> float32 { @main_cps(%x, fn (%result: float32) -> float32 { %result }) }
 * ```
 *
 * Function values get the same form. Operators, constructors and kernels return their results. What
 * follows a condition or a match that is not last becomes a function, which the branches call.
 *
 * A function that takes or returns functions keeps its old form; all others call the new one. A module stays unchanged if blocks of a function share an evaluation that only one of them
 * runs, if constructors of data types state function types, or if a local function that must not be
 * optimized calls itself.
 *
 * **Complexity** linear in the functions.
 */
export const toCps: Pass = pass({
  name: 'ToCPS',
  doc: 'Converts functions to continuation-passing style.',
  subject: 'language',
  level: 1,
  requires: [inferType],
  passes: [etaExpand, toANormalForm],
  counters: COUNTERS,
  isIdempotent: true,
  run: (m, context) => converted(m, context),
});

/**
 * The function without the continuation that it takes last: it gives it the identity. `target` is
 * the function, or its name; `direct` has the parameters and the result.
 */
export function unCps(target: Expr, direct: Func, result: Type | undefined): Func {
  const own = variable('result', result);
  const identity = func([own], own, result && { retType: result });
  const { attrs, typeParams, constraints, retType, span } = direct;
  const parts = { attrs, typeParams, constraints, span, ...(retType && { retType }) };
  return copyFunction(func(direct.params, call(target, [...direct.params, identity]), parts));
}

function converted(m: IRModule, { apply, count }: RunningContext<Counter>): Result<IRModule> {
  const expanded = apply(etaExpand, m);
  if (isLeft(expanded)) return expanded;
  const formed = apply(toANormalForm, expanded.right);
  if (isLeft(formed)) return formed;
  const made = inStyle(m, formed.right, count);
  if (made === undefined) count('kept');
  return right(made ?? m);
}

function inStyle(m: IRModule, formed: IRModule, count: Count<Counter>): IRModule | undefined {
  const done = [...m.functions].flatMap(([name, f]) => {
    const form = f.attrs[FORM_OF];
    return typeof form === 'string' ? [[form, name] as const] : [];
  });
  const known = new Map(done);
  const isOpen = ([name, f]: readonly [string, Func]): boolean =>
    f.attrs[FORM_OF] === undefined && !known.has(name) && !isOpaque(f);
  const open = [...formed.functions].filter(isOpen);
  if (open.length === 0) return m;
  if (open.some(([, f]) => sharesEvaluations(f, formed))) return undefined;
  const names = new Map([...known, ...open.map(([name]) => [name, freshName(name, m)] as const)]);
  const counted: Parameters<Count<Counter>>[] = [];
  const given = {
    m: formed,
    names,
    count: (...entry: Parameters<Count<Counter>>) => counted.push(entry),
  };
  const functions = new Map(m.functions);
  for (const [name, f] of open) {
    const conversion = new Conversion(given);
    const style = conversion.global(f, { [FORM_OF]: name });
    if (conversion.isStuck) return undefined;
    const own = names.get(name) ?? name;
    const result = typeOf(formed, f.body);
    const isFirstOrder = [...f.params.map((v) => typeOf(formed, v)), result].every(
      (type) => type !== undefined && !mentionsFunction(type),
    );
    functions.set(own, isFirstOrder ? style : copyFunction(style));
    if (isFirstOrder) functions.set(name, unCps(globalVar(own), f, result));
    counted.push(['function']);
  }
  const typed = inferTypes(withFunctions(m, functions));
  if (isLeft(typed)) return undefined;
  for (const entry of counted) count(...entry);
  return typed.right;
}

function freshName(name: string, m: IRModule): string {
  let made = `${name}_cps`;
  while (m.functions.has(made)) made = `${made}_`;
  return made;
}
