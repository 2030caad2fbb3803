/** Scales of concatenated tensors: [passes §2.3](https://batonjs.github.io/baton/spec/passes#2.3). */
import { splat, type Tensor } from '@baton/tensor';
import type { MatchedValue } from '../rule/matched-value.ts';
import type { MatchedHoles } from '../rule/names.ts';
import { ownRule as rule } from '../rule/rule.ts';
import { axesOfScale, MOVES, passes, type Scaled, shapeAlong, siteOf } from './scale.ts';

const FIELDS = ['x', 'y', 'z'];

/** The counts of fields for which there are rules. */
const COUNTS = [2, 3];

/** Each element meets the same scale as before. */
const JOINS = {
  ...MOVES,
  within: () => true,
  operators: { op: passes('ScaleConcatenation', 1) },
} as const;

/** The text of a concatenation. */
const joined = (count: number, field: (name: string, i: number) => string): string =>
  `?op((${FIELDS.slice(0, count).map(field).join(', ')}), attrs=?a)`;

/** A concatenation along `axis` of fields with these sizes, and whether its scale varies along it. */
interface Join {
  readonly axis: number;
  readonly sizes: ReadonlyArray<number>;
  readonly rank: number;
  readonly isAlong: boolean;
  readonly isAcross: boolean;
}

function joinOf(matched: MatchedHoles, count: number): Join | undefined {
  const holes = matched as unknown as Scaled & Readonly<Record<string, MatchedValue>>;
  const { s, result } = holes;
  const known = siteOf(holes);
  const axis = known?.fact._tag === 'ScaleConcatenation' ? known.fact.axis(known.site) : undefined;
  const rank = result.dims?.length;
  const axes = axesOfScale(s, rank);
  if (axis === undefined || axes === undefined || rank === undefined) return undefined;
  const fields = FIELDS.slice(0, count).map((name) => holes[name]?.dims);
  // The axis is counted in the fields, so the scale must not add axes.
  if (fields.some((dims) => dims?.length !== rank)) return undefined;
  const dims = fields.map((sizes) => sizes?.[axis]);
  const sizes = dims.filter((dim) => typeof dim === 'number');
  if (sizes.length < dims.length) return undefined;
  const isAlong = axes.includes(axis);
  return { axis, sizes, rank, isAlong, isAcross: axes.some((other) => other !== axis) };
}

/** The name of a rule for concatenations of this number of tensors. */
const named = (name: string, count: number, at?: number): string =>
  `${name} of ${count}${at === undefined ? '' : `, tensor ${at + 1}`}`;

/** concat(x s, y) = concat(x, y) concat(s, 1), for a scale along the axis or of one element */
const forwardAlong = (count: number, at: number) => {
  const scale = 'broadcast_to(reshape(?s, newshape=[-1]), shape=?m)';
  const parts = FIELDS.slice(0, count).map((_, i) => (i === at ? scale : `?one${i}`));
  const ones = FIELDS.slice(0, count).flatMap((_, i) => {
    if (i === at) return [];
    const one = (holes: MatchedHoles): Tensor | undefined => {
      const { dtype } = holes.s as MatchedValue;
      const size = joinOf(holes, count)?.sizes[i];
      return size === undefined || dtype === undefined ? undefined : splat([size], dtype, 1);
    };
    return [[`one${i}`, one] as const];
  });
  return rule(
    named('forward concatenation', count, at),
    joined(count, (name, i) => (i === at ? `?${name} * ?s` : `?${name}`)),
    `${joined(count, (name) => `?${name}`)} * reshape(concatenate((${parts.join(', ')})), newshape=?n)`,
    {
      ...JOINS,
      let: {
        ...Object.fromEntries(ones),
        m: (holes: MatchedHoles) => {
          const join = joinOf(holes, count);
          return join === undefined || join.isAcross ? undefined : [join.sizes[at] as number];
        },
        n: (holes: MatchedHoles) => {
          const join = joinOf(holes, count);
          const total = join?.sizes.reduce((sum, size) => sum + size, 0);
          return join && total ? shapeAlong([join.axis], [total], join.rank) : undefined;
        },
      },
    },
  );
};

/** concat(x s, y s) = concat(x, y) s, for a scale across the axis */
const forwardAcross = (count: number) =>
  rule(
    named('forward concatenation across', count),
    joined(count, (name) => `?${name} * ?s`),
    `${joined(count, (name) => `?${name}`)} * ?s`,
    { ...JOINS, profitable: (holes: MatchedHoles) => joinOf(holes, count)?.isAlong === false },
  );

/** concat(x, y) s = concat(x s1, y s2), where s1 and s2 are the parts of a scale along the axis */
const backwardAlong = (count: number) => {
  const bounds = FIELDS.slice(0, count).flatMap((_, i) => {
    const end = (holes: MatchedHoles, to: number): ReadonlyArray<number> | undefined => {
      const join = joinOf(holes, count);
      return join && [join.sizes.slice(0, to).reduce((sum, size) => sum + size, 0)];
    };
    return [
      [`from${i}`, (holes: MatchedHoles) => end(holes, i)] as const,
      [`to${i}`, (holes: MatchedHoles) => end(holes, i + 1)] as const,
    ];
  });
  return rule(
    named('backward concatenation', count),
    `${joined(count, (name) => `?${name}`)} * ?s`,
    joined(
      count,
      (name, i) => `?${name} * strided_slice(?s, begin=?from${i}, end=?to${i}, axes=?k)`,
    ),
    {
      ...JOINS,
      let: {
        ...Object.fromEntries(bounds),
        k: (holes: MatchedHoles) => {
          const join = joinOf(holes, count);
          const { dims } = holes.s as MatchedValue;
          return join?.isAlong && dims ? [join.axis - join.rank + dims.length] : undefined;
        },
      },
    },
  );
};

/** concat(x, y) s = concat(x s, y s), for a scale across the axis */
const backwardAcross = (count: number) =>
  rule(
    named('backward concatenation across', count),
    `${joined(count, (name) => `?${name}`)} * ?s`,
    joined(count, (name) => `?${name} * ?s`),
    { ...JOINS, profitable: (holes: MatchedHoles) => joinOf(holes, count)?.isAlong === false },
  );

/** Scales of fields, towards the concatenation's users. */
export const forwardFields = COUNTS.flatMap((count) => [
  forwardAcross(count),
  ...FIELDS.slice(0, count).map((_, at) => forwardAlong(count, at)),
]);

/** Scales of concatenations, towards the fields. */
export const backwardFields = COUNTS.flatMap((count) => [
  backwardAlong(count),
  backwardAcross(count),
]);
