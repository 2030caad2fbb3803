/** The executor `interpreter`: functions are compiled as they are called. */
import { type Diagnostic, fail, isLeft, type Result, remember, right } from '@baton/base';
import type { Constructor, Func, IRModule, OpRef } from '@baton/ir';
import type { CompileContext } from './code/compilation.ts';
import { compileFunction } from './code/compile.ts';
import { newRoutine } from './code/instruction.ts';
import { wrappedCallee } from './code/wrap.ts';
import * as diagnostics from './diagnostics.ts';
import { type Executor, makeExecutor, type Program, withDense } from './executor.ts';
import { makeMeter } from './limits.ts';
import { runClosure } from './run/machine.ts';
import { isLent, makePool, type Pool } from './run/pool.ts';
import type { Closure, Value } from './values/value.ts';

/**
 * The executor for everyday use: functions become instructions for a machine that never overflows.
 */
export const interpreter: Executor = makeExecutor('interpreter', (m) => makeProgram(m, makePool()));

/**
 * The program of a module, with storage for its intermediates. Nothing is compiled before it is
 * called.
 */
export function makeProgram(m: IRModule, pool: Pool): Program {
  const globals = new Map<string, Closure>();
  // By node: a failure is at the place where the operator stands.
  const wrapped = new Map<OpRef | Constructor, Closure | Diagnostic>();

  const globalFunction = (name: string): Closure | undefined => {
    const func = m.functions.get(name);
    return func && remember(globals, name, () => compiledLater(func));
  };
  const compiledLater = (func: Func): Closure => {
    const routine = newRoutine(func, func.params.length, false);
    routine.compile = () => {
      routine.compile = undefined;
      compileFunction(func, routine, context);
    };
    return { _tag: 'Closure', func, code: routine, captured: [], environment: undefined };
  };
  const context: CompileContext = {
    module: m,
    globalFunction,
    wrapped: (callee) => remember(wrapped, callee, () => wrappedCallee(callee, m)),
  };
  return {
    call: (name, args, limits) => {
      const closure = globalFunction(name);
      return closure === undefined
        ? fail(diagnostics.unknownEntry(name, [...m.functions.keys()]))
        : ownResult(runClosure(m.ops, closure, args, makeMeter(limits), pool), pool);
    },
  };
}

/** The result out of storage that the next run uses again. */
function ownResult(result: Result<Value>, pool: Pool): Result<Value> {
  if (isLeft(result)) return result;
  const own = withDense(result.right, (t) => !isLent(t));
  pool.drop(result.right);
  return right(own);
}
