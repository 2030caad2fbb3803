/** Scales of channels, as the rules about them see them. */
import type { Attrs, OpTable } from '@baton/ir';
import {
  arePositive,
  passagesOf,
  type ScaleAxis,
  type ScalePassage,
  type ScaleSite,
  scaleAxisColumn,
} from '@baton/ops';
import { isFloat } from '@baton/tensor';
import type { MatchedValue } from '../rule/matched-value.ts';
import { sizesOf } from './axes.ts';

/** A call of an operator through which a scale passes. */
export interface Passage {
  readonly op: string;
  readonly ops: OpTable;
  readonly a: Attrs;
  readonly x: MatchedValue;
  readonly result: MatchedValue;
}
/** A call with a scale `s`, of `x` or of the result. */
export interface Scaled extends Passage {
  readonly s: MatchedValue;
}
/** Roundings may differ, and what overflows on the way. */
export const MOVES = {
  needs: ['nsz', 'nnan', 'ninf', 'reassoc', 'arcp', 'range'],
  orient: 'canonical',
} as const;

/** The operators with a kind of equation and this number of arguments. */
export const passes =
  (tag: ScaleAxis['_tag'], inputs: number) =>
  (ops: OpTable, name: string): boolean =>
    ops.read(scaleAxisColumn, name)?._tag === tag && ops.get(name)?.inputs.length === inputs;

/** The operator's equation, and the facts about the call for it. */
export function siteOf(
  { op, ops, a, result }: Passage,
  ...args: ReadonlyArray<MatchedValue>
): { readonly fact: ScaleAxis; readonly site: ScaleSite } | undefined {
  const fact = ops.read(scaleAxisColumn, op);
  const types = args.map(({ type }) => type).filter((type) => type !== undefined);
  if (!fact || !result.type || types.length < args.length) return undefined;
  const site = {
    args: types,
    result: result.type,
    attrs: a,
    constant: (i: number) => args[i]?.constant,
  };
  return { fact, site };
}

/** The equation for a scale of the result, if it holds for this one. */
export function passageOf(
  holes: Scaled,
  ...args: ReadonlyArray<MatchedValue>
): ScalePassage | undefined {
  const known = siteOf(holes, ...args);
  const axes = axesOfScale(holes.s, holes.result.dims?.length);
  const [passage] = known && axes ? passagesOf(known.fact, known.site, axes) : [];
  return passage?.needsPositive && !isPositive(holes) ? undefined : passage;
}

/** Whether a scale is known to be above 0. */
export const isPositive = ({ s: { constant } }: Scaled): boolean =>
  constant !== undefined && arePositive(constant);

/**
 * The axes of a tensor of some rank along which a scale of known size varies: a float tensor that is the
 * same along some axis.
 */
export function axesOfScale(
  s: MatchedValue,
  rank: number | undefined,
): ReadonlyArray<number> | undefined {
  const sizes = sizesOf(s);
  if (sizes === undefined || rank === undefined || sizes.length > rank) return undefined;
  if (s.dtype === undefined || !isFloat(s.dtype) || sizes.includes(0)) return undefined;
  const axes = sizes.flatMap((size, i) => (size === 1 ? [] : [i + rank - sizes.length]));
  return axes.length < rank ? axes : undefined;
}

/** The shape of a scale along axes of a tensor of some rank, which have these sizes. */
export function shapeAlong(
  axes: ReadonlyArray<number>,
  sizes: ReadonlyArray<number>,
  rank: number,
): ReadonlyArray<number> {
  const [first = rank] = axes;
  return Array.from({ length: rank - first }, (_, i) => sizes[axes.indexOf(first + i)] ?? 1);
}
