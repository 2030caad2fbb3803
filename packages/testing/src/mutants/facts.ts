/** Mistakes in the operator facts that passes read. */
import {
  type Form,
  formColumn,
  type OwnPadding,
  quantizingColumn,
  type ScaleAxis,
  scaleAxisColumn,
} from '@baton/ops';
import { type Mutant, mutant, noEffects, wrongFact } from './mutant.ts';

const isPool = (name: string): boolean => name.includes('pool');

/** Takes the padding of windows of one kind for zeros. */
const padsAs =
  (kind: OwnPadding) =>
  (form: Form): Form | undefined =>
    form._tag === 'Window' && form.ownPadding === kind
      ? { ...form, ownPadding: 'convolution' }
      : undefined;

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

const rest: ReadonlyArray<Mutant> = [
  mutant(
    'QuantizeRealize: bounds are not divided by the scale',
    'quantizeRealize',
    wrongFact(quantizingColumn, (fact) => (fact === 'bound' ? 'movement' : undefined)),
  ),
  mutant(
    'FoldExplicitPadding: zeros are what a maximum pads with',
    'foldExplicitPadding',
    wrongFact(formColumn, padsAs('maximum')),
  ),
  mutant(
    'FoldExplicitPadding: padding left out of a mean',
    'foldExplicitPadding',
    wrongFact(formColumn, padsAs('mean')),
  ),
  mutant('EliminateCommonSubexpr: stateful calls merged', 'eliminateCommonSubexpr', noEffects),
  mutant('DeadCodeElimination: a stateful call dropped', 'deadCodeElimination', noEffects),
];

export const factMutants: ReadonlyArray<Mutant> = [...scales, ...rest];
