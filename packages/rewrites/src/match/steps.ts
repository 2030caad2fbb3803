/** The uses of rules that lead from a program to another. */
import type { Expr } from '@baton/ir';

/** Two expressions that a rule makes equal. */
export interface RuleStep {
  /** The name of the rule, with its direction, or `constant folding`. */
  readonly rule: string;
  readonly before: Expr;
  readonly after: Expr;
}

/** The option of engines that hands over their steps. */
export interface Recording {
  /** Is called with each step that the result owes itself to. */
  readonly onStep?: (step: RuleStep) => void;
}
