/** Every rule that ships. */
import type { Result } from '@baton/base';
import type { RuleSet } from '../rule/rule.ts';
import { activationKernels, activations, spellings } from './activations.ts';
import { algebra } from './algebra.ts';
import { arithmetic } from './arithmetic.ts';
import { attention } from './attention.ts';
import { biases } from './biases.ts';
import { casts } from './casts.ts';
import { dilations } from './dilations.ts';
import { faster } from './faster.ts';
import { fills } from './fills.ts';
import { likes } from './likes.ts';
import { movement } from './movement.ts';
import { inference, normalizations } from './normalizations.ts';
import { normKernels, norms } from './norms.ts';
import { paddings } from './padding.ts';
import { parallels } from './parallel.ts';
import { places } from './places.ts';
import { quadratic } from './quadratic.ts';
import { quantized } from './quantized.ts';
import { backwardScales, forwardScales, weightScales } from './scales.ts';

/** All rule sets, in order of their names. */
export const ruleSets: ReadonlyArray<Result<RuleSet>> = [
  activationKernels,
  activations,
  algebra,
  arithmetic,
  attention,
  backwardScales,
  biases,
  casts,
  dilations,
  faster,
  fills,
  forwardScales,
  inference,
  likes,
  movement,
  normKernels,
  normalizations,
  norms,
  paddings,
  parallels,
  places,
  quadratic,
  quantized,
  spellings,
  weightScales,
];

const apart: ReadonlySet<unknown> = new Set([
  algebra,
  backwardScales,
  faster,
  forwardScales,
  normalizations,
  quantized,
]);

/**
 * The rule sets that may run together. A scale on its way into a weight is left out: a set moves it
 * in one direction, and with its counterpart it would go back and forth, rounded each time. So are
 * the definitions of operators on quantized integers, which engines compute as they are, and the laws of
 * `algebra`: without an aim of their own they double a search many times over ([ADR 94](https://batonjs.github.io/baton/adr/0094-laws-apart)).
 * So is `faster`: no estimate of costs tells its sides apart, and the results err more.
 * Definitions come last: they are the general case of what other rules look for.
 */
export const commonSets: ReadonlyArray<Result<RuleSet>> = [
  ...ruleSets.filter((set) => !apart.has(set)),
  normalizations,
];
