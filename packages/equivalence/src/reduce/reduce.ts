/** Shrinks a program as long as a property of it holds. */
import {
  aText,
  checkOptions,
  fail,
  failure,
  isLeft,
  type OptionTypes,
  type Result,
  right,
  wholeNumber,
} from '@baton/base';
import { type IRModule, inferTypes, wellFormed } from '@baton/ir';
import { noEntry, nothingToReduce } from '../diagnostics.ts';
import { operatorCalls, type Strategy, sizeOfModule } from './candidate.ts';
import { dimensionCandidates } from './dimensions.ts';
import { functionCandidates, typeCandidates, zeroCandidates } from './functions.ts';
import { attributeCandidates, constantCandidates } from './leaves.ts';
import { argumentCandidates, nodeCandidates, rootCandidates, tupleCandidates } from './nodes.ts';

export interface ReduceOptions {
  /** The function whose body shrinks. Default: `main`. */
  readonly entry?: string;
  /** The most programs tried. Default: 5,000. */
  readonly maxAttempts?: number;
}

const REDUCE_TYPES: OptionTypes<ReduceOptions> = { entry: aText, maxAttempts: wholeNumber(1) };

export interface Reduction {
  readonly module: IRModule;
  readonly calls: number;
  readonly attempts: number;
  /** `minimal`: no step leaves a smaller failing program. `budget`: the attempts ran out. */
  readonly stop: 'minimal' | 'budget';
}

/**
 * The smallest program found for which `stillFails` holds, as it does for `m`.
 *
 * Steps: the result becomes an inner expression; a node becomes one of its operands, a parameter, a
 * branch, a field; tuples lose fields, dimensions and constants shrink, attributes take their
 * defaults, unused parameters and functions go. Only programs that type-check are tried.
 *
 * **Errors** `OPTION_*`; errors of `inferTypes` on `m`; `EQUIV_NO_ENTRY`; `EQUIV_NO_FAILURE` if
 * `stillFails` does not hold for `m` itself.
 *
 * **Complexity** at most `maxAttempts` calls of `stillFails`.
 *
 * **Source** Zeller and Hildebrandt 2002; the strategies of LLVM's `llvm-reduce`.
 */
export function reduce(
  m: IRModule,
  stillFails: (m: IRModule) => boolean,
  options: ReduceOptions = {},
): Result<Reduction> {
  const wrong = failure(checkOptions('reduce', options, REDUCE_TYPES, reduce));
  if (wrong !== undefined) return wrong;
  const start = inferTypes(m);
  if (isLeft(start)) return start;
  const entry = options.entry ?? 'main';
  if (!m.functions.has(entry)) return fail(noEntry(entry, [...m.functions.keys()]));
  if (!stillFails(start.right)) return fail(nothingToReduce());
  const budget = options.maxAttempts ?? 5_000;
  let current = start.right;
  let attempts = 0;
  const typedOf = (candidate: IRModule): IRModule | undefined => {
    const typed = inferTypes(candidate);
    return isLeft(typed) || wellFormed(typed.right).length > 0 ? undefined : typed.right;
  };
  /** Takes the first candidate of a strategy that still fails. */
  const step = (candidates: Iterable<IRModule | undefined>): boolean => {
    for (const candidate of candidates) {
      if (attempts >= budget) return false;
      const typed = candidate && typedOf(candidate);
      if (typed === undefined) continue;
      attempts++;
      if (!stillFails(typed)) continue;
      current = typed;
      return true;
    }
    return false;
  };
  const exhaust = (strategy: Strategy): boolean => {
    let changed = false;
    while (step(strategy(current, entry))) changed = true;
    return changed;
  };
  for (let changed = true; changed && attempts < budget; ) {
    changed = false;
    for (const strategy of STRATEGIES) changed = exhaust(strategy) || changed;
  }
  const stop = attempts >= budget ? 'budget' : 'minimal';
  return right({
    module: current,
    calls: operatorCalls([...current.functions.values()]),
    attempts,
    stop,
  });
}

/** Steps that remove nodes, the largest removals first. Each leaves a smaller program. */
const STRUCTURE = [
  functionCandidates,
  typeCandidates,
  rootCandidates,
  tupleCandidates,
  nodeCandidates,
  argumentCandidates,
  zeroCandidates,
].map(
  (strategy: Strategy) =>
    function* (m: IRModule, entry: string): Generator<IRModule> {
      const size = sizeOfModule(m);
      for (const next of strategy(m, entry)) if (next && sizeOfModule(next) < size) yield next;
    },
);

/** Programs with less structure than this one, which need not be well-typed. */
export function* smallerPrograms(m: IRModule, entry: string): Generator<IRModule> {
  for (const strategy of STRUCTURE) yield* strategy(m, entry);
}

const STRATEGIES: ReadonlyArray<Strategy> = [
  ...STRUCTURE,
  dimensionCandidates,
  constantCandidates,
  attributeCandidates,
];
