/**
 * Scales of channels on their way into weights: the equations of the column `scaleAxis` as rules.
 * [passes §2](https://batonjs.github.io/baton/spec/passes#2).
 *
 * A scale is the second operand of a product. So every step leaves a program, and no marker has to be
 * taken back; a set moves scales in one direction only.
 */
import { commutes, isSafeDivisor, metAxes, resultAxes } from '@baton/ops';
import { isFloat } from '@baton/tensor';
import type { MatchedValue } from '../rule/matched-value.ts';
import { ownRule as rule, rulePhase, ruleSet } from '../rule/rule.ts';
import { sizesOf } from './axes.ts';
import { isSized } from './facts.ts';
import {
  axesOfScale,
  isPositive,
  MOVES,
  passageOf,
  passes,
  type Scaled,
  shapeAlong,
  siteOf,
} from './scale.ts';
import { backwardFields, forwardFields } from './scaled-fields.ts';

interface Weighted extends Scaled {
  readonly w: MatchedValue;
}

/** The sizes of a scale without its axes of size 1, if all are known. */
const sizesAlong = (s: MatchedValue): ReadonlyArray<number> | undefined =>
  sizesOf(s)?.filter((size) => size !== 1);

/** The shape of a scale on the other side of an operator that maps axes. */
const mapped =
  (direction: 'forward' | 'backward') =>
  (holes: Scaled & { readonly v?: MatchedValue }): ReadonlyArray<number> | undefined => {
    const { x, s, v, result } = holes;
    const args = v === undefined ? [x] : [x, v];
    const axes =
      direction === 'forward'
        ? resultAxesOf(holes, args)
        : passageOf(holes, ...args)?.carriers[0]?.axes;
    const [sizes, rank] = [sizesAlong(s), (direction === 'forward' ? result : x).dims?.length];
    return axes && sizes && rank !== undefined ? shapeAlong(axes, sizes, rank) : undefined;
  };

function resultAxesOf(
  holes: Scaled,
  args: ReadonlyArray<MatchedValue>,
): ReadonlyArray<number> | undefined {
  const known = siteOf(holes, ...args);
  const axes = axesOfScale(holes.s, holes.x.dims?.length);
  if (known?.fact._tag !== 'ScaleMap' || axes === undefined) return undefined;
  if (known.fact.needsPositive && !isPositive(holes)) return undefined;
  return resultAxes(known.fact, known.site, axes);
}

/** The shape of a scale in the weight that it meets. */
const met =
  (side: 'input' | 'output') =>
  (holes: Weighted): ReadonlyArray<number> | undefined => {
    const { x, s, w, result } = holes;
    const known = siteOf(holes, x, w);
    const axes = axesOfScale(s, (side === 'input' ? x : result).dims?.length);
    const meeting = known?.fact._tag === 'ScaleProduct' ? known.fact[side](known.site) : undefined;
    const along = meeting && axes && metAxes(meeting, axes);
    const dims = w.dims ?? [];
    const sizes = along?.map((axis) => dims[axis]).filter((dim) => typeof dim === 'number');
    return along && sizes?.length === along.length
      ? shapeAlong(along, sizes, dims.length)
      : undefined;
  };

/** The shape of a scale for the vector of a bias along the axis of both. */
function alongBias(holes: Scaled): ReadonlyArray<number> | undefined {
  const { x, s, result } = holes;
  // The axis is counted in x, so the scale must not add axes.
  if (x.dims?.length !== result.dims?.length) return undefined;
  return passageOf(holes, x) && sizesAlong(s);
}

const isDivisor = ({ s: { constant } }: { readonly s: MatchedValue }): boolean =>
  constant !== undefined && isFloat(constant.dtype) && isSafeDivisor(constant);

interface WithScale {
  readonly s: MatchedValue;
}
/** A scale that makes nothing larger may come first, and one that makes nothing smaller last. */
const shrinks = ({ s }: WithScale): boolean => isSized(s, 0, 1);
const grows = ({ s }: WithScale): boolean => isSized(s, 1, Number.POSITIVE_INFINITY);

/**
 * Operators that map axes, by the number of their arguments; the second is a value, such as padding. Each
 * result is an element, or a mean of some: nothing overflows before its scale.
 */
const map = (direction: 'forward' | 'backward', inputs: 1 | 2) =>
  ({
    ...MOVES,
    within: direction === 'forward' ? () => true : shrinks,
    operators: { op: passes('ScaleMap', inputs) },
    let: { n: mapped(direction) },
  }) as const;

