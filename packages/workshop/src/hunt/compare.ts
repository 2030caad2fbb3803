/** Comparison of outputs: by dtype, and with the deviations that rounding explains. */
import {
  absoluteError,
  type DType,
  dtypeInfo,
  isBig,
  isFloat,
  printShape,
  rootMeanSquare,
  sameShape,
  spacingOf,
  type Tensor,
  toBigInts,
  toNumbers,
} from '@baton/tensor';
import type { Feeds } from './model.ts';

export interface Difference {
  readonly output: string;
  /** `type` for another dtype, shape or a missing output; else `values`. */
  readonly kind: 'type' | 'values';
  readonly detail: string;
}

/** Whether one number is infinite and an intermediate value of the other may overflow. */
function isOverflow(found: number, wanted: number, dtype: DType): boolean {
  const isInfinite = [found, wanted].filter((x) => Math.abs(x) === Number.POSITIVE_INFINITY);
  return (
    isInfinite.length === 1 &&
    Math.sign(found) === Math.sign(wanted) &&
    Math.min(Math.abs(found), Math.abs(wanted)) >= NEAR_OVERFLOW * Number(dtypeInfo(dtype).max)
  );
}

const NEAR_OVERFLOW = 1 / 16;

/** The error that an output may have, relative to the larger of |wanted| and the root mean square. */
const TOLERANCE: Readonly<Record<string, number>> = {
  float16: 1.5e-2,
  bfloat16: 6e-2,
  float32: 2e-4,
  float64: 1e-9,
};

/** Deviations of an element under noise may be exceeded by this factor. */
const SLACK = 8;

/** The outputs of perturbed runs, which show the changes that rounding causes. */
export type Noise = ReadonlyArray<Feeds>;

export function differences(
  found: Feeds,
  wanted: Feeds,
  noise: Noise = [],
): ReadonlyArray<Difference> {
  const missing = [...wanted.keys()].filter((name) => !found.has(name));
  return [...wanted].flatMap(([output, expected]): ReadonlyArray<Difference> => {
    const value = found.get(output);
    if (value === undefined)
      return [{ output, kind: 'type', detail: `no output ${missing.join(', ')}` }];
    const disturbed = noise.flatMap((run) => run.get(output) ?? []);
    const detail = typeDifference(value, expected);
    if (detail !== undefined) {
      // A size that depends on values, such as a count, may depend on rounding.
      const isUnstable = disturbed.some((t) => !sameShape(t.shape, expected.shape));
      return isUnstable ? [] : [{ output, kind: 'type', detail }];
    }
    const at = valueDifference(value, expected, disturbed);
    return at === undefined ? [] : [{ output, kind: 'values', detail: at }];
  });
}

function typeDifference(found: Tensor, wanted: Tensor): string | undefined {
  const name = (t: Tensor): string => `${t.dtype}${printShape(t.shape)}`;
  return name(found) === name(wanted) ? undefined : `${name(found)} for ${name(wanted)}`;
}

function valueDifference(
  found: Tensor,
  wanted: Tensor,
  disturbed: ReadonlyArray<Tensor>,
): string | undefined {
  const [a, b] = [toNumbers(found), toNumbers(wanted)];
  const runs = disturbed.filter((t) => sameShape(t.shape, wanted.shape)).map((t) => toNumbers(t));
  const isExact = !isFloat(wanted.dtype);
  const floor = isExact ? 0 : rootMeanSquare(b);
  const relative = TOLERANCE[wanted.dtype] ?? 0;
  // Runtimes may flush numbers without all their digits to 0.
  const least = spacingOf(wanted.dtype)?.leastNormal ?? 0;
  const wrong: number[] = [];
  const bigs = isBig(wanted.dtype) ? ([toBigInts(found), toBigInts(wanted)] as const) : undefined;
  for (let i = 0; i < b.length; i++) {
    if (bigs !== undefined && bigs[0][i] === bigs[1][i]) continue;
    const expected = b[i] as number;
    const error = absoluteError(a[i] as number, expected);
    if (error === 0 && bigs === undefined) continue;
    const deviation = runs.reduce(
      (most, run) => Math.max(most, absoluteError(run[i] as number, expected)),
      0,
    );
    const bound = isExact ? 0 : Math.max(least, relative * Math.max(Math.abs(expected), floor));
    // An element that noise changes into something infinite, or a decision, may be anything.
    if (isExact ? deviation > 0 : deviation === Number.POSITIVE_INFINITY) continue;
    if (isOverflow(a[i] as number, expected, wanted.dtype)) continue;
    if (!isExact && Number.isFinite(error) && error <= bound + SLACK * deviation) continue;
    wrong.push(i);
  }
  const [first] = wrong;
  if (first === undefined) return undefined;
  const shown =
    bigs === undefined ? `${a[first]} for ${b[first]}` : `${bigs[0][first]} for ${bigs[1][first]}`;
  return `${wrong.length} of ${b.length} elements, ${shown} at ${first}`;
}
