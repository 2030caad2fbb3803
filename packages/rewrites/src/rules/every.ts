/** Every rule that ships. */
import { ruleSet } from '../rule/rule.ts';
import { algebra, arithmetic } from './arithmetic.ts';
import { movement } from './movement.ts';

/** All rule sets in one. */
export const everyRule = ruleSet('every rule', arithmetic, algebra, movement);
