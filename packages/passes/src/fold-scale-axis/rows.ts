/** The rows that the two directions of FoldScaleAxis count. */
import { scaleAxisColumn } from '@baton/ops';
import type { Count, FastMath } from '@baton/pass-manager';
import { operatorRows } from '../operator-rows.ts';

/** Operators that take a scale in, pass one on, or give one up: a bias only gives one up backward. */
const FORWARD: ReadonlyArray<string> = operatorRows(
  scaleAxisColumn,
  ({ _tag }) => _tag !== 'ScaleBias',
);
const BACKWARD: ReadonlyArray<string> = operatorRows(scaleAxisColumn);

/** What both directions ask. */
const GUARDS = [
  'product takes it: yes',
  'product takes it: no',
  'axes kept: yes',
  'axes kept: no',
  'scale along the axes: yes',
  'scale along the axes: no',
  'stateless scale: yes',
  'stateless scale: no',
  'constant scale: yes',
  'constant scale: no',
  'positive scale: yes',
  'positive scale: no',
] as const;

/** The rows of ForwardFoldScaleAxis. */
export const FORWARD_ROWS = [
  ...FORWARD.map((name) => `forward ${name}` as const),
  ...GUARDS,
  'users agree: yes',
  'users agree: no',
  'scaled side of a sum: left',
  'scaled side of a sum: right',
  'scaled side of a sum: none',
  'concatenated along the axis: yes',
  'concatenated along the axis: no',
  'safe divisor: yes',
  'safe divisor: no',
] as const;

/** The rows of BackwardFoldScaleAxis. */
export const BACKWARD_ROWS = [
  ...BACKWARD.map((name) => `backward ${name}` as const),
  ...GUARDS,
  'single use: yes',
  'single use: no',
  'scaled side of a sum: left',
  'scaled side of a sum: right',
  'scaled side of a sum: both',
  'scaled side of a sum: none',
  'bias on the axis: yes',
  'bias on the axis: no',
  'every field takes it: yes',
  'every field takes it: no',
  'concatenated along the axis: yes',
  'concatenated along the axis: no',
] as const;

/** A row of ForwardFoldScaleAxis. */
export type ForwardRow = (typeof FORWARD_ROWS)[number];

/** A row of BackwardFoldScaleAxis. */
export type BackwardRow = (typeof BACKWARD_ROWS)[number];

/** A row that both have. */
export type GuardRow = (typeof GUARDS)[number];

/** Products are taken in another order, and a bias is divided to be multiplied back. */
export const FOLDING_NEEDS: ReadonlyArray<FastMath> = ['nsz', 'nnan', 'ninf', 'reassoc', 'arcp'];

/** Counts that a scale passed forward through an operator; one from elsewhere has no row. */
export const countForward = (count: Count<ForwardRow>, operator: string): void => {
  if (FORWARD.includes(operator)) count(`forward ${operator}`);
};

/** Counts that a scale passed backward through an operator; one from elsewhere has no row. */
export const countBackward = (count: Count<BackwardRow>, operator: string): void => {
  if (BACKWARD.includes(operator)) count(`backward ${operator}`);
};
