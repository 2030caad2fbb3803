/** The public names of `@baton/ops`. */

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
export * as attr from './attrs/codecs.ts';
export {
  type AttrProps,
  type AttrsOf,
  attrs,
  type Defaulted,
  noAttributes,
  type TypedAttrs,
  withDefault,
} from './attrs/schema.ts';
export {
  type Bounds,
  type BoundsRule,
  type BoundsSite,
  between,
  boundsColumn,
  type Domain,
  type Facts,
  hull,
  type Interval,
  magnitude,
  type ResultRange,
} from './bounds/bounds.ts';
export { mixed } from './bounds/rules.ts';
export { callOp, fieldOf } from './build.ts';
export * as ops from './builders/index.ts';
export {
  type ConvolutionPattern,
  type PoolPattern,
  type SampledPattern,
  type Sampling,
  type SizePattern,
  samplingColumn,
} from './call-pattern.ts';
export {
  costColumn,
  type Example,
  type ExampleArg,
  examplesColumn,
  type FusionPattern,
  fusionColumn,
  kernelColumn,
  kindColumn,
  type OpKind,
} from './columns.ts';
export { commutes } from './commutes.ts';
export { type CompositeOp, compositeOp } from './composite-op.ts';
export {
  type CompositeOptions,
  logSumExp,
  meanVariance,
  moment,
  squared,
  std,
} from './composites.ts';
export {
  FOLDING,
  type FoldingBudget,
  foldedValue,
  type KeptCall,
  type NamedCall,
  whyKept,
} from './constant-folding.ts';
export {
  CONVOLUTION_ALGORITHMS,
  type ConvolutionAlgorithm,
  convolutionAlgorithms,
  fastestAlgorithm,
  type NamedAlgorithm,
} from './convolution-algorithm.ts';
export {
  type Bytes,
  byteCount,
  type Cost,
  type CostModel,
  elementCount,
  type Flops,
} from './cost.ts';
export { defineOp, type OpDefinition, type TypedRelation } from './define-op.ts';
export { type Calculus, calculus } from './definition/calculus.ts';
export {
  type Computed,
  type DefineOptions,
  type Definition,
  type DefinitionCode,
  define,
  definitionColumn,
  type FormulaCase,
} from './definition/column.ts';
export {
  type DefinitionOptions,
  definitionOf,
  type HoleValues,
  valuesIn,
} from './definition/definition.ts';
export type { CallFacts, DefinitionSite, FactSite } from './definition/site.ts';
export {
  type CallEvaluator,
  evaluateCall,
  evaluateOp,
  fitsCall,
  type KnownCall,
  type PreparedCall,
  prepareCall,
  prepareTyped,
  runCall,
} from './evaluate.ts';
export type { OperatorFacts } from './facts.ts';
export { type Box, type Boxes, type BoxSite, boxesOf, type Range, soleMove } from './form/boxes.ts';
export {
  type CallForm,
  type CallView,
  callForm,
  type TypedCall,
  type ZeroPoints,
} from './form/call-form.ts';
export {
  type BlockPacking,
  type ConcatForm,
  type ContractForm,
  type ConvertForm,
  type Form,
  formColumn,
  formOf,
  type GatherForm,
  type InterpolatedAxis,
  type Joining,
  type MapForm,
  type OwnPadding,
  ownPaddingOf,
  type PadForm,
  type ReduceForm,
  type Reshaping,
  reshapingOf,
  type SoftmaxForm,
  type StepsForm,
  type View,
  type ViewForm,
  type ViewSite,
  type WindowForm,
} from './form/form.ts';
export type { Step } from './form/steps.ts';
export { windowsView } from './form/windows.ts';
export {
  type CellRole,
  cellColumn,
  type Gradient,
  type GradientRule,
  type GradientSite,
  gradientColumn,
} from './gradient/column.ts';
export { type Gradients, gradientsOf, hasFloats, hasGradient } from './gradient/gradients.ts';
export {
  type Kernel,
  type KernelArgs,
  type Out,
  outOf,
  type ScalarKernel,
  type TypedKernel,
} from './kernel.ts';
export { COMBINATIONS } from './kernels/combine.ts';
export type { AffineIndex, Contraction } from './kernels/contraction.ts';
export type { Border } from './kernels/pad.ts';
export type { WindowFold, Windows } from './kernels/pool.ts';
export { centred, type FixedPoint, fixedPoint, quantizedRange } from './kernels/quantized.ts';
export type { Element, ScalarRule } from './kernels/scalar-rule.ts';
export type { Gathering } from './kernels/take.ts';
export { threefryKey } from './kernels/threefry.ts';
export { parseLayout } from './layout/layout.ts';
export type { SpatialRank } from './layout/spatial.ts';
export {
  countNodes,
  type ModuleMeasure,
  mayHaveBias,
  measureModule,
  productOfBias,
} from './measure/measure.ts';
export * as moves from './moves.ts';
export { type Move, moved, viewed } from './moves.ts';
export { type Numerics, numericsColumn } from './numerics.ts';
export { sameAffine } from './on-integers/affine.ts';
export {
  type Affine,
  type IntegerArgument,
  type IntegerFields,
  type IntegerRule,
  type IntegerSite,
  type Integers,
  type OnIntegers,
  type OtherArgument,
  onIntegersColumn,
  type RealConstant,
} from './on-integers/column.ts';
export { type OnnxAttribute, type OnnxForm, onnxColumn } from './onnx-form.ts';
export { isCallOf, isOpCall, numbersOf, type OpCall, operandOf } from './op-call.ts';
export { attrsKey, signed } from './pattern/attrs-key.ts';
export { type Formula, formula } from './pattern/formula.ts';
export {
  attrsFor,
  buildPattern,
  type InstantiateOptions,
  instantiate,
  type Missing,
  type PatternBuilder,
} from './pattern/instantiate.ts';
export type {
  AttrNames,
  Bound,
  BoundBy,
  HoleNames,
  OperatorNames,
  RestNames,
} from './pattern/names.ts';
export { parsePattern } from './pattern/parse.ts';
export {
  type AttrHole,
  type AttrPattern,
  type CallPattern,
  type CompositePattern,
  type FieldPattern,
  type Hole,
  type Holes,
  headKey,
  holesOf,
  isAttrHole,
  type NumberPattern,
  operatorHole,
  type Pattern,
  partsOf,
  sharing,
  subpatterns,
  type TuplePattern,
  withParts,
} from './pattern/pattern.ts';
export { type Equation, expandEllipsis, parseEquation } from './relation/einsum.ts';
export { SPATIAL } from './relation/in-layout.ts';
export {
  type SliceAttrs,
  type SliceBounds,
  sliceBounds,
  sliceRange,
  sliceRanges,
} from './relation/slice.ts';
export { meetDTypes, solvedContext } from './relation/solved.ts';
export { paddingLists } from './relation/window.ts';
export {
  type LayoutAttributes,
  type LayoutFacts,
  layoutColumn,
  type Relayed,
  type Relayout,
  type RelayoutRule,
  type RelayoutSite,
} from './relayout/relayout.ts';
export {
  type Foldable,
  fasterColumn,
  foldableColumn,
  type Precision,
  type PrecisionRule,
  precisionColumn,
  type Quantizing,
  quantizingColumn,
  type RewritingFacts,
  staticFormColumn,
} from './rewriting.ts';
export type { NodeName } from './scalar/expr.ts';
export { arityOf, isTruth as isTruthScalar, type Scalar } from './scalar/expr.ts';
export { FIXED_POINT, type FixedPointRounding } from './scalar/fixed-point.ts';
export { type Fold, type FoldOf, GREATEST, SUM } from './scalar/folds.ts';
export { NODES, type NodeKind } from './scalar/nodes.ts';
export { expandToAxes, isScaleAlong, layAlongWeight, scaleAlong } from './scale-axis/build.ts';
export {
  metAxes,
  passagesOf,
  resultAxes,
  type ScaledPart,
  type ScalePassage,
  sameAxes,
} from './scale-axis/passage.ts';
export {
  type ScaleAxis,
  type ScaleBias,
  type ScaleConcatenation,
  type ScaleMap,
  type ScaleMeeting,
  type ScaleOrigin,
  type ScaleProduct,
  type ScaleSite,
  type ScaleSum,
  scaleAxisColumn,
} from './scale-axis/scale-axis.ts';
export { dimsOf, dtypeOf, haveSameShape } from './scale-axis/shape.ts';
export { arePositive, isSafeDivisor } from './scale-axis/values.ts';
export { standardOps } from './standard-ops.ts';
export { type StaticForm, type StaticParts, staticParts } from './static-form.ts';
export { isWorthStoring, MAX_INFLATED_BYTES } from './storing.ts';
export { type OpValue, staticTensor, typeOfValue } from './value.ts';
