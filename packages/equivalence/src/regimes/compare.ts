/** Compares results element by element: their distance, and whether a regime allows it. */
import {
  absoluteError,
  isBig,
  isFloat,
  readBigInt,
  sameShape,
  type Tensor,
  toBigInts,
  toNumbers,
} from '@baton/tensor';

/** A regime's rule for one element: the error, and whether it is allowed. */
export interface Rule {
  readonly error: (expected: number, found: number) => number;
  readonly allows: (error: number, expected: number, found: number, element: number) => boolean;
}

/** |a − b| relative to |b| and to the scale of the tensor; 0 if nothing finite is expected. */
export const relativeError =
  (scale: number): Rule['error'] =>
  (b, a) => {
    const error = Number.isFinite(b) ? absoluteError(b, a) : 0;
    return error === 0 ? 0 : error / (Math.abs(b) + scale);
  };

/** Whether an integer or a bool, or an entire output, may have the found value. */
export type Excuses = (output: number, element: number, found: number) => boolean;

export interface Difference {
  readonly output: number;
  readonly element: number;
  readonly expected: number | bigint | string;
  readonly found: number | bigint | string;
}

export interface Compared {
  readonly largestError: number;
  readonly difference: Difference | undefined;
}

/**
 * Compares results tensor by tensor. Integers and bools must be equal unless `excuses` allows the
 * difference; the rule of each tensor judges its floats.
 */
export function compareResults(
  expected: ReadonlyArray<Tensor>,
  found: ReadonlyArray<Tensor>,
  ruleFor: (output: number, expected: Tensor) => Rule,
  excuses: Excuses = () => false,
): Compared {
  let largestError = 0;
  let difference: Difference | undefined;
  for (const [output, wanted] of expected.entries()) {
    const answer = found[output];
    if (answer === undefined || !sameKind(wanted, answer)) {
      if (excuses(output, 0, Number.NaN)) continue;
      const shown = answer === undefined ? 'nothing' : kindOf(answer);
      difference ??= { output, element: 0, expected: kindOf(wanted), found: shown };
      largestError = Number.POSITIVE_INFINITY;
      continue;
    }
    const rule = isFloat(wanted.dtype) ? ruleFor(output, wanted) : wholeNumbers(output, excuses);
    const compared = isBig(wanted.dtype)
      ? compareBig(wanted, answer, output, excuses)
      : compareNumbers(wanted, answer, output, rule);
    difference ??= compared.difference;
    largestError = Math.max(largestError, compared.largestError);
  }
  return { largestError, difference };
}

const wholeNumbers = (output: number, excuses: Excuses): Rule => ({
  error: absoluteError,
  allows: (error, _expected, found, element) => error === 0 || excuses(output, element, found),
});

function compareNumbers(expected: Tensor, found: Tensor, output: number, rule: Rule): Compared {
  const wanted = toNumbers(expected);
  const answers = toNumbers(found);
  let largestError = 0;
  let difference: Difference | undefined;
  for (let element = 0; element < wanted.length; element++) {
    const b = wanted[element] as number;
    const a = answers[element] as number;
    const error = rule.error(b, a);
    if (error > largestError) largestError = error;
    if (difference === undefined && !rule.allows(error, b, a, element)) {
      difference = { output, element, expected: b, found: a };
    }
  }
  return { largestError, difference };
}

function compareBig(expected: Tensor, found: Tensor, output: number, excuses: Excuses): Compared {
  const wanted = toBigInts(expected);
  let largestError = 0;
  let difference: Difference | undefined;
  for (const [element, b] of wanted.entries()) {
    const a = readBigInt(found, element);
    if (a === b) continue;
    largestError = Math.max(largestError, Math.abs(Number(a - b)));
    if (!excuses(output, element, Number(a)))
      difference ??= { output, element, expected: b, found: a };
  }
  return { largestError, difference };
}

const sameKind = (a: Tensor, b: Tensor): boolean =>
  a.dtype === b.dtype && sameShape(a.shape, b.shape);

const kindOf = (t: Tensor): string => `${t.dtype}(${t.shape.join(', ')})`;
