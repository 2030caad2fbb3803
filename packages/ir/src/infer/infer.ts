/** Inference of a module. */
import {
  type Diagnostic,
  fail,
  failure,
  isLeft,
  type Limits,
  type Result,
  right,
  stoppedByHost,
} from '@baton/base';
import { callGraph } from '../analysis/call-graph.ts';
import { definitionProblems } from '../analysis/kinds.ts';
import { wellFormed } from '../equal/well-formed.ts';
import type { Expr, Func } from '../expr/expr.ts';
import { type IRModule, mapFunctions } from '../module/module.ts';
import { isInferred, isUsed, keepView, newView, type TypeView } from '../module/type-table.ts';
import type { Type, TypeData } from '../types/type.ts';
import { declareDimensions } from './constrain/annotations.ts';
import { Constraints } from './constrain/constraints.ts';
import { inferDefinition } from './definition.ts';
import type { InferenceStats, Run } from './run.ts';
import { TypeBudget } from './solve/budget.ts';
import { Solver } from './solve/solver.ts';

export interface InferOptions {
  /** The counts of inference, which it increases. */
  readonly stats?: InferenceStats;
  /** Whether functions without annotations are generalized; otherwise open types are errors. */
  readonly generalize?: boolean;
  /** The limits of inference; those of other stages are not its own. */
  readonly limits?: Pick<Limits, 'typeParts' | 'shouldStop'>;
  /** @deprecated `limits.typeParts` */
  readonly typeParts?: number;
  /**
   * Gets the nodes of the given module whose types are found late, such as variables without an
   * annotation, with the types found: also if there are errors, when a type may have holes. `typeOf`
   * knows the types of the other nodes.
   */
  readonly onType?: (node: Expr, type: Type) => void;
}

/**
 * The module with types: every parameter, let variable and result is annotated, every number
 * without suffix is a constant of its dtype, and `typeOf` knows the type of every node. The module
 * itself if there was nothing to write.
 *
 * A module is checked to be well-formed at its first inference. Afterwards inference is
 * incremental: nodes in the module's table are not visited, unless a signature on which they rely
 * has changed.
 *
 * **Errors** of `wellFormed`; the `TYPE_*` diagnostics, the attributes' (`ATTR_*`), and the reports
 * of operators' relations, several per run; `LIMIT_TIME` when the host ends it.
 *
 * **Complexity** linear in the functions and the nodes visited; O(1) for a module that it returned.
 */
export function inferTypes(given: IRModule, options: InferOptions = {}): Result<IRModule> {
  const isKnown = isInferred(given.types, given.functions);
  if (isKnown && checkedDefinitions.has(given.typeDefinitions)) return right(given);
  const illFormed = isUsed(given.types) ? undefined : failure(illFormedness(given));
  if (illFormed !== undefined) return illFormed;
  const m = mapFunctions(given, declareDimensions);
  const view = newView(m.types, m.functions);
  const diagnostics: Diagnostic[] = [];
  const stats = options.stats ?? { visited: 0 };
  const { visited } = stats;
  const { limits = {} } = options;
  const parts = limits.typeParts ?? options.typeParts;
  const budget = new TypeBudget(parts, () => stats.visited - visited);
  const run: Run = {
    module: m,
    view,
    solver: new Solver(m.ops, undefined, budget),
    generalizes: options.generalize ?? true,
    report: (d) => {
      // Several constraints of one callee may fail for one reason.
      const last = diagnostics.at(-1);
      if (last?.span !== d.span || last?.message !== d.message) diagnostics.push(d);
    },
    stats,
    onType: options.onType,
    goesOn: polling(limits.shouldStop),
  };
  checkDefinitions(m, run.report);
  const inferred = inferredIn(run);
  const found = isLeft(inferred) ? inferred : (failure(diagnostics) ?? inferred);
  if (isLeft(found)) {
    view.undo();
    return found;
  }
  const result = mapFunctions(m, (f, name) => found.right.get(name) ?? f);
  keepView(m.types, result.functions, view);
  return right(result);
}

/** The functions with types, by name; what is wrong is reported. */
function inferredIn(run: Run): Result<ReadonlyMap<string, Func>> {
  const { module: m, view } = run;
  const inferred = new Map<string, Func>();
  const found = new Constraints(run);
  try {
    for (const names of definitionOrder(m, view)) {
      const isOpen = (name: string): boolean => {
        const f = m.functions.get(name);
        return f !== undefined && view.read(f) === undefined;
      };
      if (!names.some(isOpen)) continue;
      const group = new Map<string, Func>();
      for (const name of names) {
        const f = m.functions.get(name);
        if (f !== undefined) group.set(name, f);
      }
      const functions = inferDefinition(group, found);
      if (functions !== undefined) for (const [name, f] of functions) inferred.set(name, f);
    }
  } catch (error) {
    if (error instanceof Stopped) return fail(stoppedByHost(STAGE));
    throw error;
  }
  return right(inferred);
}

const STAGE = 'type inference';

/** Ends inference from within a definition; never leaves {@link inferredIn}. */
class Stopped extends Error {}

/** The nodes that are visited between two questions to the host. */
const POLL_NODES = 1024;

/** Asks the host now and then, and goes no further if it ends the work. */
function polling(shouldStop: Limits['shouldStop']): () => void {
  let visits = 0;
  if (shouldStop === undefined) return () => {};
  return () => {
    if (visits++ % POLL_NODES === 0 && shouldStop()) throw new Stopped(STAGE);
  };
}

/** The faults of the binders of each function; a node private to a pass has no type anyway. */
const illFormedness = (m: IRModule): ReadonlyArray<Diagnostic> =>
  [...m.functions.values()]
    .flatMap(wellFormed)
    .filter((problem) => problem.code !== 'IR_TEMPORARY');

const checkedDefinitions = new WeakSet<ReadonlyMap<string, TypeData>>();

function checkDefinitions(m: IRModule, report: (d: Diagnostic) => void): void {
  const { typeDefinitions } = m;
  if (checkedDefinitions.has(typeDefinitions)) return;
  let isRight = true;
  for (const data of typeDefinitions.values()) {
    for (const problem of definitionProblems(data, { typeDefinitions })) {
      isRight = false;
      report(problem);
    }
  }
  if (isRight) checkedDefinitions.add(typeDefinitions);
}

/** Functions without signatures come first, callees before callers; then the others as defined. */
function definitionOrder(m: IRModule, view: TypeView): ReadonlyArray<ReadonlyArray<string>> {
  const open = new Map<string, Func>();
  const stated: string[][] = [];
  for (const [name, f] of m.functions) {
    // A function with type parameters may gain constraints from its body.
    const isStated =
      view.signature(name) !== undefined &&
      (f.typeParams.length === 0 || view.read(f) !== undefined);
    if (isStated) stated.push([name]);
    else open.set(name, f);
  }
  const groups = open.size < 2 ? [...open.keys()].map((name) => [name]) : callGraph(open).groups;
  return [...groups, ...stated];
}
