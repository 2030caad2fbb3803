/**
 * The reference interpreter: strict, left to right, each shared node once in the activation that
 * owns it (language.md §7, decisions D13 and D15). It keeps its own stack, so that neither a chain
 * of calls nor a recursion can overflow.
 */
import {
  type Diagnostic,
  fail,
  InvariantError,
  invariant,
  type Result,
  type Span,
} from '@baton/base';
import { type Call, children, type Expr, type IRModule } from '@baton/ir';
import { evaluateCall, type OpValue } from '@baton/ops';
import { readNumber, type Tensor } from '@baton/tensor';
import { isLeft, right } from 'fp-ts/lib/Either.js';
import * as diagnostics from './diagnostics.ts';
import { frame, owningFrame, scopesOf } from './frame.ts';
import { type Closure, type Frame, type Scopes, tupleValue, type Value } from './value.ts';

/** A node whose value is being computed. */
interface Task {
  readonly node: Expr;
  readonly frame: Frame;
  /** How many operands are there already. */
  ready: number;
  /** The activation that a call waits for. */
  callee: Frame | undefined;
}

/** Runs programs of one module. */
export interface Interpreter {
  /** Calls a global function. */
  readonly callGlobal: (name: string, args: ReadonlyArray<Value>) => Result<Value>;
}

/** An interpreter for a typed module. */
export function makeInterpreter(m: IRModule): Interpreter {
  const globals = new Map<string, Closure>();

  const globalClosure = (name: string): Closure | undefined => {
    const known = globals.get(name);
    if (known !== undefined) return known;
    const func = m.functions.get(name);
    if (func === undefined) return undefined;
    const closure: Closure = {
      _tag: 'Closure',
      func,
      frame: frame(undefined, scopesOf(func), undefined),
    };
    globals.set(name, closure);
    return closure;
  };

  /** The value of a node that needs no computation, or that has been computed. */
  const known = (node: Expr, inner: Frame): Value | undefined => {
    if (node._tag === 'Constant') return node.data;
    if (node._tag === 'GlobalVar') return globalClosure(node.nameHint);
    return owningFrame(node, inner).values.get(node);
  };

  /** The first child from `task.ready` on that has no value; counts those that have one. */
  const nextMissing = (task: Task, operands: ReadonlyArray<Expr>): Expr | undefined => {
    while (task.ready < operands.length) {
      const next = operands[task.ready] as Expr;
      if (next._tag !== 'Op' && known(next, task.frame) === undefined) return next;
      task.ready += 1;
    }
    return undefined;
  };

  const operand = (node: Expr, inner: Frame): Value => {
    const value = known(node, inner);
    invariant(value !== undefined, 'an operand is computed before its user');
    return value;
  };

  const applyOp = (call: Call, task: Task): Result<Value> => {
    const args = call.args.map((arg) => toOpValue(operand(arg, task.frame)));
    const result = evaluateCall(m.ops, call, args);
    return isLeft(result) ? result : right(fromOpValue(result.right));
  };

  const enter = (call: Call, task: Task): Frame | Diagnostic => {
    const callee = operand(call.op, task.frame);
    if (callee._tag !== 'Closure') throw new InvariantError('a typed call has a function to call');
    return activate(
      callee,
      call.args.map((arg) => operand(arg, task.frame)),
      call.span,
    );
  };

  /** Does what can be done for a task: a value, a node to compute first, or a diagnostic. */
  const step = (task: Task): Step => {
    const { node } = task;
    switch (node._tag) {
      case 'Var':
        return failed(diagnostics.unboundVariable(node.nameHint, node.span));
      case 'Function':
        return done({ _tag: 'Closure', func: node, frame: task.frame });
      case 'Tuple': {
        const missing = nextMissing(task, node.fields);
        if (missing !== undefined) return first(missing, task.frame);
        return done(tupleValue(node.fields.map((f) => operand(f, task.frame))));
      }
      case 'TupleGetItem': {
        const missing = nextMissing(task, [node.tuple]);
        if (missing !== undefined) return first(missing, task.frame);
        const tuple = operand(node.tuple, task.frame);
        invariant(tuple._tag === 'Tuple', 'a typed projection has a tuple');
        return done(tuple.fields[node.index] as Value);
      }
      case 'Let': {
        const value = known(node.value, task.frame);
        if (value === undefined) return first(node.value, task.frame);
        task.frame.values.set(node.variable, value);
        return returning(node.body, task.frame);
      }
      case 'If': {
        const cond = known(node.cond, task.frame);
        if (cond === undefined) return first(node.cond, task.frame);
        invariant(cond._tag === 'Tensor', 'a typed condition is a tensor');
        return returning(
          readNumber(cond, 0) !== 0 ? node.trueBranch : node.falseBranch,
          task.frame,
        );
      }
      case 'Call':
        return stepCall(node, task);
      case 'Op':
        return failed(diagnostics.notCovered(`operator ${node.name} as a value`, node.span));
      case 'GlobalVar':
        return failed(diagnostics.unknownEntry(node.nameHint, [...m.functions.keys()]));
      case 'Constant':
        return done(node.data);
      case 'Constructor':
      case 'Match':
        return failed(diagnostics.notCovered('an algebraic data type', node.span));
      case 'RefCreate':
      case 'RefRead':
      case 'RefWrite':
        return failed(diagnostics.notCovered('a reference', node.span));
      case 'TempExpr':
        return failed(diagnostics.notCovered('a node private to a pass', node.span));
    }
  };

  const stepCall = (node: Call, task: Task): Step => {
    if (task.callee === undefined) {
      const missing = nextMissing(task, children(node));
      if (missing !== undefined) return first(missing, task.frame);
      if (node.op._tag === 'Op') {
        const result = applyOp(node, task);
        return isLeft(result) ? { _tag: 'Failed', diagnostics: result.left } : done(result.right);
      }
      const entered = enter(node, task);
      if ('code' in entered) return failed(entered);
      task.callee = entered;
    }
    const { func } = task.callee;
    invariant(func !== undefined, 'a callee has a function');
    return returning(func.body, task.callee);
  };

  /** The value of `body` is the value of the task. */
  const returning = (body: Expr, inner: Frame): Step => {
    const value = known(body, inner);
    return value === undefined ? first(body, inner) : done(value);
  };

  const run = (root: Expr, start: Frame): Result<Value> => {
    const stack: Task[] = [task(root, start)];
    for (;;) {
      const top = stack[stack.length - 1];
      if (top === undefined) return right(operand(root, start));
      const next = known(top.node, top.frame) === undefined ? step(top) : undefined;
      if (next === undefined) stack.pop();
      else if (next._tag === 'Failed') return fail(...next.diagnostics);
      else if (next._tag === 'First')
        stack.push(task(next.node, owningFrame(next.node, next.frame)));
      else {
        top.frame.values.set(top.node, next.value);
        stack.pop();
      }
    }
  };

  return {
    callGlobal: (name, args) => {
      const closure = globalClosure(name);
      if (closure === undefined)
        return fail(diagnostics.unknownEntry(name, [...m.functions.keys()]));
      const entered = activate(closure, args, closure.func.span);
      return 'code' in entered ? fail(entered) : run(closure.func.body, entered);
    },
  };
}

