/** The executors on which a command can run a model. */
import { didYouMean, ok, type Result, right } from '@baton/base';
import { type Executor, interpreter, oracle, wasm } from 'batonjs';
import type { CommandOptions, Session } from './command.ts';
import { misuse } from './diagnostics.ts';

const EXECUTORS: ReadonlyArray<Executor> = [interpreter, wasm, oracle];

const NAMES: ReadonlyArray<string> = EXECUTORS.map(({ name }) => name);

export const EXECUTOR_OPTION: CommandOptions = {
  executor: {
    type: 'string',
    value: 'NAME',
    words: NAMES,
    doc: `what runs the programs: ${NAMES.join(', ')}. Default: ${interpreter.name}`,
  },
};

export function executorOf({ text }: Session): Result<Executor> {
  const name = text('executor');
  if (name === undefined) return ok(interpreter);
  const found = EXECUTORS.find((executor) => executor.name === name);
  if (found !== undefined) return right(found);
  return misuse(
    `there is no executor ${name}`,
    didYouMean(name, NAMES) ?? `there are ${NAMES.join(', ')}`,
  );
}
