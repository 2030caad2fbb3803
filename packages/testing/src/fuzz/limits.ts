/** Generated programs within limits: executors stop at the same step of the program. */
import { isLeft } from '@baton/base';
import { type Executor, interpreter, oracle, type RunLimits } from '@baton/executor';
import type { Func } from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import { parseModule, printModule } from '@baton/text';
import { type Generator, outcome } from './executors.ts';
import { inputsFor } from './inputs.ts';

/** The most amounts of fuel of one program: most take fewer steps. */
const MOST_FUEL = 60;

/** Limits of depth and of bytes that some calls, and some results, are beyond. */
const OTHER_LIMITS: ReadonlyArray<RunLimits> = [
  ...[0, 1, 2].map((maxDepth) => ({ maxDepth })),
  ...[0, 4, 24, 64].map((maxBytes) => ({ maxBytes })),
];

/**
 * The difference between the executors on a generator's program of this seed, with each amount of fuel
 * up to what it needs, and within other limits. The program comes from its text, so that diagnostics
 * say which step did not run.
 */
export function checkLimits(
  { name, program }: Generator,
  seed: number,
  subject: Executor = interpreter,
): string | undefined {
  const { module, stated } = program(seed);
  const text = printModule(module, { showTypes: false });
  const placed = parseModule(text, { ops });
  if (isLeft(placed)) return `${name}: its text is refused: ${placed.left[0].message}\n${text}`;
  const inputs = inputsFor(stated.functions.get('main') as Func, seed);
  const [one, other] = [subject, oracle].map((executor) => {
    const prepared = executor.prepare(placed.right);
    return (limits: RunLimits): string =>
      outcome(isLeft(prepared) ? prepared : prepared.right.run(inputs, limits));
  }) as [(limits: RunLimits) => string, (limits: RunLimits) => string];
  const enough = one({ fuel: MOST_FUEL });
  for (let fuel = 0, isDone = false; fuel < MOST_FUEL && !isDone; fuel++) {
    const found = one({ fuel });
    const expected = other({ fuel });
    if (found !== expected) return differs({ fuel }, found, expected);
    isDone = expected === enough;
  }
  for (const limits of OTHER_LIMITS) {
    const bounded = { fuel: MOST_FUEL, ...limits };
    const [found, expected] = [one(bounded), other(bounded)];
    if (found !== expected) return differs(limits, found, expected);
  }
  return undefined;

  function differs(limits: RunLimits, found: string, expected: string): string {
    const within = JSON.stringify(limits);
    return `${name}: within ${within} the ${subject.name} finds ${found}, the oracle ${expected}\n${text}`;
  }
}
