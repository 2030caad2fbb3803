/** The optimization levels: passes.md §30. */
import { type Pass, sequential, withContext } from '@baton/pass-manager';
import { canonicalizeOps } from './canonicalize-ops.ts';
import { deadCodeElimination } from './dead-code-elimination.ts';
import { eliminateCommonSubexpr } from './eliminate-common-subexpr.ts';
import { foldConstant } from './fold-constant.ts';
import { foldExplicitPadding } from './fold-explicit-padding.ts';
import { foldScaleAxis } from './fold-scale-axis/fold-scale-axis.ts';
import { removeUnusedFunctions } from './remove-unused-functions.ts';
import { simplifyExpr } from './simplify-expr/simplify-expr.ts';
import { simplifyInference } from './simplify-inference.ts';

/** How far {@link optimize} goes. */
export type OptimizationLevel = 0 | 1 | 2 | 3;

/** The choices of {@link optimize}. */
export interface OptimizeOptions {
  /** Default: 2. */
  readonly level?: OptimizationLevel;
}

const DEFAULT_OPTIMIZATION_LEVEL: OptimizationLevel = 2;

/**
 * The passes of an optimization level, as one pass.
 *
 * | level | runs |
 * |---|---|
 * | 0 | SimplifyInference, SimplifyExpr, FoldExplicitPadding: what only training needs, and calls that do nothing |
 * | 1 | RemoveUnusedFunctions and DeadCodeElimination besides |
 * | 2 | FoldConstant besides |
 * | 3 | EliminateCommonSubexpr, FoldScaleAxis and CanonicalizeOps besides |
 *
 * The level is that of the pipeline, whatever the level of the context that it runs in; passes
 * that the context disables stay out.
 *
 * **Source** passes.md §30, with the passes that exist, but for one place: SimplifyExpr runs before
 * FoldScaleAxis too, since a chain of scales and shifts that is merged into one goes into the weight
 * as a whole.
 */
export function optimize(options: OptimizeOptions = {}): Pass {
  const level = options.level ?? DEFAULT_OPTIMIZATION_LEVEL;
  const name = `optimize-${level}`;
  const doc = `Runs the passes of optimization level ${level}.`;
  return withContext({ level }, sequential(PIPELINE, { name, doc }));
}

/** In order; the level leaves out what is above it. */
const PIPELINE: ReadonlyArray<Pass> = [
  removeUnusedFunctions,
  deadCodeElimination,
  simplifyInference,
  eliminateCommonSubexpr,
  foldConstant,
  simplifyExpr,
  foldExplicitPadding,
  foldScaleAxis,
  canonicalizeOps,
  foldConstant,
  simplifyExpr,
];
