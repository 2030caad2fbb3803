/**
 * The executor `oracle`: what a program means, as the language reference says it and in its order.
 * Other executors are compared with it, and it does nothing to be fast. The rules of
 * [language §4](https://batonjs.github.io/baton/spec/language#4) are applied to one node after the
 * other, operands from left to right, a computed callee after its arguments (decisions
 * [D13](https://batonjs.github.io/baton/spec/decisions#D13) and
 * [D17](https://batonjs.github.io/baton/spec/decisions#D17)).
 *
 * It differs from the `interpreter` in one limit: where shared nodes are found on demand, the
 * interpreter counts each as a call that waits, and so reaches `maxDepth` sooner.
 */
import { fail, invariant, type Result, right } from '@baton/base';
import {
  type Call,
  type Expr,
  type Func,
  type If,
  type IRModule,
  type Let,
  type Match,
  noAttrs,
  type RefRead,
  type Var,
} from '@baton/ir';
import { readNumber } from '@baton/tensor';
import * as diagnostics from '../diagnostics.ts';
import { type Executor, makeExecutor, type Program } from '../executor.ts';
import { type Limits, makeMeter } from '../limits.ts';
import { calleeName, mayDiffer, promiseOf, statedBy, statesResult } from '../promises.ts';
import { printValue, SHOWN_CHARACTERS } from '../values/print-value.ts';
import { boxed } from '../values/scalar.ts';
import {
  type Closure,
  emptyTuple,
  type RefValue,
  refValue,
  tupleValue,
  type Value,
} from '../values/value.ts';
import {
  applyClosure,
  applyOperator,
  closureOf,
  construct,
  constructorAsFunction,
  enter,
  type Frame,
  operatorAsFunction,
} from './apply.ts';
import { matchPattern } from './pattern.ts';
import { type Claim, checkFound, checkSizes, type Failure, give, newRun, type Run } from './run.ts';
import { type Sharing, sharingIn } from './sharing.ts';

/** The executor that reads like the language reference: slow, and plain. */
export const oracle: Executor = makeExecutor('oracle', makeProgram);

function makeProgram(m: IRModule): Program {
  const closures = new Map<string, Closure>();
  const known = new Map<Func, Sharing>();
  const globals = (name: string): Closure | undefined => {
    const func = m.functions.get(name);
    const closure = closures.get(name) ?? (func && closureOf(func, undefined));
    if (closure !== undefined) closures.set(name, closure);
    return closure;
  };
  const sharing = (func: Func): Sharing => {
    const found = known.get(func) ?? sharingIn(func);
    known.set(func, found);
    return found;
  };
  return {
    call: (name, args, limits: Limits) => {
      const callee = globals(name);
      if (callee === undefined) {
        return fail(diagnostics.unknownEntry(name, [...m.functions.keys()]));
      }
      const run = newRun({ m, meter: makeMeter(limits), globals, sharingIn: sharing });
      run.todo.push(() => enter(callee, args, undefined, run, evaluate));
      return finish(run);
    },
  };
}

/** Does what is to do until nothing is left, or something fails. */
function finish(run: Run): Result<Value> {
  for (let step = run.todo.pop(); step !== undefined; step = run.todo.pop()) {
    const failed = step();
    if (failed !== undefined) return fail(...failed);
  }
  const value = run.found.pop();
  invariant(value !== undefined && run.found.length === 0, 'a run finds one value');
  return right(value);
}

/**
 * DAG sharing: a node with several uses is evaluated once in each activation of its home, at the
 * first demand. Where nothing else is left of a call, nothing will ask for the value again.
 */
function evaluate(node: Expr, inner: Frame, run: Run): Failure {
  if (node._tag === 'Var' || !inner.sharing.isShared(node)) return evaluateNode(node, inner, run);
  const frame = homeOf(node, inner);
  const known = frame.values.get(node);
  if (known !== undefined) return give(known, run);
  const isLast = run.todo.at(-1) === run.leave && !inner.sharing.isCaptured(node);
  if (!isLast) {
    run.todo.push(() => {
      frame.values.set(node, run.found.at(-1) as Value);
      return undefined;
    });
  }
  return evaluateNode(node, frame, run);
}

function homeOf(node: Expr, inner: Frame): Frame {
  const home = inner.sharing.homeOf(node);
  let at = inner;
  while (at.func !== home && at.outer !== undefined) at = at.outer;
  return at;
}

/** Evaluates operands from left to right, and goes on with their values. */
function withValues(
  nodes: ReadonlyArray<Expr>,
  frame: Frame,
  run: Run,
  then: (values: ReadonlyArray<Value>) => Failure,
): Failure {
  run.todo.push(() => then(run.found.splice(run.found.length - nodes.length)));
  for (let i = nodes.length - 1; i >= 0; i--) goOn(nodes[i] as Expr, frame, run);
  return undefined;
}

function goOn(node: Expr, frame: Frame, run: Run): Failure {
  run.todo.push(() => evaluate(node, frame, run));
  return undefined;
}

