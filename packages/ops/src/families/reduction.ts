/** Reductions over some or all axes. */
import type { Expr, OpInfo } from '@baton/ir';
import { bool } from '../attrs/codecs.ts';
import { attrs, withDefault } from '../attrs/schema.ts';
import { discrete } from '../bounds/rules.ts';
import type { Example } from '../columns.ts';
import { defineOp, type Facts, type Signature } from '../define-op.ts';
import type { DefinitionSite } from '../definition/site.ts';
import { boolean, f32, i32 } from '../example-types.ts';
import type { ReduceForm } from '../form/form.ts';
import type { GradientRule, GradientSite } from '../gradient/column.ts';
import { type DTypeDomain, dimAt, tensorArg } from '../relation/known.ts';
import { hasElements } from '../relation/nothing-to-take.ts';
import { type ReduceAttrs, reducedAxes, reduceProps, reduceType } from '../relation/reduce.ts';
import { toldAxes } from '../relay-text.ts';
import { reducedToPlace } from '../relayout/rules.ts';
import type { FoldOf } from '../scalar/folds.ts';

/** Examples of all attributes; bools for logical reductions. */
const examplesOf = (of: typeof f32): ReadonlyArray<Example<ReduceAttrs>> => [
  { args: [of(2, 3, 5)], result: of() },
  { args: [of(2, 3, 5)], attrs: { axis: [0, -1] }, result: of(3) },
  { args: [of(2, 3, 5)], attrs: { axis: 1, keepdims: true }, result: of(2, 1, 5) },
  { args: [of(2, 3, 5)], attrs: { axis: [1], exclude: true }, result: of(3) },
];

/** The dtype, in this domain, stays. */
export const reducing = (domain: DTypeDomain): Signature<ReduceAttrs, 'data'> => ({
  source: 'operators §3',
  inputs: ['data'],
  attrs: attrs(reduceProps),
  relation: (args, given, context) => reduceType(args, given, context, domain),
  relayText: { told: toldAxes },
  examples: examplesOf(domain === 'bool' ? boolean : f32),
});

export const reduceForm = (fold: FoldOf): ReduceForm<ReduceAttrs> => ({
  _tag: 'Reduce',
  axes: reducedAxes,
  fold,
});

/** The gradient of a reduction's result, broadcast to the elements that it reduces. */
export function spread(site: GradientSite<ReduceAttrs>, g: Expr): Expr {
  const { args, attrs: given, rank, withAxes, spreadLike } = site;
  const kept = given.keepdims ? g : withAxes(g, reducedAxes(given, rank(0)));
  return spreadLike(kept, args[0]);
}

/** The gradient of an extreme is split equally among all elements that attain it. */
export const extremeGradient: GradientRule<ReduceAttrs> = (site) => {
  const { args, g, attrs: given, result, rank, isEqual, sum, over, times } = site;
  const has = isEqual(args[0], spread(site, result));
  const count = sum(has, reducedAxes(given, rank(0)), true);
  return [times(spread(site, g), over(has, count))];
};

/** The product over the reduced axes: multiplies halves until one element is left. */
export function foldedProduct(site: DefinitionSite<ReduceAttrs>): Expr {
  const { args, attrs: given, rank, sizes, op, times, number, crop } = site;
  const gone = reducedAxes(given, rank(0));
  const shape = sizes(0);
  const kept = shape.flatMap((_, axis) => (gone.includes(axis) ? [] : [axis]));
  const [rows, count] = [kept, gone].map((axes) =>
    axes.reduce((product, axis) => product * (shape[axis] ?? 0), 1),
  ) as [number, number];
  const flat = site.reshape(site.transpose(args[0], [...kept, ...gone]), [rows, count]);
  let folded = flat;
  for (let width = count; width !== 1; width = Math.ceil(width / 2)) {
    const half = Math.ceil(width / 2);
    const missing = 2 * Math.max(half, 1) - width;
    const even = op('nn.pad', [folded, number(1)], {
      pad_width: [
        [0, 0],
        [0, missing],
      ],
    });
    const halves = [0, Math.max(half, 1)].map((from) =>
      crop(even, [0, from], [rows, from + Math.max(half, 1)]),
    ) as [Expr, Expr];
    folded = times(...halves);
    if (width === 0) break;
  }
  return site.reshape(folded, site.resultSizes());
}

type ArgReduceAttrs = ReduceAttrs & { readonly select_last_index: boolean };

/** The index of an extreme, as int32; over several axes it counts in row-major order. */
const argReducing: Signature<ArgReduceAttrs, 'data'> = {
  source: 'operators §3; decision D16',
  inputs: ['data'],
  attrs: attrs({ ...reduceProps, select_last_index: withDefault(bool, false) }),
  relation: (args, given, context) => {
    const type = reduceType(args, given, context, 'any', 'int32');
    const data = type === undefined ? undefined : tensorArg(args, 0, context);
    if (type === undefined || data === undefined || '_tag' in type.shape) return undefined;
    const gone = reducedAxes(given, data.shape.length).map((axis) => dimAt(data, axis));
    return hasElements(gone, type.shape, context) ? type : undefined;
  },
  relayText: { told: toldAxes },
  examples: [
    { args: [f32(1, 1)], attrs: { axis: [1] }, result: i32(1) },
    { args: [f32(2, 3)], result: i32() },
    { args: [i32(2, 3)], attrs: { axis: 0, keepdims: true }, result: i32(1, 3) },
  ],
};

export interface ArgReduction extends Facts<'name' | 'doc'> {
  readonly fold: (isLast: boolean) => FoldOf;
}

export const argReduction = ({ fold, ...facts }: ArgReduction): OpInfo =>
  defineOp({
    ...facts,
    signature: argReducing,
    form: {
      _tag: 'Reduce',
      axes: reducedAxes,
      fold: (dtype, given) => fold(given.select_last_index)(dtype),
    },
    relayout: reducedToPlace,
    numerics: 'discontinuous',
    bounds: discrete,
  });
