/** The rows that the two directions of FoldScaleAxis count. */
import type { Count, FastMath } from '@baton/pass-manager';

/** Operators that take a scale in, pass one on, or give one up, in both directions. */
const OPERATORS = [
  'multiply',
  'add',
  'subtract',
  'concatenate',
  'reshape',
  'transpose',
  'nn.relu',
  'nn.leaky_relu',
  'nn.pad',
  'nn.max_pool1d',
  'nn.max_pool2d',
  'nn.max_pool3d',
  'nn.avg_pool1d',
  'nn.avg_pool2d',
  'nn.avg_pool3d',
  'nn.global_max_pool2d',
  'nn.global_avg_pool2d',
  'nn.dense',
  'nn.matmul',
  'nn.batch_matmul',
  'nn.conv1d',
  'nn.conv2d',
  'nn.conv3d',
  'nn.conv1d_transpose',
  'nn.conv2d_transpose',
  'nn.conv3d_transpose',
] as const;

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
  ...OPERATORS.map((name) => `forward ${name}` as const),
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
  ...OPERATORS.map((name) => `backward ${name}` as const),
  'backward nn.bias_add',
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
  const row = FORWARD_OPERATORS.get(operator);
  if (row !== undefined) count(row);
};

/** Counts that a scale passed backward through an operator; one from elsewhere has no row. */
export const countBackward = (count: Count<BackwardRow>, operator: string): void => {
  const row = BACKWARD_OPERATORS.get(operator);
  if (row !== undefined) count(row);
};

const FORWARD_OPERATORS: ReadonlyMap<string, ForwardRow> = new Map(
  OPERATORS.map((name) => [name, `forward ${name}` as const]),
);

const BACKWARD_OPERATORS: ReadonlyMap<string, BackwardRow> = new Map<string, BackwardRow>([
  ...OPERATORS.map((name): [string, BackwardRow] => [name, `backward ${name}`]),
  ['nn.bias_add', 'backward nn.bias_add'],
]);
