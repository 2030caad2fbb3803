/** Every rule that ships. */
import type { Result } from '@baton/base';
import type { RuleSet } from '../rule/rule.ts';
import { algebra, arithmetic } from './arithmetic.ts';
import { biases } from './biases.ts';
import { casts } from './casts.ts';
import { fills } from './fills.ts';
import { likes } from './likes.ts';
import { movement } from './movement.ts';
import { inference, normalizations } from './normalizations.ts';
import { paddings } from './padding.ts';
import { quadratic } from './quadratic.ts';

/** All rule sets, in order of their names. */
export const ruleSets: ReadonlyArray<Result<RuleSet>> = [
  algebra,
  arithmetic,
  biases,
  casts,
  fills,
  inference,
  likes,
  movement,
  normalizations,
  paddings,
  quadratic,
];
