/**
 * E-graphs and equality saturation.
 *
 * ```ts
 * const egraph = new EGraph();
 * const root = orThrow(egraph.addExpr('(* (+ a b) 1)'));
 * const report = run(egraph, [
 *   rewrite('comm-add', '(+ ?a ?b)', '(+ ?b ?a)'),
 *   rewrite('one-mul', '(* ?a 1)', '?a'),
 * ]);
 * orThrow(report.outcome);
 * ```
 *
 * The README has the names by what they are for, and the tutorials of the site teach them. After
 * `add` and `union`, `rebuild` restores congruence (`run` does so itself); ask for classes, nodes and
 * matches after it. `forEachClass`, `forEachNode`, `classOf`, `operatorOf` and `child` allocate
 * nothing; class and node ids are numbers below `egraph.store.size`.
 */
export {
  type Diagnostic,
  type Diagnostics,
  DiagnosticsError,
  fail,
  ok,
  orThrow,
  type Result,
} from '@baton/base';
export { type AnalysesOf, composeAnalyses } from './analysis.ts';
export { type Analysis, EGraph, type EGraphOptions } from './egraph.ts';
export { type Checked, type CheckOptions, checkProof } from './explain/check.ts';
export { explain } from './explain/explain.ts';
export {
  type CongruenceStep,
  type Direction,
  type FlatStep,
  flatProof,
  type GivenStep,
  type Proof,
  type ProofStep,
  printFlatProof,
  printProof,
  proofParts,
  type RuleStep,
} from './explain/proof.ts';
export {
  type CostFunction,
  depthCost,
  type NodeCost,
  sizeCost,
  sumOf,
} from './extract/cost.ts';
export {
  type ExactExtraction,
  type ExactOptions,
  extractExact,
} from './extract/exact.ts';
export {
  type DagExtraction,
  type DagOptions,
  extractDag,
  extractTree,
  type TreeExtraction,
} from './extract/extract.ts';
export type {
  GraphSource,
  ReadableEGraph,
  ReadableGraph,
  ReadableNode,
} from './extract/readable.ts';
export type { ClassId, NodeId } from './ids.ts';
export {
  type Arity,
  anyLanguage,
  booleanLeaf,
  defineLanguage,
  type Language,
  type LanguageDefinition,
  type LeafKind,
  numberLeaf,
  parseTerm,
  printTermIn,
  type SomeLeafKind,
  symbolLeaf,
} from './language.ts';
export type { CodeGeneration } from './match/code.ts';
export {
  type Clause,
  node,
  type Pattern,
  type PatternAtom,
  type PatternNode,
  type PatternVariable,
  parseClauses,
  parsePattern,
  patternVariables,
  printPattern,
  variable,
} from './pattern.ts';
export {
  type Applier,
  addPattern,
  applier,
  type Bound,
  type Condition,
  lookupPattern,
  type Match,
  multiRewrite,
  type Rewrite,
  type RewriteOptions,
  type RuleInput,
  type RuleSource,
  rewrite,
  rewriteBoth,
  rules,
  type VariableNames,
  type WhenEqualOptions,
  when,
  whenData,
  whenEqual,
  whenPayload,
} from './rewrite.ts';
export type {
  AsyncRunOptions,
  BasicRunOptions,
  Clock,
  Hook,
  Progress,
  RunOptions,
  Signal,
  Timing,
} from './run/options.ts';
export {
  type Iteration,
  type Phases,
  printStopReason,
  type Report,
  type RuleReport,
  type StopReason,
} from './run/report.ts';
export { run, runAsync, runSchedule } from './run/run.ts';
export {
  repeat,
  ruleset,
  type Schedule,
  saturate,
  sequence,
} from './run/schedule.ts';
export {
  type BackoffOptions,
  type BackoffRule,
  backoffScheduler,
  type Scheduler,
  type SchedulerState,
  simpleScheduler,
} from './run/scheduler.ts';
export { countMatches, type SearchOptions, search } from './search.ts';
export { toDot } from './serialize/dot.ts';
export {
  type Deserialized,
  type DeserializeOptions,
  fromGraphData,
  type SerializedGraph,
  type SerializedNode,
  type SerializeOptions,
  toGraphData,
} from './serialize/json.ts';
export { toSvg } from './serialize/svg.ts';
export type { Operator } from './store/operators.ts';
export { printTerm, type Term, term } from './term.ts';
