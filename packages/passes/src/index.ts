/** The public names of `@baton/passes`. */
export {
  type Diagnostic,
  type Diagnostics,
  DiagnosticsError,
  fail,
  ok,
  orThrow,
  type Result,
  renderDiagnostics,
} from '@baton/base';

import * as passes from './passes.ts';

export { isOpaque, isPrimitive, type Visible, visibleIn, withTypeOf } from '@baton/pass-manager';
export type { CanonicalizeOpsOptions } from './canonicalize-ops.ts';
export type { CombineParallelOptions } from './combine-parallel/combine-parallel.ts';
export type { CombineParallelDenseOptions } from './combine-parallel/dense.ts';
export type { ConfigurablePass } from './configurable.ts';
export { unCps } from './cps/to-cps.ts';
export type { DeadCodeOptions } from './dead-code-elimination.ts';
export type { DefunctionalizeOptions } from './defunctionalize/defunctionalize.ts';
export type { CommonSubexprOptions } from './eliminate-common-subexpr.ts';
export type { EtaExpandOptions } from './eta-expand.ts';
export type { FakeQuantizationOptions } from './fake-quantization/fake-quantization-to-integer.ts';
export {
  type Bounds,
  boundsOver,
  observing,
  operandsIn,
  type QuantizedProductsOptions,
  withQuantizedProducts,
} from './fake-quantization/quantized-products.ts';
export { firstOrderGradient } from './first-order-gradient.ts';
export type { FoldConstantOptions } from './fold-constant.ts';
export type { FoldScaleAxisOptions } from './fold-scale-axis/site.ts';
export { type ForwardOptions, type ForwardRule, forwardRewrite } from './forward-rewrite.ts';
export { type FuseOpsOptions, kernelFusion } from './fuse-ops/fuse-ops.ts';
export { type InlineOptions, MAX_INLINED_NODES } from './inline/inline.ts';
export { annotateSpans } from './labels/annotate-spans.ts';
export { labelOps } from './labels/label-ops.ts';
export type { AlteredCall, AlterOpLayoutOptions, AlterRule } from './layout/alter-op-layout.ts';
export type { ConvertLayoutOptions, DesiredLayouts } from './layout/convert-layout.ts';
export type { LegalizedCall, LegalizeOptions, LegalizeRule } from './layout/legalize.ts';
export type { CompositePattern } from './merge-composite.ts';
export { type Figures, figuresOf, neverWorse } from './never-worse.ts';
export { checkBasicBlockNormalForm } from './normal-forms/basic-block-normal-form.ts';
export { type OptimizationLevel, type OptimizeOptions, optimize } from './optimize.ts';
export {
  MAX_EVALUATION_STEPS,
  type PartialEvaluateOptions,
} from './partial-evaluate/partial-evaluate.ts';
export type {
  AnnotateOptions,
  CalibrateOptions,
  QuantizedBits,
  RealizeOptions,
} from './quantize/options.ts';
export type { QuantizePartitionOptions } from './quantize/partition.ts';
export type { DataSet, ProgramRunner, RunArguments } from './quantize/statistics.ts';
export { type QuantizeOptions, quantize } from './quantize-pipeline.ts';
export type { RemoveUnusedOptions } from './remove-unused-functions.ts';
export {
  type KernelTime,
  kernelsOf,
  kernelTimes,
  type SelectKernelsOptions,
} from './select-kernels.ts';
export { type ChangeBatchOptions, changeBatch } from './signature/change-batch.ts';
export {
  type SimplifyFcTransposeOptions,
  simplifyFcTranspose,
} from './signature/simplify-fc-transpose.ts';
export type { SimplifyInferenceOptions } from './simplify-inference.ts';
export type { SparseOptions } from './sparse/blocks.ts';
export type { SplitArgsOptions } from './split-args.ts';
export type { MixedPrecisionOptions } from './to-mixed-precision/to-mixed-precision.ts';
export { passes };
