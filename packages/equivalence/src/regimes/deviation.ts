/** The effect of a program's own rounding on its results: no comparison may be stricter. */
import type { Random } from '@baton/base';
import type { Value } from '@baton/executor';
import { type IRModule, postOrderExprs, typeOf } from '@baton/ir';
import { hasFloats, isOpCall, kindColumn, numericsColumn } from '@baton/ops';
import { isFloat, sameShape, type Tensor, toNumbers } from '@baton/tensor';
import { type Baseline, mapInputs } from '../baseline.ts';
import { changed, commonNoise, noise, type Watch } from '../observe.ts';
import type { Run } from '../run.ts';

/** How disturbances change the elements of results. */
export interface Deviation {
  readonly size: (output: number, element: number) => number;
  readonly reaches: (output: number, element: number, value: number) => boolean;
  readonly seen: (output: number, element: number) => Seen;
}

interface Seen {
  /** `undefined` if it may have any value. */
  readonly values: ReadonlyArray<number> | undefined;
  /** Whether the values are indices: none lies between two others, as a count may. */
  readonly arePlaces: boolean;
}

const NOTHING: Seen = { values: [], arePlaces: false };
const ANYTHING: Seen = { values: undefined, arePlaces: false };

export const NO_DEVIATION: Deviation = {
  size: () => 0,
  reaches: () => false,
  seen: () => NOTHING,
};

const ANY_DEVIATION: Deviation = {
  size: () => Number.POSITIVE_INFINITY,
  reaches: () => true,
  seen: () => ANYTHING,
};

export interface Measuring {
  readonly runs: number;
  /** Every element counts for this share of the move of its tensor. */
  readonly share: number;
}

/** By chance an element may not move. */
const MEASURING: Measuring = { runs: 4, share: 0.05 };

/**
 * A tie is broken either way with equal odds: this many runs break it both ways, except once in
 * 30,000. Of ten equal indices all are found, except once in 85.
 */
const RUNS_OF_TIES = { counts: 16, places: 64 };

/** One disturbance of a series: ties are broken in every way, and all in one way. */
export interface Turn {
  /** The factor by which it may exceed the noise, as errors of floats may. */
  readonly factor: number;
  readonly isCommon: boolean;
}

const PLAIN: Turn = { factor: 1, isCommon: false };
const LARGER = 8;

const noiseOfTurn = ({ factor, isCommon }: Turn, epsilon: number, random: Random): Watch =>
  isCommon ? commonNoise(factor * epsilon, random) : noise(factor * epsilon, random);

/**
 * The deviation after each run of a series. It only grows, so a comparison may stop at the first
 * that allows a difference.
 */
export type Deviations = Generator<Deviation, void>;

/**
 * The change of results if every operator has an error of `epsilon` relative to its result.
 * Infinite if a comparison tips over, a value stops being finite, or a shape changes.
 */
export function deviationsUnderNoise(
  baseline: Baseline,
  m: IRModule,
  base: Run,
  epsilon: number,
  random: Random,
): Deviations {
  return deviations(baseline, m, base, (turn) => noiseOfTurn(turn, epsilon, random));
}

/** The change of results if every operator and every input has an error of `epsilon`. */
export const deviationsUnderMoves = (
  baseline: Baseline,
  m: IRModule,
  base: Run,
  epsilon: number,
  random: Random,
): Deviations =>
  deviationsUnder(baseline, m, base, (turn) => ({
    watch: noiseOfTurn(turn, epsilon, random),
    inputs: (inputs) =>
      mapInputs(inputs, (t) => changed(t, (x) => x * (1 + epsilon * (2 * random() - 1)))),
  }));

export interface Disturbance {
  readonly watch: Watch;
  readonly inputs: (inputs: ReadonlyArray<Value>) => ReadonlyArray<Value>;
}

export const deviations = (
  baseline: Baseline,
  m: IRModule,
  base: Run,
  watchFor: (turn: Turn) => Watch,
  measuring: Measuring = MEASURING,
): Deviations =>
  deviationsUnder(
    baseline,
    m,
    base,
    (turn) => ({ watch: watchFor(turn), inputs: (inputs) => inputs }),
    measuring,
  );

