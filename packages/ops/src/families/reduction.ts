/** Reductions over some or all axes. */

import type { Expr, OpInfo } from '@baton/ir';
import type { Memory, Tensor } from '@baton/tensor';
import { bool } from '../attrs/codecs.ts';
import { attrs, withDefault } from '../attrs/schema.ts';
import { discrete } from '../bounds/rules.ts';
import { perInputElement } from '../cost.ts';
import { defineOp, type Facts } from '../define-op.ts';
import type { DefinitionSite } from '../definition/site.ts';
import { boolean, f32, i32 } from '../example-types.ts';
import type { OperatorFacts } from '../facts.ts';
import type { ReduceForm } from '../form/form.ts';
import type { GradientRule, GradientSite } from '../gradient/column.ts';
import type { ArgReduceOptions, ReduceOptions } from '../kernels/reduce.ts';
import { type DTypeDomain, dimAt, tensorArg } from '../relation/known.ts';
import { hasElements } from '../relation/nothing-to-take.ts';
import { type ReduceAttrs, reducedAxes, reduceProps, reduceType } from '../relation/reduce.ts';
import { toldAxes } from '../relay-text.ts';
import { reduced, reducedToPlace } from '../relayout/rules.ts';
import type { FoldOf } from '../scalar/folds.ts';

export const reduces: Facts<'cost' | 'fusion' | 'kind' | 'scaleAxis'> = {
  cost: perInputElement,
  fusion: 'comm_reduce',
  kind: 'reduction',
  scaleAxis: 'none',
};

export interface Reduction extends OperatorFacts<ReduceAttrs>, Facts<'name' | 'doc'> {
  readonly kernel: (x: Tensor, options: ReduceOptions, memory: Memory) => Tensor;
  readonly fold: FoldOf;
  readonly isMean?: true;
}

/** Numbers or bools; the dtype stays. */
export const reduction = (spec: Reduction): OpInfo => reduceOf(spec, 'any');

/** Numbers; the dtype stays. */
export const numericReduction = (spec: Reduction): OpInfo => reduceOf(spec, 'number');

export const boolReduction = (spec: Omit<Reduction, 'numerics' | 'domain' | 'bounds'>): OpInfo =>
  reduceOf({ ...spec, numerics: 'discontinuous', domain: 'any', bounds: discrete }, 'bool');

export const reduceOptions = (attrs: ReduceAttrs, data: Tensor): ReduceOptions => ({
  axes: reducedAxes(attrs, data.shape.length),
  keepDims: attrs.keepdims,
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

const reduceForm: Omit<ReduceForm<ReduceAttrs>, 'fold'> = { _tag: 'Reduce', axes: reducedAxes };

function reduceOf(spec: Reduction, domain: DTypeDomain): OpInfo {
  const of = domain === 'bool' ? boolean : f32;
  const { kernel, fold, isMean = false, ...facts } = spec;
  return defineOp({
    ...facts,
    form: { ...reduceForm, fold, isMean },
    source: 'operators §3',
    inputs: ['data'],
    attrs: attrs(reduceProps),
    relation: (args, attrs, context) => reduceType(args, attrs, context, domain),
    kernel: (args, attrs, out) => {
      const data = args.tensor(0);
      return kernel(data, reduceOptions(attrs, data), out);
    },
    ...reduces,
    relayout: reduced,
    relayText: { told: toldAxes },
    examples: [
      { args: [of(2, 3, 5)], result: of() },
      { args: [of(2, 3, 5)], attrs: { axis: [0, -1] }, result: of(3) },
      { args: [of(2, 3, 5)], attrs: { axis: 1, keepdims: true }, result: of(2, 1, 5) },
      { args: [of(2, 3, 5)], attrs: { axis: [1], exclude: true }, result: of(3) },
    ],
  });
}

export interface ArgReduction extends Facts<'name' | 'doc'> {
  readonly kernel: (x: Tensor, options: ArgReduceOptions, memory: Memory) => Tensor;
  readonly fold: (isLast: boolean) => FoldOf;
}

/** The index of an extreme, as int32; over several axes it counts in row-major order. */
export const argReduction = ({ kernel, fold, ...facts }: ArgReduction): OpInfo =>
  defineOp({
    ...facts,
    source: 'operators §3; decision D16',
    inputs: ['data'],
    attrs: attrs({ ...reduceProps, select_last_index: withDefault(bool, false) }),
    relation: (args, attrs, context) => {
      const type = reduceType(args, attrs, context, 'any', 'int32');
      const data = type === undefined ? undefined : tensorArg(args, 0, context);
      if (type === undefined || data === undefined || '_tag' in type.shape) return undefined;
      const gone = reducedAxes(attrs, data.shape.length).map((axis) => dimAt(data, axis));
      return hasElements(gone, type.shape, context) ? type : undefined;
    },
    kernel: (args, attrs, out) => {
      const data = args.tensor(0);
      const options = { ...reduceOptions(attrs, data), selectLast: attrs.select_last_index };
      return kernel(data, { ...options, outDtype: 'int32' }, out);
    },
    form: {
      ...reduceForm,
      fold: (dtype, attrs) => fold(attrs.select_last_index)(dtype),
    },
    ...reduces,
    relayout: reducedToPlace,
    numerics: 'discontinuous',
    domain: 'any',
    bounds: discrete,
    relayText: { told: toldAxes },
    examples: [
      { args: [f32(1, 1)], attrs: { axis: [1] }, result: i32(1) },
      { args: [f32(2, 3)], result: i32() },
      { args: [i32(2, 3)], attrs: { axis: 0, keepdims: true }, result: i32(1, 3) },
    ],
  });
