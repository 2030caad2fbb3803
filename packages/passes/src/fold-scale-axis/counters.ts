/** The counters of the two directions of FoldScaleAxis. */
import { scaleAxisColumn } from '@baton/ops';
import type { Count, FastMath, OperatorCounter } from '@baton/pass-manager';
import { operatorCounters } from '../operator-counters.ts';

/** Operators that absorb, pass on or release a scale: a bias only releases one, backward. */
export const forwardOperators = operatorCounters(
  scaleAxisColumn,
  ({ _tag }) => _tag !== 'ScaleBias',
  'forward ',
);

export const backwardOperators = operatorCounters(scaleAxisColumn, undefined, 'backward ');

type Answer<Question extends string> = `${Question}: ${'yes' | 'no'}`;

const answersTo = <Q extends string>(...questions: ReadonlyArray<Q>): ReadonlyArray<Answer<Q>> =>
  questions.flatMap((question): Answer<Q>[] => [`${question}: yes`, `${question}: no`]);

/** Counts the answer to a question, and returns it. */
export function answered<Q extends string>(
  count: Count<Answer<Q>>,
  question: Q,
  isYes: boolean,
): boolean {
  count(`${question}: ${isYes ? 'yes' : 'no'}`);
  return isYes;
}

/** The checks of both directions. */
const GUARDS = answersTo(
  'product takes it',
  'axes kept',
  'scale along the axes',
  'stateless scale',
  'constant scale',
  'positive scale',
);

const sides = <Side extends string>(
  ...names: ReadonlyArray<Side>
): ReadonlyArray<`scaled side of a sum: ${Side}`> =>
  names.map((side) => `scaled side of a sum: ${side}` as const);

export const FORWARD_COUNTERS = [
  ...GUARDS,
  ...answersTo('users agree'),
  ...sides('left', 'right', 'none'),
  ...answersTo('concatenated along the axis', 'safe divisor'),
];

export const BACKWARD_COUNTERS = [
  ...GUARDS,
  ...answersTo('single use'),
  ...sides('left', 'right', 'both', 'none'),
  ...answersTo('bias on the axis', 'every field takes it', 'concatenated along the axis'),
];

export type ForwardCounter = (typeof FORWARD_COUNTERS)[number] | OperatorCounter;

export type BackwardCounter = (typeof BACKWARD_COUNTERS)[number] | OperatorCounter;

export type GuardCounter = (typeof GUARDS)[number];

/** Products are reordered, and a bias is divided to be multiplied back. */
export const FOLDING_NEEDS: ReadonlyArray<FastMath> = [
  'nsz',
  'nnan',
  'ninf',
  'reassoc',
  'arcp',
  'range',
];
