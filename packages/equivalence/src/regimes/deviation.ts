/** The effect of a program's own rounding on its results: no comparison may be stricter. */
import type { Random } from '@baton/base';
import type { Value } from '@baton/executor';
import type { IRModule } from '@baton/ir';
import { isFloat, sameShape, type Tensor, toNumbers } from '@baton/tensor';
import { mapInputs } from '../baseline.ts';
import { changed, noise, type Watch } from '../observe.ts';
import type { Run, Runner } from '../run.ts';

/** The largest move of each element of each result. */
export type Deviation = (output: number, element: number) => number;

/** How moves are measured. */
export interface Measuring {
  readonly runs: number;
  /** Every element counts for this share of the move of its tensor. */
  readonly share: number;
}

/** Luck may leave one element in place. */
const MEASURING: Measuring = { runs: 4, share: 0.05 };

/** A tie is broken either way with equal odds: in this many runs, both ways but once in 30,000. */
const RUNS_OF_TIES = 16;

/**
 * The move of results when every operator is wrong by `epsilon` relative to its result. Infinite if
 * a comparison tips over, a value stops being finite, or a shape changes.
 */
export function deviationUnderNoise(
  run: Runner,
  m: IRModule,
  base: Run,
  epsilon: number,
  random: Random,
): Deviation {
  return deviation(run, m, base, () => noise(epsilon, random));
}

/** The move of results when every operator and every input is wrong by `epsilon` relative to itself. */
export const deviationUnderMoves = (
  run: Runner,
  m: IRModule,
  base: Run,
  epsilon: number,
  random: Random,
): Deviation =>
  deviationUnder(run, m, base, () => ({
    watch: noise(epsilon, random),
    inputs: (inputs) =>
      mapInputs(inputs, (t) => changed(t, (x) => x * (1 + epsilon * (2 * random() - 1)))),
  }));

/** A disturbance of one run: of the results of operators, and of the inputs. */
export interface Disturbance {
  readonly watch: Watch;
  readonly inputs: (inputs: ReadonlyArray<Value>) => ReadonlyArray<Value>;
}

/** The move of results under other runs of the program. */
export const deviation = (
  run: Runner,
  m: IRModule,
  base: Run,
  watchFor: () => Watch,
  measuring: Measuring = MEASURING,
): Deviation =>
  deviationUnder(
    run,
    m,
    base,
    () => ({ watch: watchFor(), inputs: (inputs) => inputs }),
    measuring,
  );

/** The move of results when each run has a disturbance of its own. */
export function deviationUnder(
  run: Runner,
  m: IRModule,
  base: Run,
  disturbance: () => Disturbance,
  { runs, share }: Measuring = MEASURING,
): Deviation {
  const moved = base.results.map((t) => new Float64Array(toNumbers(t).length));
  // A mask, a count or an index moves where its own element is at a tie, whatever others do.
  const isDiscrete = base.results.map(({ dtype }) => !isFloat(dtype));
  const count = isDiscrete.includes(true) ? Math.max(runs, RUNS_OF_TIES) : runs;
  for (let i = 0; i < count; i++) {
    const { watch, inputs } = disturbance();
    const noisy = run(m, inputs(base.inputs), watch);
    if (typeof noisy === 'string') return () => Number.POSITIVE_INFINITY;
    for (const [output, t] of base.results.entries()) {
      widenTo(moved[output] ?? new Float64Array(0), t, noisy.results[output]);
    }
  }
  // A number that rounding takes out of the finite ones says nothing of its neighbours.
  const largest = moved.map((of) =>
    of.reduce((a, b) => (b < Number.POSITIVE_INFINITY ? Math.max(a, b) : a), 0),
  );
  return (output, element) =>
    isDiscrete[output] === true
      ? (moved[output]?.[element] ?? 0)
      : Math.max(moved[output]?.[element] ?? 0, share * (largest[output] ?? 0));
}

/** The larger effect of two. */
export const largerOf =
  (a: Deviation, b: Deviation): Deviation =>
  (output, element) =>
    Math.max(a(output, element), b(output, element));

function widenTo(moved: Float64Array, from: Tensor, to: Tensor | undefined): void {
  if (to === undefined || !sameShape(from.shape, to.shape)) {
    moved.fill(Number.POSITIVE_INFINITY);
    return;
  }
  const [a, b] = [toNumbers(from), toNumbers(to)];
  for (let i = 0; i < moved.length; i++) {
    const distance = Object.is(a[i], b[i]) ? 0 : Math.abs((a[i] as number) - (b[i] as number));
    moved[i] = Math.max(
      moved[i] as number,
      Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance,
    );
  }
}
