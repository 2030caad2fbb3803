/** The executors that the command line knows by name. */
import { type Executor, interpreter, oracle } from 'batonjs';

/** Every executor, the default first. */
export const EXECUTORS: ReadonlyArray<Executor> = [interpreter, oracle];

/** The executor of a name; the default where none is given. */
export const executorNamed = (name: string = interpreter.name): Executor | undefined =>
  EXECUTORS.find((executor) => executor.name === name);
