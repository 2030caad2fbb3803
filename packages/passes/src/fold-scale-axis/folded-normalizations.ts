/** Batch normalizations worth expanding: a weight or a neighbour absorbs their scale. */

import { remember } from '@baton/base';
import {
  type Call,
  children,
  type Expr,
  type Func,
  type IRModule,
  type TupleGetItem,
  typeOf,
} from '@baton/ir';
import {
  arePositive,
  dimsOf,
  dtypeOf,
  isCallOf,
  isSafeDivisor,
  isScaleAlong,
  type OpCall,
  operandOf,
  sameAxes,
} from '@baton/ops';
import { visibleIn } from '@baton/pass-manager';
import { type DType, isDType, type Tensor, tensor, toNumbers } from '@baton/tensor';
import { constantOf } from '../facts.ts';
import { backwardPlan } from './backward-messages.ts';
import { forwardPlan } from './forward-messages.ts';
import type { FoldScaleAxisOptions } from './site.ts';

/** With a scale and a shift next to an expanded normalization, the four calls become two. */
const MERGED_NEIGHBOURS = 2;

/**
 * The calls of `nn.batch_norm` whose arithmetic vanishes once it is spelled out: FoldScaleAxis
 * takes the scale into a weight, or SimplifyExpr merges it with the constants of a neighbouring
 * scale and shift. Any other would become two calls, each over the whole tensor.
 *
 * **Complexity** linear in the function.
 */
export function foldedNormalizations(
  f: Func,
  m: IRModule,
  options: FoldScaleAxisOptions,
): ReadonlySet<Call> {
  const { order } = visibleIn(f.body, m);
  const users = usersIn(order);
  const found = order.flatMap((node) => normalizationAt(node, m, users) ?? []);
  if (found.length === 0) return new Set();
  const below = backwardPlan(f, m, options, order, notCounted).messages;
  const above = forwardPlan(f, m, options, notCounted).messages;
  const isFolded = ({ data, field, axis, scale, dtype }: BatchNormalization): boolean => {
    const source = below.get(data);
    const target = above.get(field);
    const takes = (by: typeof source | typeof target): boolean =>
      by !== undefined && sameAxes(by.axes, [axis]) && (!by.needsPositive || arePositive(scale));
    // Forward folding divides the shift by the scale.
    if (takes(source) || (takes(target) && isSafeDivisor(scale, dtype))) return true;
    const beside = chainAbove(field, axis, m, users) + chainBelow(data, axis, m, users);
    return beside >= MERGED_NEIGHBOURS;
  };
  return new Set(found.filter(isFolded).map(({ call }) => call));
}

/** A normalization by constants whose normalized data is its only used result. */
interface BatchNormalization {
  readonly call: Call;
  readonly data: Expr;
  readonly field: TupleGetItem;
  readonly axis: number;
  /** The factor of the data, a number for each channel. */
  readonly scale: Tensor;
  readonly dtype: DType;
}

/** The parents of each node, once for every mention. */
type Users = ReadonlyMap<Expr, ReadonlyArray<Expr>>;

const notCounted = (): void => {};

function usersIn(order: ReadonlyArray<Expr>): Users {
  const users = new Map<Expr, Expr[]>();
  for (const node of order) {
    for (const child of children(node)) {
      remember(users, child, (): Expr[] => []).push(node);
    }
  }
  return users;
}

function normalizationAt(field: Expr, m: IRModule, users: Users): BatchNormalization | undefined {
  if (field._tag !== 'TupleGetItem' || field.index !== 0) return undefined;
  const call = field.tuple;
  if (!isCallOf(call, 'nn.batch_norm') || users.get(call)?.length !== 1) return undefined;
  const data = operandOf(call, 0);
  const rank = dimsOf(typeOf(m, data))?.length;
  const dtype = dtypeOf(typeOf(m, data));
  const scale = scaleOf(call);
  if (rank === undefined || !isDType(dtype) || scale === undefined) return undefined;
  const axis = Number(call.attrs.axis);
  return { call, data, field, axis: axis < 0 ? axis + rank : axis, scale, dtype };
}

function scaleOf({ args, attrs }: OpCall): Tensor | undefined {
  const [gamma, beta, mean, variance] = args.slice(1).map(constantOf);
  if (!gamma || !beta || !mean || !variance) return undefined;
  const epsilon = Number(attrs.epsilon);
  const factors = attrs.scale === true ? toNumbers(gamma) : undefined;
  const scale = toNumbers(variance).map((v, at) => (factors?.[at] ?? 1) / Math.sqrt(v + epsilon));
  return tensor(Float64Array.from(scale), variance.shape, 'float64');
}

/** The number of calls in a row that scale or shift by constants, each the last's only user. */
function chainAbove(from: Expr, axis: number, m: IRModule, users: Users): number {
  let length = 0;
  for (let at = from; ; length++) {
    const [user, ...others] = users.get(at) ?? [];
    if (user === undefined || others.length > 0 || scaledBelow(user, axis, m) !== at) return length;
    at = user;
  }
}

/** The number of such consecutive calls that end in `from`. */
function chainBelow(from: Expr, axis: number, m: IRModule, users: Users): number {
  let length = 0;
  for (let at = from; ; length++) {
    const below = scaledBelow(at, axis, m);
    if (below === undefined || users.get(at)?.length !== 1) return length;
    at = below;
  }
}

/** The operand that a call scales or shifts by a constant along one axis. */
function scaledBelow(node: Expr, axis: number, m: IRModule): Expr | undefined {
  if (!isCallOf(node, 'multiply') && !isCallOf(node, 'add')) return undefined;
  const [left, right] = [operandOf(node, 0), operandOf(node, 1)];
  const [value, by] = constantOf(left) === undefined ? [left, right] : [right, left];
  const isAlong = isScaleAlong(typeOf(m, value), typeOf(m, by), [axis]);
  return constantOf(by) !== undefined && isAlong ? value : undefined;
}
