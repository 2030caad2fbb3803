import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { orThrow } from '@baton/base';
import { type Executor, evaluate, interpreter, oracle } from '@baton/executor';
import type { IRModule } from '@baton/ir';
import { type Kernel, kernelColumn, standardOps } from '@baton/ops';
import { tensor } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const STEPS = 30;
/** Elements of float32: a megabyte. */
const SIZE = 262_144;
const MEGABYTE = 1_048_576;

/** Runs a program whose last operator is `sum`: megabytes that live then, over those at `exp`. */
function heldAtTheEnd(executor: Executor, build: (ops: typeof standardOps) => IRModule): number {
  const inUse = (): number => {
    // Buffers are freed in the background: each collection waits for the previous one's.
    for (let i = 0; i < 3; i++) collectGarbage();
    return process.memoryUsage().arrayBuffers / MEGABYTE;
  };
  let before = Number.NaN;
  let held = Number.NaN;
  const around = (name: string, first: () => void): [string, Kernel] => {
    const kernel = standardOps.read(kernelColumn, name);
    if (kernel === undefined) throw new Error(`no kernel for ${name}`);
    return [
      name,
      (...args) => {
        first();
        return kernel(...args);
      },
    ];
  };
  let runs = 0;
  const ops = standardOps.withColumn(
    kernelColumn,
    new Map([
      around('exp', () => {
        runs += 1;
        if (runs === 1) before = inUse();
      }),
      around('sum', () => {
        held = inUse() - before;
      }),
    ]),
  );
  const input = tensor(new Float32Array(SIZE), [SIZE], 'float32');
  orThrow(evaluate(build(ops), [input], { executor }));
  expect(runs).toBe(STEPS);
  return held;
}

const text = (body: string) => (ops: typeof standardOps) =>
  orThrow(
    parseModule(`#[version = "0.0.5"]\ndef @main(%x: Tensor[(${SIZE}), float32]) { ${body} }`, {
      ops,
    }),
  );

const chained = (line: (i: number, before: string) => string): string =>
  Array.from({ length: STEPS }, (_, i) => line(i, i === 0 ? '%x' : `%v${i - 1}`)).join(' ');

// The argument of `sum` is one megabyte; kept, the others would be 30 or more. The oracle keeps the
// values that have names until the call that named them ends.
describe.each([
  { executor: interpreter, most: 8 },
  { executor: oracle, most: 2 * STEPS + 8 },
])('values that nobody reads again, on the $executor.name', ({ executor, most }) => {
  const last = `%v${STEPS - 1}`;

  it.each([
    ['lets', `${chained((i, v) => `let %v${i} = exp(${v});`)} sum(${last})`],
    [
      'lets that are read twice',
      `${chained((i, v) => `let %v${i} = minimum(exp(${v}), ${v});`)} sum(${last})`,
    ],
    [
      'shared nodes',
      `${chained((i, v) => `let %v${i} = { %${i} = exp(${v}); %${i} + %${i} };`)} sum(${last})`,
    ],
    ['nested calls', `sum(${'exp('.repeat(STEPS)}%x${')'.repeat(STEPS)})`],
    [
      'values that are last read in a branch',
      `${chained((i, v) => `let %e${i} = exp(${v}); let %v${i} = if (True) { %e${i} + %e${i} } else { %e${i} };`)} sum(${last})`,
    ],
    [
      'values of clauses',
      `${chained((i, v) => `let %v${i} = match ((exp(${v}), 1)) { (%a, _) => %a + %a };`)} sum(${last})`,
    ],
  ])('are given back: %s', (_, body) => {
    expect(heldAtTheEnd(executor, text(body))).toBeLessThan(most);
  });
});