type Step =
  | { readonly _tag: 'Done'; readonly value: Value }
  | { readonly _tag: 'First'; readonly node: Expr; readonly frame: Frame }
  | { readonly _tag: 'Failed'; readonly diagnostics: readonly [Diagnostic, ...Diagnostic[]] };

const done = (value: Value): Step => ({ _tag: 'Done', value });

const first = (node: Expr, inner: Frame): Step => ({ _tag: 'First', node, frame: inner });

const failed = (d: Diagnostic): Step => ({ _tag: 'Failed', diagnostics: [d] });

const task = (node: Expr, inner: Frame): Task => ({
  node,
  frame: inner,
  ready: 0,
  callee: undefined,
});

/** A new activation with the parameters bound. */
function activate(
  callee: Closure,
  args: ReadonlyArray<Value>,
  span: Span | undefined,
): Frame | Diagnostic {
  const { func } = callee;
  if (args.length !== func.params.length) {
    return diagnostics.argumentCount(func.params.length, args.length, span);
  }
  const outer: Frame = callee.frame;
  const scopes: Scopes = outer.scopes;
  const inner = frame(func, scopes, outer);
  func.params.forEach((param, i) => {
    inner.values.set(param, args[i] as Value);
  });
  return inner;
}

/** Kernels see tensors and plain lists of them. Tuples of operators are one level deep. */
function toOpValue(value: Value): OpValue {
  if (value._tag === 'Tensor') return value;
  invariant(value._tag === 'Tuple', 'an operator takes tensors and tuples of them');
  return value.fields.map((field): Tensor => {
    invariant(field._tag === 'Tensor', 'a tuple given to an operator holds tensors');
    return field;
  });
}

function fromOpValue(value: OpValue): Value {
  if (!Array.isArray(value)) return value as Tensor;
  return tupleValue((value as ReadonlyArray<Tensor>).slice());
}
