/** The executor `interpreter`: functions are compiled as they are called. */
import { type Diagnostic, remember } from '@baton/base';
import type { Constructor, Func, IRModule, OpRef } from '@baton/ir';
import type { CompileContext } from './code/compilation.ts';
import { compileFunction } from './code/compile.ts';
import { type Host, noHost } from './code/host.ts';
import { newRoutine } from './code/instruction.ts';
import { wrappedCallee } from './code/wrap.ts';
import { type Executor, makeExecutor, type Program, withDense } from './executor.ts';
import type { RunLimits } from './limits.ts';
import { runClosure } from './run/machine.ts';
import { isLent, makePool, type Pool } from './run/pool.ts';
import type { Closure } from './values/value.ts';

/** The executor for everyday use: instructions for a machine that never overflows. */
export const interpreter: Executor = interpreterWith('interpreter', () => noHost);

/**
 * The interpreter under another name, with a host that computes some of a module's functions.
 * `hostOf` is asked for the host once for each module, whose types are known, with the limits of its
 * runs, and `warningsOf` for what the host lacks. `dispose` ends what all hosts share.
 */
export function interpreterWith(
  name: string,
  hostOf: (m: IRModule, limits: RunLimits) => Host,
  warningsOf?: () => ReadonlyArray<Diagnostic>,
  dispose?: () => void,
): Executor {
  const programOf = (m: IRModule, limits: RunLimits): Program => {
    const host = hostOf(m, limits);
    return {
      ...makeProgram(m, makePool(), name, host),
      warnings: () => [...(warningsOf?.() ?? []), ...(host.warnings?.() ?? [])],
      dispose: host.dispose,
    };
  };
  return makeExecutor(name, programOf, dispose);
}

/** The program of a module, with storage for its intermediates; compiles functions when called. */
export function makeProgram(
  m: IRModule,
  pool: Pool,
  executor: string = 'interpreter',
  host: Host = noHost,
): Program {
  const closures = new Map<Func, Closure>();
  // By node: a failure is at the place where the operator stands.
  const wrapped = new Map<OpRef | Constructor, Closure | Diagnostic>();

  const compiledLater = (func: Func): Closure => {
    const routine = newRoutine(func, func.params.length, false, executor);
    routine.compile = () => {
      routine.compile = undefined;
      compileFunction(func, routine, context);
    };
    return { _tag: 'Closure', func, code: routine, captured: [], environment: undefined };
  };
  const closureOf = (func: Func): Closure => remember(closures, func, () => compiledLater(func));
  const context: CompileContext = {
    module: m,
    executor,
    host,
    globalFunction: (name) => {
      const func = m.functions.get(name);
      return func && closureOf(func);
    },
    wrapped: (callee) => remember(wrapped, callee, () => wrappedCallee(callee, m, executor)),
  };
  return {
    call: (func, args, meter) => {
      const result = runClosure(closureOf(func), args, { executor, ops: m.ops, meter, pool });
      // The next run uses the storage again.
      const own = withDense(result, (t) => !isLent(t));
      pool.drop(result);
      return own;
    },
  };
}
