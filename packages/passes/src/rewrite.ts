/** Rewrite: a user's rules as a pass. */
import type { Pass } from '@baton/pass-manager';
import { type GreedyOptions, greedy, type RuleInput } from '@baton/rewrites';
import { callable } from './configurable.ts';

const NAME = 'Rewrite';

/**
 * Applies rules wherever they match, until none does: `passes.rewrite([rule(..), ruleSet(..)])`. It
 * is the greedy engine, with its options; by itself it has no rules, and changes nothing.
 *
 * **Errors** when it is run: those of the rules, and of the engine's options.
 *
 * **Complexity** linear in the function for each walk, times the rules for a node's operator.
 */
export const rewrite: Pass & ((rules: RuleInput, options?: GreedyOptions) => Pass) = callable(
  greedy([], { name: NAME }),
  (rules: RuleInput, options: GreedyOptions = {}) => greedy(rules, { name: NAME, ...options }),
);
