/** The rows of the two directions of FoldScaleAxis. */
import { scaleAxisColumn } from '@baton/ops';
import type { FastMath, OperatorRow } from '@baton/pass-manager';
import { operatorRows } from '../operator-rows.ts';

/** Operators that take in, pass on or give up a scale: a bias only gives one up, backward. */
export const forwardOperators = operatorRows(
  scaleAxisColumn,
  ({ _tag }) => _tag !== 'ScaleBias',
  'forward ',
);

/** All operators with an equation. */
export const backwardOperators = operatorRows(scaleAxisColumn, undefined, 'backward ');

/** The checks of both directions. */
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
export type ForwardRow = (typeof FORWARD_ROWS)[number] | OperatorRow;

/** A row of BackwardFoldScaleAxis. */
export type BackwardRow = (typeof BACKWARD_ROWS)[number] | OperatorRow;

/** A row that both have. */
export type GuardRow = (typeof GUARDS)[number];

/** Products are taken in another order, and a bias is divided to be multiplied back. */
export const FOLDING_NEEDS: ReadonlyArray<FastMath> = ['nsz', 'nnan', 'ninf', 'reassoc', 'arcp'];
