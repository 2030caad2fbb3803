/** Every rule that ships. */
import type { Result } from '@baton/base';
import type { RuleSet } from '../rule/rule.ts';
import { algebra, arithmetic } from './arithmetic.ts';
import { movement } from './movement.ts';

/** All rule sets, in order of their names. */
export const ruleSets: ReadonlyArray<Result<RuleSet>> = [algebra, arithmetic, movement];
