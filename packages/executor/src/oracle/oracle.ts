/**
 * The executor `oracle`: the meaning of a program, in the words of the language reference. Its
 * files are the sections of the reference: `constructs` (§4), `patterns` (§5), `evaluation` and
 * `sharing` (§7). Other executors are compared with it, and it does nothing to be fast.
 *
 * It differs from the `interpreter` in one limit: the interpreter counts each shared node on demand
 * as a waiting call, and so reaches `maxDepth` sooner.
 */
import { fail, remember, right, runSteps } from '@baton/base';
import type { Func, IRModule } from '@baton/ir';
import * as diagnostics from '../diagnostics.ts';
import { type Executor, makeExecutor, type Program } from '../executor.ts';
import { makeMeter } from '../limits.ts';
import type { Closure } from '../values/value.ts';
import { valueFound } from './constructs.ts';
import { closureOf, enter } from './evaluation.ts';
import { type Run, Stop } from './run.ts';
import { type Sharing, sharingIn } from './sharing.ts';

/** The executor that reads like the language reference: slow, and plain. */
export const oracle: Executor = makeExecutor('oracle', makeProgram);

function makeProgram(m: IRModule): Program {
  const closures = new Map<string, Closure>();
  const sharings = new Map<Func, Sharing>();
  const globals = (name: string): Closure | undefined => {
    const func = m.functions.get(name);
    return func && remember(closures, name, () => closureOf(func, undefined));
  };
  return {
    call: (name, args, limits) => {
      const callee = globals(name);
      if (callee === undefined) {
        return fail(diagnostics.unknownEntry(name, [...m.functions.keys()]));
      }
      const meter = makeMeter(limits);
      const run: Run = {
        m,
        meter,
        globals,
        sharingIn: (func) => remember(sharings, func, () => sharingIn(func)),
        depth: -1,
        steps: 0,
        limit: meter.next,
      };
      try {
        return right(runSteps(valueFound(enter(callee, args, undefined, false, run), run)));
      } catch (error) {
        if (error instanceof Stop) return fail(...error.diagnostics);
        throw error;
      }
    },
  };
}
