/** Every named pass: the members of the namespace `passes`. */

export { inferType } from '@baton/pass-manager';
export { canonicalizeCast } from './canonicalize-cast.ts';
export { canonicalizeOps } from './canonicalize-ops.ts';
export { deadCodeElimination } from './dead-code-elimination.ts';
export { eliminateCommonSubexpr } from './eliminate-common-subexpr.ts';
export { etaExpand } from './eta-expand.ts';
export { fastMath } from './fast-math.ts';
export { foldConstant } from './fold-constant.ts';
export { foldExplicitPadding } from './fold-explicit-padding.ts';
export { backwardFoldScaleAxis } from './fold-scale-axis/backward.ts';
export { foldScaleAxis } from './fold-scale-axis/fold-scale-axis.ts';
export { forwardFoldScaleAxis } from './fold-scale-axis/forward.ts';
export { defuseOps } from './fuse-ops/defuse-ops.ts';
export { fuseOps } from './fuse-ops/fuse-ops.ts';
export { inline } from './inline/inline.ts';
export { lambdaLift } from './lambda-lift.ts';
export { mergeComposite } from './merge-composite.ts';
export { toANormalForm } from './normal-forms/a-normal-form.ts';
export { toBasicBlockNormalForm } from './normal-forms/basic-block-normal-form.ts';
export { toGraphNormalForm } from './normal-forms/graph-normal-form.ts';
export { partialEvaluate } from './partial-evaluate/partial-evaluate.ts';
export { removeUnusedFunctions } from './remove-unused-functions.ts';
export { rewrite } from './rewrite.ts';
export { simplifyExpr } from './simplify-expr.ts';
export { simplifyInference } from './simplify-inference.ts';
