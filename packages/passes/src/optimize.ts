/** The optimization levels: [passes §30](https://batonjs.github.io/baton/spec/passes#30). */
import { aBoolean, anything, atCaller, checkOptions, type OptionTypes } from '@baton/base';
import type { Call } from '@baton/ir';
import { type Pass, refusedPass, sequential, withContext } from '@baton/pass-manager';
import type { CallTimes } from '@baton/rewrites';
import { isDType, isInteger } from '@baton/tensor';
import { bubbleUpSlices } from './bubble-up-slices/bubble-up-slices.ts';
import { canonicalizeOps } from './canonicalize-ops.ts';
import { someTimes } from './configurable.ts';
import { deadCodeElimination } from './dead-code-elimination.ts';
import { unknownLevel } from './diagnostics.ts';
import { eliminateCommonSubexpr } from './eliminate-common-subexpr.ts';
import { expandGradient } from './expand-gradient.ts';
import { productsToInteger } from './fake-quantization/products-to-integer.ts';
import { flattenAtrousConv } from './flatten-atrous-conv.ts';
import { foldConstant } from './fold-constant.ts';
import { foldExplicitPadding } from './fold-explicit-padding.ts';
import { foldScaleAxis } from './fold-scale-axis/fold-scale-axis.ts';
import { toGraphNormalForm } from './normal-forms/graph-normal-form.ts';
import { removeUnusedFunctions } from './remove-unused-functions.ts';
import { selectKernels } from './select-kernels.ts';
import { simplifyExpr } from './simplify-expr.ts';
import { simplifyInference } from './simplify-inference.ts';

export type OptimizationLevel = 0 | 1 | 2 | 3;

export interface OptimizeOptions {
  /** Default: 2. */
  readonly level?: OptimizationLevel;
  /** As for FoldConstant, whether calls stay whose values are larger than what they are computed from. */
  readonly keepsSmaller?: boolean;
  /** As for SelectKernels, measured times of calls. */
  readonly times?: CallTimes;
}

const DEFAULT_OPTIMIZATION_LEVEL: OptimizationLevel = 2;

const LEVELS: ReadonlyArray<unknown> = [0, 1, 2, 3] satisfies ReadonlyArray<OptimizationLevel>;

/**
 * The passes of an optimization level, as one pass.
 *
 * | level | runs |
 * |---|---|
 * | 0 | SimplifyInference of dropout, SimplifyExpr, FoldExplicitPadding, FlattenAtrousConv: what only training needs, and calls that do nothing |
 * | 1 | RemoveUnusedFunctions and DeadCodeElimination besides |
 * | 2 | FoldConstant besides |
 * | 3 | ToGraphNormalForm that keeps effects, ProductsToInteger but for files, EliminateCommonSubexpr, SimplifyInference of what folds, FoldScaleAxis, CanonicalizeOps, BubbleUpSlices and SelectKernels besides |
 *
 * Each begins with ExpandGradient. No level makes a program do more: a normalization that nothing folds stays one call, a scale enters
 * a weight only if both are constants, and only a constant bias becomes a sum
 * ([ADR 10](https://batonjs.github.io/baton/adr/0010-levels-never-worse)).
 *
 * The level of the pipeline overrides the level of its context; passes that the context disables
 * stay out.
 *
 * **Errors** of the pass: `OPTIMIZE_LEVEL` for another level, which only a program without types
 * can ask for.
 *
 * **Source** [passes §30](https://batonjs.github.io/baton/spec/passes#30), with the passes that
 * exist, but for two places: SimplifyExpr runs before FoldScaleAxis too, since a chain of scales and
 * shifts that is merged into one goes into the weight as a whole; and what is dead is dropped at the
 * end too, when branches have been chosen.
 */
export function optimize(options: OptimizeOptions = {}): Pass {
  const problems = checkOptions('optimize', options, OPTIMIZE_TYPES, optimize);
  const level = options?.level ?? DEFAULT_OPTIMIZATION_LEVEL;
  const name = `optimize-${level}`;
  const doc = `Runs the passes of optimization level ${level}.`;
  if (problems.length > 0) return refusedPass('optimize', problems);
  if (!LEVELS.includes(level)) {
    const wrong = unknownLevel(level, LEVELS.length - 1);
    return refusedPass(name, atCaller([wrong], 'optimize', optimize));
  }
  return withContext({ level }, sequential(pipelineOf(level, options), { name, doc }));
}

// The level has a diagnostic of its own.
const OPTIMIZE_TYPES: OptionTypes<OptimizeOptions> = {
  level: anything,
  keepsSmaller: aBoolean,
  times: someTimes,
};

/** Integers, such as indices, are cast again where they are used: each use takes its cast in. */
const isIntegerCast = ({ op, attrs }: Call): boolean => {
  const to = attrs?.dtype;
  const isCast = op._tag === 'Op' && op.name === 'cast';
  return isCast && isDType(to) && isInteger(to);
};

/** The passes in order; the level leaves out those above it. */
function pipelineOf(
  level: OptimizationLevel,
  { keepsSmaller = false, times }: OptimizeOptions,
): ReadonlyArray<Pass> {
  const folding = keepsSmaller ? foldConstant({ keepsSmaller }) : foldConstant;
  return [
    expandGradient({ asGraphs: true }),
    removeUnusedFunctions,
    deadCodeElimination,
    // The passes below see what a variable is bound to only in a graph.
    ...(level < 3 ? [] : [toGraphNormalForm({ keepsEffects: true })]),
    // Other runtimes find quantized products in files by the floats around them.
    ...(level < 3 || keepsSmaller ? [] : [productsToInteger]),
    eliminateCommonSubexpr({ skip: isIntegerCast }),
    folding,
    ...(level < 3
      ? [simplifyInference({ dropoutOnly: true })]
      : [simplifyInference({ foldedOnly: true }), folding]),
    simplifyExpr,
    foldExplicitPadding,
    foldScaleAxis({ constantsOnly: true, keepsSmaller }),
    canonicalizeOps({ constantsOnly: true }),
    flattenAtrousConv,
    bubbleUpSlices,
    folding,
    simplifyExpr,
    // Once more, for values that only dropped branches and fields needed.
    deadCodeElimination,
    removeUnusedFunctions,
    times === undefined ? selectKernels : selectKernels({ times }),
  ];
}
