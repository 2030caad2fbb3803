/** Every rule that ships. */
import type { Result } from '@baton/base';
import type { RuleSet } from '../rule/rule.ts';
import { activationKernels, activations, spellings } from './activations.ts';
import { algebra, arithmetic } from './arithmetic.ts';
import { attention } from './attention.ts';
import { biases } from './biases.ts';
import { casts } from './casts.ts';
import { fills } from './fills.ts';
import { likes } from './likes.ts';
import { movement } from './movement.ts';
import { inference, normalizations } from './normalizations.ts';
import { normKernels, norms } from './norms.ts';
import { paddings } from './padding.ts';
import { parallels } from './parallel.ts';
import { quadratic } from './quadratic.ts';

/** All rule sets, in order of their names. */
export const ruleSets: ReadonlyArray<Result<RuleSet>> = [
  activationKernels,
  activations,
  algebra,
  arithmetic,
  attention,
  biases,
  casts,
  fills,
  inference,
  likes,
  movement,
  normKernels,
  normalizations,
  norms,
  paddings,
  parallels,
  quadratic,
  spellings,
];
