/**
 * The executor `oracle`: the meaning of a program, in the words of the language reference. Its
 * files are the sections of the reference: `constructs` (§4), `patterns` (§5), `evaluation` and
 * `sharing` (§7). Other executors are compared with it, and it does nothing to be fast.
 *
 * It differs from the `interpreter` in one limit: the interpreter counts each shared node on demand
 * as a waiting call, and so reaches `maxDepth` sooner.
 */
import { remember, runSteps } from '@baton/base';
import type { Func, IRModule } from '@baton/ir';
import { type Executor, makeExecutor, type Program } from '../executor.ts';
import type { Closure } from '../values/value.ts';
import { valueFound } from './constructs.ts';
import { closureOf, enter } from './evaluation.ts';
import type { Run } from './run.ts';
import { type Sharing, sharingIn } from './sharing.ts';

/** The executor that reads like the language reference: slow, and plain. */
export const oracle: Executor = makeExecutor('oracle', makeProgram);

function makeProgram(m: IRModule): Program {
  const closures = new Map<Func, Closure>();
  const sharings = new Map<Func, Sharing>();
  const globalClosure = (func: Func): Closure =>
    remember(closures, func, () => closureOf(func, undefined));
  return {
    call: (func, args, meter) => {
      const run: Run = {
        m,
        meter,
        globals: (name) => {
          const global = m.functions.get(name);
          return global && globalClosure(global);
        },
        sharingIn: (root) => remember(sharings, root, () => sharingIn(root)),
        depth: -1,
        leave: () => {
          run.depth -= 1;
        },
      };
      return runSteps(valueFound(enter(globalClosure(func), args, undefined, false, run), run));
    },
  };
}
