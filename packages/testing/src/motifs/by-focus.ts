/** The motifs of each focus. */

import type { Motif } from '../generate/motif.ts';
import { arithmetic } from './arithmetic.ts';
import { atrous, joined, quotients } from './blocks.ts';
import { dynamic } from './dynamic.ts';
import { fakeQuantizations } from './fake-quantized.ts';
import { biases, normalizations, paddings } from './images.ts';
import { casting, likes, movement } from './movement.ts';
import { parallel } from './parallel.ts';
import { quantizations } from './quantized.ts';
import { quantizable, simulations } from './quantizing.ts';
import { scaleChains, scaledInputs, scaledResults } from './scale-chains.ts';
import { smooth } from './smooth.ts';
import { sparseProducts } from './sparse.ts';
import { constants, deadCode, duplicates, fusable, normalForms } from './structure.ts';

/** A theme of programs, so that the passes concerned have something to do. */
export type Focus =
  | 'scale-chains'
  | 'scale-inputs'
  | 'scale-results'
  | 'constants'
  | 'batch-norm'
  | 'bias'
  | 'padding'
  | 'casts'
  | 'movement'
  | 'arith'
  | 'like'
  | 'smooth'
  | 'parallel'
  | 'dynamic'
  | 'atrous'
  | 'joined'
  | 'quotients'
  | 'fake-quantized'
  | 'quantizable'
  | 'quantized'
  | 'simulated'
  | 'sparse'
  | 'duplicates'
  | 'dead'
  | 'unused-functions'
  | 'fusable'
  | 'normal-form';

/** The motifs of each focus. Unused functions are not part of `main`, so none are here. */
export const MOTIFS: { readonly [F in Focus]: ReadonlyArray<Motif> } = {
  'scale-chains': scaleChains,
  'scale-inputs': scaledInputs,
  'scale-results': scaledResults,
  constants,
  'batch-norm': normalizations,
  bias: biases,
  padding: paddings,
  casts: casting,
  movement,
  arith: arithmetic,
  like: likes,
  smooth,
  parallel,
  dynamic,
  atrous,
  joined,
  quotients,
  'fake-quantized': fakeQuantizations,
  quantizable,
  quantized: quantizations,
  simulated: simulations,
  sparse: sparseProducts,
  duplicates,
  dead: deadCode,
  'unused-functions': [],
  fusable,
  'normal-form': normalForms,
};
