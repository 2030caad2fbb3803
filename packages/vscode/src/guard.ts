/** Answers in spite of faults: a server that ends takes every open text with it. */

/** Where faults are written. */
export type Log = (message: string) => void;

/** An answer, or `otherwise` if a fault of the server prevents one, which is written to the log. */
export function answered<A>(what: string, answer: () => A, otherwise: A, log: Log): A {
  try {
    return answer();
  } catch (thrown) {
    log(`${what}: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
    return otherwise;
  }
}
