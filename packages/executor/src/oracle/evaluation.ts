/**
 * [language §7](https://batonjs.github.io/baton/spec/language#7), Evaluation: function values, and
 * calls of functions, operators and constructors. The rules at the top of each function are those
 * of the reference.
 */
import { isLeft, type Span } from '@baton/base';
import type { Attrs, Constructor, Expr, Func, OpRef } from '@baton/ir';
import { prepareCall, runCall } from '@baton/ops';
import { isTensor, type Tensor } from '@baton/tensor';
import * as diagnostics from '../diagnostics.ts';
import { mayDiffer, resultName } from '../size-claims.ts';
import { stop } from '../stop.ts';
import { toOpValue } from '../values/op-value.ts';
import {
  adtValue,
  type Closure,
  type Code,
  type Environment,
  tupleValue,
  type Value,
} from '../values/value.ts';
import { type Claim, checkSizes, type Frame, type Run } from './run.ts';

export interface Goal {
  readonly _tag: 'Goal';
  readonly node: Expr;
  readonly frame: Frame;
  /** Whether the node is in tail position: its value is the result of the frame's function. */
  readonly isLast: boolean;
  readonly leave: ((value: Value) => void) | undefined;
}

/** A node to evaluate in an activation. */
export const goalOf = (
  node: Expr,
  frame: Frame,
  isLast: boolean,
  leave?: (value: Value) => void,
): Goal => ({ _tag: 'Goal', node, frame, isLast, leave });

/** A rule ends with a value, or with another node that has the same value. */
export type Found = Value | Goal;

/** Has a check of the value that was found. */
export function foundThen(found: Found, check: (value: Value) => void): Found {
  if (found._tag !== 'Goal') {
    check(found);
    return found;
  }
  const { node, frame, isLast, leave } = found;
  return goalOf(node, frame, isLast, (value) => {
    leave?.(value);
    check(value);
  });
}

/** A call of an operator or constructor, as that of a function. */
type Apply = (args: ReadonlyArray<Value>, run: Run) => Value;

interface OracleCode extends Code {
  readonly arity: number;
  readonly apply: Apply | undefined;
}

/** The ρ of a closure, with the sizes of names at its construction. */
interface Surroundings extends Environment, Pick<Frame, 'sizes'> {
  readonly frame: Frame;
}

/** `ρ ⊢ fn(..) ⇓ Clo(ρ|FV, fn)`. A function of the module has no environment. */
export const closureOf = (func: Func, frame: Frame | undefined): Closure =>
  makeClosure(func, func.params.length, undefined, frame);

/** An operator as a function value: `fn (%x, ..) { op(%x, ..) }`, with default attributes. */
export function operatorAsFunction({ name, span }: OpRef, { m }: Run): Closure {
  const op = m.ops.get(name) ?? stop(diagnostics.unknownOperator(name, span));
  const attrs = op.attrs.decode({});
  if (isLeft(attrs)) return stop(span === undefined ? attrs.left[0] : { ...attrs.left[0], span });
  const apply: Apply = (args, run) => applyOperator(name, attrs.right, args, span, run);
  return makeClosure(undefined, op.inputs.length, apply, undefined);
}

/** A constructor as a function value: `fn (%x, ..) { C(%x, ..) }`. */
export const constructorAsFunction = (ctor: Constructor): Closure =>
  makeClosure(undefined, ctor.inputs.length, (args) => construct(ctor, args, ctor.span), undefined);

/** `ρ ⊢ op(a..; attrs) : kernel[op](attrs, v..)`. The operator checks the sizes that are `?` in its type. */
export function applyOperator(
  name: string,
  attrs: Attrs,
  args: ReadonlyArray<Value>,
  span: Span | undefined,
  run: Run,
): Value {
  const { m, meter } = run;
  meter.countStep(span);
  const values = args.map(toOpValue);
  const prepared = prepareCall(m.ops, name, attrs, values, span);
  if (isLeft(prepared)) return stop(...prepared.left);
  meter.countWork(prepared.right.steps, span);
  const result = runCall(prepared.right, values, meter.maxBytes);
  if (isLeft(result)) return stop(...result.left);
  const { right: value } = result;
  // A kernel gives a tensor or a list of them.
  return isTensor(value) ? value : tupleValue(value as ReadonlyArray<Tensor>);
}

/** `ρ ⊢ C(a..) ⇓ ConstructorValue(C.tag, v..)`. The inputs may state sizes and own names. */
export function construct(
  ctor: Constructor,
  args: ReadonlyArray<Value>,
  span: Span | undefined,
): Value {
  const claims = args.flatMap((value, i): ReadonlyArray<Claim> => {
    const type = ctor.inputs[i];
    const subject = `input ${i} of ${ctor.nameHint}`;
    return type === undefined ? [] : [{ value, subject, type, span }];
  });
  checkSizes(claims, new Map());
  return adtValue(ctor, args);
}

/** `ρ ⊢ e(a1..an) : .. ρc[x ↦ v] ⊢ b`, in a new activation. A tail call replaces its caller. */
export function enter(
  callee: Closure,
  args: ReadonlyArray<Value>,
  span: Span | undefined,
  isLast: boolean,
  run: Run,
): Found {
  const { func, code } = callee;
  // A cell given to both executors may hold a function of the other.
  if (code.executor !== 'oracle') stop(diagnostics.foreignFunction('a call', 'oracle', span));
  const { arity, apply } = code as OracleCode;
  if (args.length !== arity) stop(diagnostics.argumentCount(arity, args.length, func?.span));
  const frame = func && newFrame(callee, func, args, run);
  const leave = isLast ? undefined : run.leave;
  if (leave !== undefined) run.meter.checkDepth(++run.depth, span);
  if (func === undefined || frame === undefined) {
    const value = apply?.(args, run) as Value;
    leave?.();
    return value;
  }
  const { body, retType: type } = func;
  if (!mayDiffer(run.m, body, type)) return goalOf(body, frame, true, leave);
  const claim = { subject: resultName(func, run.m), type, span: func.span };
  return foundThen(goalOf(body, frame, false, leave), (value) =>
    checkSizes([{ ...claim, value }], frame.sizes),
  );
}

/** `ρc[x ↦ v]`; for a `RecClo`, also `[f ↦ RecClo]`. The sizes of arguments match the types. */
function newFrame(callee: Closure, func: Func, args: ReadonlyArray<Value>, run: Run): Frame {
  // Closures of the oracle have only environments of the oracle.
  const around = callee.environment as Surroundings | undefined;
  const sharing = around?.frame.sharing ?? run.sharingIn(func);
  const values = new Map<Expr, Value>();
  for (const name of sharing.namesOf(func)) values.set(name, callee);
  const sizes = new Map(around?.sizes);
  for (const own of func.typeParams) sizes.delete(own);
  const claims = func.params.flatMap((param, i): ReadonlyArray<Claim> => {
    const { nameHint, typeAnnotation: type, span = func.span } = param;
    const value = args[i] as Value;
    values.set(param, value);
    return type === undefined ? [] : [{ value, subject: `parameter %${nameHint}`, type, span }];
  });
  checkSizes(claims, sizes);
  return { sharing, func, outer: around?.frame, values, sizes };
}

function makeClosure(
  func: Func | undefined,
  arity: number,
  apply: Apply | undefined,
  frame: Frame | undefined,
): Closure {
  const code: OracleCode = { _tag: 'Code', executor: 'oracle', arity, apply };
  const environment: Surroundings | undefined = frame && {
    _tag: 'Environment',
    frame,
    sizes: new Map(frame.sizes),
  };
  return { _tag: 'Closure', func, code, captured: [], environment };
}