/** The change of results if each run has its own disturbance. */
export function* deviationsUnder(
  baseline: Baseline,
  m: IRModule,
  given: Run,
  disturbance: (turn: Turn) => Disturbance,
  { runs, share }: Measuring = MEASURING,
): Deviations {
  const base = baseline.undisturbed(m, given);
  if (typeof base === 'string') {
    yield ANY_DEVIATION;
    return;
  }
  const moved = base.results.map((t) => new Float64Array(toNumbers(t).length));
  // A mask, a count or an index changes if its own element is at a tie, whatever others do.
  const hasPlaces = givesPlaces(m);
  const values = base.results.map((t) => (isFloat(t.dtype) ? undefined : valuesOf(t, hasPlaces)));
  const hasDiscrete = values.some((each) => each !== undefined);
  const ties = hasPlaces ? RUNS_OF_TIES.places : RUNS_OF_TIES.counts;
  const count = hasDiscrete ? runs + ties : runs;
  for (let i = 0; i < count; i++) {
    const turn = i < runs ? PLAIN : { factor: i % 2 ? LARGER : 1, isCommon: i % 4 > 1 };
    const { watch, inputs } = disturbance(turn);
    const noisy = baseline.run(m, inputs(base.inputs), watch);
    if (typeof noisy === 'string') {
      yield ANY_DEVIATION;
      return;
    }
    for (const [output, t] of base.results.entries()) {
      const other = noisy.results[output];
      values[output]?.add(other);
      if (i < runs || values[output] !== undefined) {
        widenTo(moved[output] ?? new Float64Array(0), t, other);
      }
    }
    yield deviationOf(moved, values, share);
  }
}

/** The deviation that moves and values show so far. Later runs change it. */
function deviationOf(
  moved: ReadonlyArray<Float64Array>,
  values: ReadonlyArray<Values | undefined>,
  share: number,
): Deviation {
  // A number that rounding makes infinite or NaN says nothing about its neighbours.
  const largest = moved.map((of) =>
    of.reduce((a, b) => (b < Number.POSITIVE_INFINITY ? Math.max(a, b) : a), 0),
  );
  return {
    size: (output, element) =>
      values[output] !== undefined
        ? (moved[output]?.[element] ?? 0)
        : Math.max(moved[output]?.[element] ?? 0, share * (largest[output] ?? 0)),
    reaches: (output, element, value) => {
      const seen = values[output]?.seen(element) ?? NOTHING;
      return meet(seen, { ...seen, values: [value] });
    },
    seen: (output, element) => values[output]?.seen(element) ?? NOTHING,
  };
}

interface Values {
  readonly add: (t: Tensor | undefined) => void;
  readonly seen: (element: number) => Seen;
}

function valuesOf(base: Tensor, arePlaces: boolean): Values {
  const rows = [toNumbers(base)];
  let isOpen = false;
  return {
    add: (t) => {
      if (t === undefined || !sameShape(t.shape, base.shape)) isOpen = true;
      else rows.push(toNumbers(t));
    },
    seen: (element) =>
      isOpen ? ANYTHING : { values: rows.map((row) => Number(row[element])), arePlaces },
  };
}

/** Whether two elements may have had one value: a common index, or counts whose ranges overlap. */
function meet(a: Seen, b: Seen): boolean {
  const [one, other] = [a.values, b.values];
  if (one === undefined || other === undefined) return true;
  if (a.arePlaces || b.arePlaces) return one.some((value) => other.includes(value));
  return (
    Math.max(Math.min(...one), Math.min(...other)) <= Math.min(Math.max(...one), Math.max(...other))
  );
}

/** Whether an operator returns indices: no value lies between two of them. */
const givesPlaces = (m: IRModule): boolean =>
  postOrderExprs([...m.functions.values()]).some((node) => {
    if (!isOpCall(node) || m.ops.read(kindColumn, node.op.name) === 'elementwise') return false;
    if (m.ops.read(numericsColumn, node.op.name) !== 'discontinuous') return false;
    return node.args.some((arg) => hasFloats(typeOf(m, arg)));
  });

/**
 * The larger effect of two, on the first program and on the second: a discrete value of the second
 * may also be one that its own moves bring to where those of the first program lead.
 */
export const largerOf = (a: Deviation, b: Deviation): Deviation => ({
  size: (output, element) => Math.max(a.size(output, element), b.size(output, element)),
  reaches: (output, element, value) =>
    a.reaches(output, element, value) ||
    (b.reaches(output, element, value) && meet(a.seen(output, element), b.seen(output, element))),
  seen: a.seen,
});

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