const BIAS = {
  ...MOVES,
  operators: { op: passes('ScaleBias', 2) },
  let: { n: alongBias },
} as const;

/** Whether a factor of a sum, or of its terms, is a scale. */
const isScale = ({
  s,
  result,
}: {
  readonly s: MatchedValue;
  readonly result: MatchedValue;
}): boolean => axesOfScale(s, result.dims?.length) !== undefined;

const SUM = { ...MOVES, operators: { op: passes('ScaleSum', 2) }, profitable: isScale } as const;
const DIVIDED = { ...SUM, within: grows, when: isDivisor } as const;

/** Products of a tensor and a weight, which a scale enters where that is cheaper. */
const into = (side: 'input' | 'output') =>
  ({
    needs: MOVES.needs,
    // What the step computes of constants is checked.
    within: ({ s, w }: Weighted) => s.constant !== undefined && w.constant !== undefined,
    operators: { op: passes('ScaleProduct', 2) },
    let: { n: met(side) },
  }) as const;

/** Moves the scales of a product's data and result into its weight. */
export const weightScales = ruleSet(
  'weightScales',
  // op(x s, w) = op(x, w s)
  rule(
    'forward into a weight',
    '?op(?x * ?s, ?w, attrs=?a)',
    '?op(?x, ?w * reshape(?s, newshape=?n), attrs=?a)',
    into('input'),
  ),
  // op(x, w) s = op(x, w s)
  rule(
    'backward into a weight',
    '?op(?x, ?w, attrs=?a) * ?s',
    '?op(?x, ?w * reshape(?s, newshape=?n), attrs=?a)',
    into('output'),
  ),
);

/** Scales of arguments, towards the weights of what uses them. */
export const forwardScales = rulePhase(
  'forwardScales',
  // op(x s) = op(x) s
  rule(
    'forward map',
    '?op(?x * ?s, attrs=?a)',
    '?op(?x, attrs=?a) * reshape(?s, newshape=?n)',
    map('forward', 1),
  ),
  rule(
    'forward map with a value',
    '?op(?x * ?s, ?v, attrs=?a)',
    '?op(?x, ?v, attrs=?a) * reshape(?s, newshape=?n)',
    map('forward', 2),
  ),
  // x s + y = (x + y / s) s
  rule('forward sum', '?op(?x * ?s, ?y)', '?op(?x, ?y / ?s) * ?s', DIVIDED),
  rule('forward right of a difference', '?op(?y, ?x * ?s)', '?op(?y / ?s, ?x) * ?s', {
    ...DIVIDED,
    operators: { op: (ops, name) => SUM.operators.op(ops, name) && !commutes(ops, name) },
  }),
  // x s + y s = (x + y) s
  rule('forward both', '?op(?x * ?s, ?y * ?s)', '?op(?x, ?y) * ?s', { ...SUM, within: grows }),
  // op(x s, b) = op(x, b / s) s
  rule(
    'forward bias',
    '?op(?x * ?s, ?b, attrs=?a)',
    '?op(?x, ?b / reshape(?s, newshape=?n), attrs=?a) * ?s',
    { ...BIAS, within: grows, when: isDivisor },
  ),
  ...forwardFields,
);

/** Scales of results, towards the weights that these come from. */
export const backwardScales = rulePhase(
  'backwardScales',
  // op(x) s = op(x s)
  rule(
    'backward map',
    '?op(?x, attrs=?a) * ?s',
    '?op(?x * reshape(?s, newshape=?n), attrs=?a)',
    map('backward', 1),
  ),
  rule(
    'backward map with a value',
    '?op(?x, ?v, attrs=?a) * ?s',
    '?op(?x * reshape(?s, newshape=?n), ?v, attrs=?a)',
    map('backward', 2),
  ),
  // (x + y) s = x s + y s
  rule('backward sum', '?op(?x, ?y) * ?s', '?op(?x * ?s, ?y * ?s)', { ...SUM, within: shrinks }),
  // op(x, b) s = op(x s, b s)
  rule(
    'backward bias',
    '?op(?x, ?b, attrs=?a) * ?s',
    '?op(?x * ?s, ?b * reshape(?s, newshape=?n), attrs=?a)',
    { ...BIAS, within: shrinks },
  ),
  ...backwardFields,
);
