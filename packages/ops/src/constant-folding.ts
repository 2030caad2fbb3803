/** Calls of known values that a compiler computes: one policy, with a budget for each that does. */
import { isLeft, type Result, right, type Span } from '@baton/base';
import type { Attrs, OpTable, Type } from '@baton/ir';
import { shapeSize } from '@baton/tensor';
import { byteCount } from './cost.ts';
import { type PreparedCall, prepareCall, runCall } from './evaluate.ts';
import { foldableColumn } from './rewriting.ts';
import { isWorthStoring } from './storing.ts';
import { type OpValue, staticTensor } from './value.ts';

/** What a compiler spends on calls of known values. */
export interface FoldingBudget {
  /** The most elements of an argument. @defaultValue any number */
  readonly argumentElements?: number;
  /** The most elements of a result. @defaultValue any number */
  readonly resultElements?: number;
  /** **Units** bytes. The largest result. @defaultValue any size */
  readonly resultBytes?: number;
  /**
   * Whether a result may be larger than its arguments: never; if it is worth its storage
   * ({@link isWorthStoring}); or always. @defaultValue `stored`
   */
  readonly growth?: 'none' | 'stored' | 'any';
}

/** The budgets of all that compute calls of known values. */
export const FOLDING = {
  /** FoldConstant, partial evaluation: bounded by the budget of the run, too. */
  passes: {},
  /** A rule at one place: each constant is computed once. */
  rules: { growth: 'none' },
  /** A rule in an e-graph: large constants are computed at the end. */
  searches: { growth: 'none', resultElements: 4_096 },
  /** Shapes and other short lists, which nodes need to be constants. */
  onnxImport: { argumentElements: 4_096, resultElements: 4_096 },
  /** Short operands of nodes: weights are moved by passes only. */
  onnxExport: { argumentElements: 2 ** 16, resultBytes: 1_024 },
  /** Constants of compiled code that depend on sizes; larger ones are computed with the kernels. */
  compiledSizes: { resultBytes: 2 ** 16, growth: 'any' },
  /** Constants that the code for all sizes shares. */
  compiledShared: { resultBytes: 2 ** 26, growth: 'any' },
} as const satisfies Readonly<Record<string, FoldingBudget>>;

/** The reason why a compiler leaves a call of known values. */
export type KeptCall = 'annotation' | 'stateful operator' | 'no argument' | 'dropout' | 'too large';

/** The types of a call of known values. */
export interface KnownTypes {
  readonly name: string;
  readonly args: ReadonlyArray<Type>;
  /** `undefined` if it is not known. */
  readonly result: Type | undefined;
}

/** The reason why a call of known values is left, if there is one. */
export function whyKept(
  ops: OpTable,
  { name, args, result }: KnownTypes,
  budget: FoldingBudget,
): KeptCall | undefined {
  const op = ops.get(name);
  const foldable = ops.read(foldableColumn, name) ?? 'by value';
  const isAnnotation = op?.nonComputational && foldable !== 'by type';
  if (op === undefined || isAnnotation || foldable === 'annotation') return 'annotation';
  if (op.effect === 'stateful') return 'stateful operator';
  if (args.length === 0) return 'no argument';
  if (foldable === 'removed') return 'dropout';
  return fits(args, result, budget) ? undefined : 'too large';
}

/** A call by name, with complete attributes. */
export interface NamedCall {
  readonly name: string;
  readonly attrs: Attrs;
  readonly span?: Span | undefined;
}

/**
 * The value of a call of known values; `undefined` if the budget leaves it, or `takes` does, which sees
 * the call when all else allows it.
 *
 * **Errors** those of the operator's type relation and of its kernel.
 */
export function foldedValue(
  ops: OpTable,
  { name, attrs, span }: NamedCall,
  values: ReadonlyArray<OpValue>,
  budget: FoldingBudget,
  takes: (call: PreparedCall) => boolean = () => true,
): Result<OpValue | undefined> {
  const prepared = prepareCall(ops, name, attrs, values, span);
  if (isLeft(prepared)) return prepared;
  const { types, result } = prepared.right;
  const isKept = whyKept(ops, { name, args: types, result }, budget) !== undefined;
  if (isKept || !takes(prepared.right)) return right(undefined);
  return runCall(prepared.right, values, budget.resultBytes ?? Number.POSITIVE_INFINITY);
}

function fits(args: ReadonlyArray<Type>, result: Type | undefined, budget: FoldingBudget): boolean {
  const { growth = 'stored' } = budget;
  const { argumentElements = Infinity, resultElements = Infinity, resultBytes = Infinity } = budget;
  const sizes = args
    .flatMap((arg) => (arg._tag === 'TupleType' ? arg.fields : [arg]))
    .map(elementsOf);
  const made = elementsOf(result);
  if (sizes.some((size) => size > argumentElements) || made > resultElements) return false;
  if (resultBytes < Infinity && !(result && byteCount(result) <= resultBytes)) return false;
  if (growth === 'none' && made > sizes.reduce((sum, size) => sum + size, 0)) return false;
  return growth === 'any' || isWorthStoring(result, args);
}

/** The number of elements of a tensor; infinite for other values and unknown sizes. */
function elementsOf(type: Type | undefined): number {
  const known = type && staticTensor(type);
  return known === undefined ? Number.POSITIVE_INFINITY : shapeSize(known.shape);
}
