/**
 * Baton in one import, with the standard operators bound where a function takes an operator table.
 * The names that the README and the guides use are at the top level; the others are in the
 * namespaces `check`, `egraph`, `ir`, `models`, `ops`, `passes`, `rewrites` and `tensor`.
 */

// Gradients of programs.
export { expandGradients, hasGradients } from '@baton/autodiff';
// Results: every function that reads a user's input returns one.
export {
  type Diagnostic,
  type Diagnostics,
  DiagnosticsError,
  diagnostic,
  fail,
  isLeft,
  isRight,
  type Limits,
  ok,
  orThrow,
  type Result,
  renderDiagnostic,
  renderDiagnostics,
  type Span,
} from '@baton/base';

// Equality saturation.
export * as egraph from '@baton/egraph';

// Comparison of programs.
export * as check from '@baton/equivalence';
export {
  checkEquivalent,
  checkPass,
  type Equivalence,
  type EquivalenceOptions,
  type PassCheck,
  verify,
} from '@baton/equivalence';

// Running programs.
export {
  type Arguments,
  type Data,
  type EvaluateOptions,
  type Executable,
  type Executor,
  evaluate,
  interpreter,
  oracle,
  type PrepareOptions,
  prepare,
  toData,
  type Value,
} from '@baton/executor';

// Programs: text, types, and the nodes of builder code.
export {
  type Call,
  call,
  children,
  constant,
  type Expr,
  type Func,
  func,
  type IRModule,
  ifElse,
  inferTypes,
  letIn,
  mapFunctions,
  type OpTable,
  postOrderExprs,
  scalarType,
  type TensorType,
  type Type,
  tensorType,
  tuple,
  tupleGetItem,
  typeOf,
  type Var,
  variable,
  withChildren,
  withFunctions,
} from '@baton/ir';
export {
  type ExportOptions,
  type ExportTarget,
  exportOnnx,
  exportOnnxPieces,
} from '@baton/onnx';
// Operators: builders of calls, the standard table, and the parts of a user's own operator.
export {
  attr,
  attrs,
  compositeOp,
  define,
  defineOp,
  elementCount,
  isOpCall,
  measureModule,
  noAttributes,
  ops,
  standardOps,
  withDefault,
} from '@baton/ops';
// Passes: the named ones, and the parts of a user's own passes and pipelines.
export {
  type FastMath,
  functionPass,
  type Instrument,
  type Pass,
  type PassContextParts,
  type PassReport,
  type PassReportEntry,
  type PassResult,
  type PassTiming,
  pass,
  passesRun,
  passStatistics,
  printAfter,
  printBefore,
  printIr,
  type RunningContext,
  rewriteFunc,
  rewritingPass,
  sequential,
  withContext,
} from '@baton/pass-manager';
export {
  type Figures,
  figuresOf,
  forwardRewrite,
  isOpaque,
  type KernelTime,
  kernelFusion,
  kernelsOf,
  kernelTimes,
  neverWorse,
  type OptimizeOptions,
  optimize,
  passes,
  type QuantizeOptions,
  quantize,
  visibleIn,
  withTypeOf,
} from '@baton/passes';
// Rules, and the engines that run them.
export * as rewrites from '@baton/rewrites';
export {
  type GreedyOptions,
  greedy,
  type Rule,
  type RuleInput,
  type RuleOptions,
  type RuleSet,
  rule,
  rulePhase,
  ruleSet,
  type SaturateOptions,
  saturate,
} from '@baton/rewrites';
// Networks with seeded weights, and tensors.
export type { DType, Tensor } from '@baton/tensor';
export {
  formatText,
  importStd,
  type ModelForm,
  modelForm,
  printModule,
  printType,
  toJson,
} from '@baton/text';
// Compiled programs.
export {
  compileToModule,
  type ModuleFile,
  type ModuleOptions,
  makeWasm,
  type WasmOptions,
  wasm,
} from '@baton/wasm';
export {
  fromJson,
  importOnnx,
  irModule,
  moduleFromExpr,
  parseExpr,
  parseModule,
  printExpr,
  structuralEqual,
} from './bound.ts';
export { passTiming, runPass, withinSeconds } from './clock.ts';
export * as ir from './ir.ts';
export * as models from './models.ts';
export * as quantization from './quantization.ts';
export { tensor } from './tensor.ts';
