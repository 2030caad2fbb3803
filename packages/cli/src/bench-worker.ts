/**
 * A process that measures one variant of the model of `baton bench`:
 * `bench-worker.js VARIANT ARGUMENTS...`, in the package's folder `bin`.
 */
import process from 'node:process';
import { orThrow } from '@baton/base';
import { readInputs } from './arrays/inputs.ts';
import { bench } from './commands/bench.ts';
import { executorOf } from './executors.ts';
import { openModel } from './model-file.ts';
import { nodeHost } from './node-host.ts';
import { openSession } from './session.ts';
import { serveTimes, type Timed } from './timing/serve.ts';

export function work(): void {
  const [, , variant = '', ...argv] = process.argv;
  serveTimes(variant, () => load(argv));
}

async function load(argv: ReadonlyArray<string>): Promise<Timed> {
  const { session } = orThrow(await openSession(bench, argv, nodeHost()));
  const module = orThrow(await openModel(session, session.operands[0] ?? '-'));
  const inputs = orThrow(await readInputs(session, module));
  return { executor: orThrow(executorOf(session)), module, inputs };
}