/** [language §4](https://batonjs.github.io/baton/spec/language#4), row by row. */
function evaluateNode(node: Expr, frame: Frame, run: Run): Failure {
  switch (node._tag) {
    case 'Var':
      return evaluateVariable(node, frame, run);
    case 'GlobalVar': {
      const closure = run.globals(node.nameHint);
      if (closure === undefined) return [diagnostics.unknownGlobal(node.nameHint, node.span)];
      return give(closure, run);
    }
    case 'Constant':
      return give(boxed(node.data), run);
    case 'Op':
      return operatorAsFunction(node, run);
    case 'Constructor':
      return constructorAsFunction(node, run);
    case 'Tuple':
      return withValues(node.fields, frame, run, (fields) => give(tupleValue(fields), run));
    case 'TupleGetItem':
      return withValues([node.tuple], frame, run, ([tuple]) => {
        invariant(tuple?._tag === 'Tuple', 'a typed projection has a tuple');
        return give(tuple.fields[node.index] as Value, run);
      });
    case 'Function':
      return give(closureOf(node, frame), run);
    case 'Call':
      return evaluateCall(node, frame, run);
    case 'Let':
      return evaluateLet(node, frame, run);
    case 'If':
      return evaluateIf(node, frame, run);
    case 'Match':
      return evaluateMatch(node, frame, run);
    case 'RefCreate':
      return withValues([node.value], frame, run, ([value]) => give(refValue(value as Value), run));
    case 'RefRead':
      return evaluateRead(node, frame, run);
    case 'RefWrite':
      return withValues([node.ref, node.value], frame, run, ([ref, value]) => {
        cellOf(ref).value = value as Value;
        return give(emptyTuple, run);
      });
    case 'TempExpr':
      return [diagnostics.notCovered('a node private to a pass', node.span)];
  }
}

/** **Var**: ρ(vid). */
function evaluateVariable(node: Var, frame: Frame, run: Run): Failure {
  for (let at: Frame | undefined = frame; at !== undefined; at = at.outer) {
    const value = at.values.get(node);
    if (value !== undefined) return give(value, run);
  }
  return [diagnostics.unboundVariable(node.nameHint, node.span)];
}

/**
 * **Call**: the arguments from left to right, then the callee; then operator, constructor or
 * closure is applied. Where the function may not keep the sizes that the call's type states, the
 * result is checked.
 */
function evaluateCall(node: Call, frame: Frame, run: Run): Failure {
  const { op, args, span } = node;
  if (op._tag === 'Op') {
    return withValues(args, frame, run, (values) =>
      applyOperator(op.name, node.attrs ?? noAttrs, values, span, run),
    );
  }
  if (op._tag === 'Constructor') {
    return withValues(args, frame, run, (values) => construct(op, values, span, run));
  }
  return withValues([...args, op], frame, run, (values) => {
    const callee = values.at(-1);
    invariant(callee?._tag === 'Closure', 'a typed call has a function to call');
    const promise = promiseOf(node, run.m, frame.sharing.functionOf);
    const isKept = promise?.mayBeKept === true && statesResult(callee.func, promise.type);
    if (promise !== undefined && !isKept) {
      const claim = { subject: `the result of ${calleeName(op)}`, type: promise.type, span };
      run.todo.push(() => checkFound(claim, frame.sizes, run));
    }
    return applyClosure(callee, values.slice(0, -1), span, run, evaluate);
  });
}

/** **Let**: the value, the variable bound to it, the body. */
function evaluateLet({ variable, value, body, span }: Let, frame: Frame, run: Run): Failure {
  return withValues([value], frame, run, ([found]) => {
    const type = variable.typeAnnotation;
    if (mayDiffer(run.m, value, type)) {
      const subject = `variable %${variable.nameHint}`;
      const failed = checkSizes(
        [{ value: found as Value, subject, type, span: variable.span ?? span }],
        frame.sizes,
      );
      if (failed !== undefined) return failed;
    }
    frame.values.set(variable, found as Value);
    return goOn(body, frame, run);
  });
}

/** **If**: only the branch that is chosen is evaluated. */
function evaluateIf({ cond, trueBranch, falseBranch }: If, frame: Frame, run: Run): Failure {
  return withValues([cond], frame, run, ([found]) => {
    invariant(found?._tag === 'Tensor', 'a typed condition is a scalar');
    return goOn(readNumber(found, 0) === 0 ? falseBranch : trueBranch, frame, run);
  });
}

/** **Match**: the first clause whose pattern matches. */
function evaluateMatch({ data, clauses, span }: Match, frame: Frame, run: Run): Failure {
  return withValues([data], frame, run, ([value]) => {
    for (const { pattern, body } of clauses) {
      const bound = matchPattern(pattern, value as Value);
      if (bound === undefined) continue;
      const failed = bind(bound, frame, run, span);
      return failed ?? goOn(body, frame, run);
    }
    return [diagnostics.noMatch(printValue(value as Value, SHOWN_CHARACTERS), span)];
  });
}

/** Fields of data may be of types with `?` where the type of the data has sizes. */
function bind(
  bound: ReadonlyMap<Var, Value>,
  frame: Frame,
  run: Run,
  span: Match['span'],
): Failure {
  const claims: Claim[] = [];
  for (const [variable, value] of bound) {
    if (!frame.sharing.isUsed(variable)) continue;
    frame.values.set(variable, value);
    const type = statedBy(run.m, variable);
    const subject = `variable %${variable.nameHint}`;
    if (type !== undefined) claims.push({ value, subject, type, span: variable.span ?? span });
  }
  return checkSizes(claims, frame.sizes);
}

/** **RefRead**: what a cell holds may be of a type with `?` where it is read at one with a size. */
function evaluateRead(node: RefRead, frame: Frame, run: Run): Failure {
  return withValues([node.ref], frame, run, ([ref]) => {
    const { value } = cellOf(ref);
    const type = statedBy(run.m, node);
    const claim = { value, subject: 'what the reference holds', span: node.span };
    const failed = type && checkSizes([{ ...claim, type }], frame.sizes);
    return failed ?? give(value, run);
  });
}

function cellOf(value: Value | undefined): RefValue {
  invariant(value?._tag === 'Ref', 'a typed reference operation has a reference');
  return value;
}
