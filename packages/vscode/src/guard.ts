/**
 * Keeps the server running despite faults: if it ended, every open text would lose its language
 * support.
 */

export type Log = (message: string) => void;

/** An answer, or `otherwise` if the server fails, which is written to the log. */
export function answered<A>(what: string, answer: () => A, otherwise: A, log: Log): A {
  try {
    return answer();
  } catch (thrown) {
    log(`${what}: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
    return otherwise;
  }
}
