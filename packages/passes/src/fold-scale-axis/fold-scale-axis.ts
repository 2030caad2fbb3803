/**
 * FoldScaleAxis: both directions, and the folding of the results.
 * [passes §2](https://batonjs.github.io/baton/spec/passes#2).
 */
import { inferType, sequential } from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { foldConstant } from '../fold-constant.ts';
import { backwardFoldScaleAxis } from './backward.ts';
import { forwardFoldScaleAxis } from './forward.ts';
import { FOLD_SCALE_AXIS_TYPES, type FoldScaleAxisOptions } from './site.ts';

/**
 * Moves per-channel multiplications into the weights of convolutions and products: scales on
 * results first, then scales on inputs; then folds the constant weights. With `constantsOnly`,
 * weights are folded in between as well.
 */
export const foldScaleAxis: ConfigurablePass<FoldScaleAxisOptions> = configurable(
  FOLD_SCALE_AXIS_TYPES,
  (options) => {
    const { constantsOnly, keepsSmaller } = options;
    const folding = keepsSmaller === true ? foldConstant({ keepsSmaller }) : foldConstant;
    const between = constantsOnly === true ? [folding] : [];
    return sequential(
      [backwardFoldScaleAxis(options), ...between, forwardFoldScaleAxis(options), folding],
      {
        name: 'FoldScaleAxis',
        doc: 'Moves per-channel multiplications into the weights of convolutions and products.',
        subject: 'scales',
        level: 3,
        requires: [inferType],
      },
    );
  },
);
