/**
 * Functions, operators and constructors applied to values, as
 * [language §7](https://batonjs.github.io/baton/spec/language#7) says.
 */
import { isLeft, type Span } from '@baton/base';
import type { Attrs, Constructor, Expr, Func, OpRef, TypeVar } from '@baton/ir';
import { evaluateOp } from '@baton/ops';
import * as diagnostics from '../diagnostics.ts';
import { mayDiffer, resultName } from '../promises.ts';
import { fromOpValue, toOpValue } from '../values/op-value.ts';
import {
  adtValue,
  type Closure,
  type Code,
  type Environment,
  type Value,
} from '../values/value.ts';
import {
  checkFound,
  checkSizes,
  countStep,
  enterCall,
  type Failure,
  give,
  type Run,
} from './run.ts';
import type { Sharing } from './sharing.ts';

/** An activation of a function. */
export interface Frame {
  readonly sharing: Sharing;
  readonly func: Func;
  /** The activation in which the function was made. */
  readonly outer: Frame | undefined;
  /** What variables are, and what shared nodes were found to be. */
  readonly values: Map<Expr, Value>;
  /** The sizes that names of dimensions stand for. */
  readonly sizes: Map<TypeVar, number>;
}

/** Starts on the body of a function in a new activation. */
type EvaluateBody = (body: Expr, frame: Frame, run: Run) => Failure;

/** What the oracle does at a call of a closure that has no function. */
interface OracleCode extends Code {
  readonly arity: number;
  readonly apply: ((args: ReadonlyArray<Value>, run: Run) => Failure) | undefined;
}

interface Surroundings extends Environment {
  readonly frame: Frame;
  readonly sizes: ReadonlyMap<TypeVar, number>;
}

/** `ρ ⊢ fn(..) ⇓ Clo(ρ, fn)`. A function of the module has no environment. */
export function closureOf(func: Func, frame: Frame | undefined): Closure {
  const environment: Surroundings | undefined = frame && {
    _tag: 'Environment',
    frame,
    sizes: new Map(frame.sizes),
  };
  return makeClosure(func, { arity: func.params.length, apply: undefined }, environment);
}

/** An operator where a function is wanted: `fn (%x, ..) { op(%x, ..) }`, attributes by default. */
export function operatorAsFunction({ name, span }: OpRef, run: Run): Failure {
  const op = run.m.ops.get(name);
  if (op === undefined) return [diagnostics.unknownOperator(name, span)];
  const attrs = op.attrs.decode({});
  if (isLeft(attrs)) {
    const [first] = attrs.left;
    return [span === undefined ? first : { ...first, span }];
  }
  const apply: OracleCode['apply'] = (args) => applyOperator(name, attrs.right, args, span, run);
  return give(makeClosure(undefined, { arity: op.inputs.length, apply }, undefined), run);
}

/** A constructor where a function is wanted: `fn (%x, ..) { C(%x, ..) }`. */
export function constructorAsFunction(ctor: Constructor, run: Run): Failure {
  const apply: OracleCode['apply'] = (args) => construct(ctor, args, ctor.span, run);
  return give(makeClosure(undefined, { arity: ctor.inputs.length, apply }, undefined), run);
}

/** `ρ ⊢ op(a..; attrs) : kernel[op](attrs, v..)`. */
export function applyOperator(
  name: string,
  attrs: Attrs,
  args: ReadonlyArray<Value>,
  span: Span | undefined,
  run: Run,
): Failure {
  const stopped = countStep(span, run);
  if (stopped !== undefined) return stopped;
  const { m, meter } = run;
  const result = evaluateOp(m.ops, name, attrs, args.map(toOpValue), span, meter.maxBytes);
  return isLeft(result) ? result.left : give(fromOpValue(result.right), run);
}

/** `ρ ⊢ C(a..) ⇓ ConstructorValue(C.tag, v..)`. The inputs may state sizes, and names of their own. */
export function construct(
  ctor: Constructor,
  args: ReadonlyArray<Value>,
  span: Span | undefined,
  run: Run,
): Failure {
  const claims = args.flatMap((value, i) => {
    const type = ctor.inputs[i];
    return type === undefined ? [] : [{ value, subject: inputName(i, ctor), type, span }];
  });
  return checkSizes(claims, new Map()) ?? give(adtValue(ctor, args), run);
}

const inputName = (i: number, ctor: Constructor): string => `input ${i} of ${ctor.nameHint}`;

/** `ρ ⊢ e(a1..an)`, all evaluated: a step, and then what the function does. */
export const applyClosure = (
  callee: Closure,
  args: ReadonlyArray<Value>,
  span: Span | undefined,
  run: Run,
  evaluateBody: EvaluateBody,
): Failure => countStep(span, run) ?? enter(callee, args, span, run, evaluateBody);

/** `ρc[x ↦ v] ⊢ b`; a function that a let named also has its name: `RecClo`. */
export function enter(
  callee: Closure,
  args: ReadonlyArray<Value>,
  span: Span | undefined,
  run: Run,
  evaluateBody: EvaluateBody,
): Failure {
  const { func, code } = callee;
  // A cell that both executors were given may hold a function of the other.
  if (code.executor !== 'oracle') return [diagnostics.foreignFunction('a call', 'oracle', span)];
  const { arity, apply } = code as OracleCode;
  if (args.length !== arity) return [diagnostics.argumentCount(arity, args.length, func?.span)];
  if (func === undefined) return enterCall(span, run) ?? apply?.(args, run);
  const frame = newFrame(callee, func, args, run);
  const failed = checkParameters(func, args, frame) ?? enterCall(span, run);
  if (failed !== undefined) return failed;
  const { retType } = func;
  if (mayDiffer(run.m, func.body, retType)) {
    const claim = { subject: resultName(func, run.m), type: retType, span: func.span };
    run.todo.push(() => checkFound(claim, frame.sizes, run));
  }
  return evaluateBody(func.body, frame, run);
}

function newFrame(callee: Closure, func: Func, args: ReadonlyArray<Value>, run: Run): Frame {
  // Only the oracle's environments are ever put into its closures.
  const around = callee.environment as Surroundings | undefined;
  const sharing = around?.frame.sharing ?? run.sharingIn(func);
  const values = new Map<Expr, Value>(sharing.namesOf(func).map((name) => [name, callee]));
  func.params.forEach((param, i) => {
    values.set(param, args[i] as Value);
  });
  const sizes = new Map(around?.sizes);
  for (const own of func.typeParams) sizes.delete(own);
  return { sharing, func, outer: around?.frame, values, sizes };
}

function checkParameters(func: Func, args: ReadonlyArray<Value>, { sizes }: Frame): Failure {
  const claims = func.params.flatMap(({ nameHint, typeAnnotation, span }, i) => {
    if (typeAnnotation === undefined) return [];
    const place = span ?? func.span;
    const value = args[i] as Value;
    return [{ value, subject: `parameter %${nameHint}`, type: typeAnnotation, span: place }];
  });
  return checkSizes(claims, sizes);
}

const makeClosure = (
  func: Func | undefined,
  code: Pick<OracleCode, 'arity' | 'apply'>,
  environment: Surroundings | undefined,
): Closure => {
  const made: OracleCode = { _tag: 'Code', executor: 'oracle', ...code };
  return { _tag: 'Closure', func, code: made, captured: [], environment };
};
