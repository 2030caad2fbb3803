/** The executors that the command line names. */
import { type Executor, interpreter, oracle, wasm } from 'batonjs';

export const EXECUTORS: ReadonlyArray<Executor> = [interpreter, oracle, wasm];

/** The executor of a name, by default the interpreter, or the mistake in the name. */
export const executorNamed = (name: string = interpreter.name): Executor | string =>
  EXECUTORS.find((executor) => executor.name === name) ??
  `--executor expects ${EXECUTORS.map((one) => one.name).join(' or ')}, found ${name}`;
