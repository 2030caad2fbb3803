/** Recursion on an explicit stack: generators yield their calls, and `runSteps` keeps them. */

/** A computation of `A` that may run others: `const a = yield* run(other)`. */
export type Steps<A> = Generator<Steps<unknown>, A, unknown>;

/**
 * The object that `run` gives to `yield*`. Its first `next` passes the computation on to the
 * driver; its second returns the result. `yield*` calls `next` at once, so one object serves all
 * calls; a new generator for each call would cost as much as the computation itself.
 */
const relay = {
  steps: undefined as Steps<unknown> | undefined,
  next(value: unknown): IteratorResult<Steps<unknown>, unknown> {
    const { steps } = relay;
    if (steps === undefined) return { done: true, value };
    relay.steps = undefined;
    return { done: false, value: steps };
  },
  throw(error: unknown): never {
    throw error;
  },
  return(value: unknown): IteratorResult<Steps<unknown>, unknown> {
    return { done: true, value };
  },
  [Symbol.iterator]() {
    return relay;
  },
};

/** Runs another computation from within one. */
export function run<A>(steps: Steps<A>): Steps<A> {
  relay.steps = steps;
  // The driver resumes with the result of the steps that it was handed.
  return relay as unknown as Steps<A>;
}

/** The value of a computation. An exception passes through every calling computation. */
export function runSteps<A>(root: Steps<A>): A {
  const waiting: Steps<unknown>[] = [];
  let current: Steps<unknown> = root;
  let input: unknown;
  let error: { readonly value: unknown } | undefined;
  for (;;) {
    try {
      const step = error === undefined ? current.next(input) : current.throw(error.value);
      error = undefined;
      if (step.done !== true) {
        waiting.push(current);
        current = step.value;
        input = undefined;
        continue;
      }
      input = step.value;
    } catch (thrown) {
      error = { value: thrown };
    }
    const parent = waiting.pop();
    if (parent === undefined) {
      if (error !== undefined) throw error.value;
      // The root returns last, and its value is an `A`.
      return input as A;
    }
    current = parent;
  }
}
