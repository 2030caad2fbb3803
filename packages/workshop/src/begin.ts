/** The begin and the end of each program: mistakes of the user are printed, bugs with a stack. */
import { DiagnosticsError } from '@baton/base';

/** A mistake of the user, in words. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
}

const EXIT_INPUT = 3;

export async function begin(main: () => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!isOfUser(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = EXIT_INPUT;
  }
}

/** Whether an error is a mistake, diagnostics of an input, or a file that the system refuses. */
const isOfUser = (error: unknown): error is Error =>
  error instanceof Mistake ||
  error instanceof DiagnosticsError ||
  (error instanceof Error && 'syscall' in error);
