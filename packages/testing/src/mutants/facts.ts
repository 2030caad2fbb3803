/** Mistakes in the operator facts that passes read. */
import type { Attrs } from '@baton/ir';
import {
  decompositionColumn,
  neutralColumn,
  type OwnPadding,
  ownPaddingColumn,
  type ScaleAxis,
  scaleAxisColumn,
} from '@baton/ops';
import { type Mistake, type Mutant, mutant, noEffects, wrongFact } from './mutant.ts';

const isPool = (name: string): boolean => name.includes('pool');

const SCALES = 'backwardFoldScaleAxis, forwardFoldScaleAxis, foldScaleAxis';

const wrongScale = (name: string, wrong: (fact: ScaleAxis, op: string) => ScaleAxis | undefined) =>
  mutant(name, SCALES, wrongFact(scaleAxisColumn, wrong));

const scales: ReadonlyArray<Mutant> = [
  wrongScale('FoldScaleAxis: no positivity guard', (fact, op) =>
    fact._tag === 'ScaleMap' && !isPool(op) ? { ...fact, needsPositive: false } : undefined,
  ),
  wrongScale('scale axis: a maximum over windows takes any scale', (fact, op) =>
    fact._tag === 'ScaleMap' && isPool(op) ? { ...fact, needsPositive: false } : undefined,
  ),
  wrongScale('BackwardFoldScaleAxis: scale on the input in place of the output axis', (fact) => {
    if (fact._tag !== 'ScaleProduct') return undefined;
    const { input, output } = fact;
    return {
      ...fact,
      output: (site) => {
        const [from, to] = [input(site), output(site)];
        return from && to && { tensor: to.tensor, weight: from.weight };
      },
    };
  }),
  wrongScale('FoldScaleAxis: dense treated as depthwise', (fact, op) => {
    if (fact._tag !== 'ScaleProduct' || op !== 'nn.dense') return undefined;
    const { input, output } = fact;
    return {
      ...fact,
      input: (site) => {
        const [from, to] = [input(site), output(site)];
        return from && to && { tensor: from.tensor, weight: to.weight };
      },
    };
  }),
  wrongScale('ForwardFoldScaleAxis: shift not divided by the scale', (fact) =>
    fact._tag === 'ScaleSum'
      ? {
          _tag: 'ScaleMap',
          needsPositive: false,
          beyondTvm: false,
          axes: ({ result }) =>
            result._tag === 'TensorType' && !('_tag' in result.shape)
              ? result.shape.map((_, axis) => axis)
              : undefined,
        }
      : undefined,
  ),
  wrongScale('FoldScaleAxis: every field of a concatenation gets the whole scale', (fact) =>
    fact._tag === 'ScaleConcatenation' ? { ...fact, axis: () => undefined } : undefined,
  ),
  wrongScale('scale axis: transposed axes mapped the other way round', (fact, op) => {
    if (fact._tag !== 'ScaleMap' || op !== 'transpose') return undefined;
    const { axes } = fact;
    return {
      ...fact,
      axes: (site) => {
        const map = axes(site);
        return map?.map((_, axis) => map.indexOf(axis));
      },
    };
  }),
];

const padsLikeConvolution = (fact: OwnPadding): OwnPadding => ({ ...fact, kind: 'convolution' });

/** Batch normalization is spelled out with wrong attributes. */
const wrongBatchNorm = (attrs: Attrs): Mistake =>
  wrongFact(decompositionColumn, (fact, op) =>
    op === 'nn.batch_norm'
      ? {
          ...fact,
          spell: (whole) => fact.spell({ ...whole, attrs: { ...whole.attrs, ...attrs } }),
        }
      : undefined,
  );

const rest: ReadonlyArray<Mutant> = [
  mutant(
    'SimplifyInference: batch norm without epsilon',
    'simplifyInference',
    wrongBatchNorm({ epsilon: 0 }),
  ),
  mutant(
    "SimplifyInference: batch norm's axis 1 taken for the last",
    'simplifyInference',
    wrongBatchNorm({ axis: -1 }),
  ),
  mutant(
    'FoldExplicitPadding: zeros are what a maximum pads with',
    'foldExplicitPadding',
    wrongFact(ownPaddingColumn, (fact) =>
      fact.kind === 'maximum' ? padsLikeConvolution(fact) : undefined,
    ),
  ),
  mutant(
    'FoldExplicitPadding: padding left out of a mean',
    'foldExplicitPadding',
    wrongFact(ownPaddingColumn, (fact) =>
      fact.kind === 'mean' ? padsLikeConvolution(fact) : undefined,
    ),
  ),
  mutant(
    'SimplifyExpr: 0 - x is x',
    'simplifyExpr',
    wrongFact(neutralColumn, (fact, op) =>
      op === 'subtract' ? { ...fact, commutes: true } : undefined,
    ),
  ),
  mutant('EliminateCommonSubexpr: stateful calls merged', 'eliminateCommonSubexpr', noEffects),
  mutant('DeadCodeElimination: a stateful call dropped', 'deadCodeElimination', noEffects),
];

/** Mutants that read a wrong fact. */
export const factMutants: ReadonlyArray<Mutant> = [...scales, ...rest];
