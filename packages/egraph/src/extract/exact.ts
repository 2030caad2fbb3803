/** Exact extraction, by integer programming. */
import { fail, isLeft, ok, type Result } from '@baton/base';
import { solverFailed } from '../diagnostics.ts';
import { makeWalker } from './choice.ts';
import type { NodeCost } from './cost.ts';
import { type DagExtraction, type DagOptions, prepareDag, readOut } from './extract.ts';
import type { Choice } from './flat.ts';
import { writeProgram } from './program.ts';
import type { GraphSource } from './readable.ts';

/** The used part of the package `highs`: the value of its default export's promise. */
export interface HighsModule {
  solve(
    problem: string,
    options?: Readonly<Record<string, string | number | boolean>>,
  ): {
    readonly Status: string;
    readonly Columns: Readonly<Record<string, { readonly Primal?: number | undefined }>>;
  };
}

/** Options of {@link extractExact}. */
export interface ExactOptions extends DagOptions {
  /** The loaded solver, or a function that loads it: it is an optional dependency. */
  readonly highs: HighsModule | (() => Promise<HighsModule>);
  /** Seconds after which the best DAG so far is taken. */
  readonly timeLimitSeconds?: number;
}

/** A DAG, and whether it is known to be the cheapest. */
export interface ExactExtraction extends DagExtraction {
  readonly optimal: boolean;
}

/**
 * The cheapest terms of the roots, shared subterms counted once, by integer programming; the greedy
 * DAG if the solver runs out of time.
 *
 * **Errors** of `extractDag`; `EXTRACT_SOLVER_FAILED`.
 *
 * **Complexity** exponential at worst.
 */
export async function extractExact(
  source: GraphSource,
  roots: ReadonlyArray<number>,
  cost: NodeCost,
  options: ExactOptions,
): Promise<Result<ExactExtraction>> {
  const prepared = prepareDag(source, roots, cost, options);
  if (isLeft(prepared)) return prepared;
  const { graph, choice, trees } = prepared.right;
  const greedy = readOut(graph, choice);
  if (greedy.cost === 0 || roots.length === 0) return ok({ ...greedy, optimal: true });
  const program = writeProgram(graph, (c) => trees[c] !== undefined);
  const limit = options.timeLimitSeconds;
  let solved: ReturnType<HighsModule['solve']>;
  try {
    const highs = typeof options.highs === 'function' ? await options.highs() : options.highs;
    solved = highs.solve(program.text, {
      mip_rel_gap: 0,
      mip_abs_gap: 0,
      ...(limit === undefined ? {} : { time_limit: limit }),
    });
  } catch (problem) {
    return fail(solverFailed(String(problem)));
  }
  const optimal = solved.Status === 'Optimal';
  if (!optimal && solved.Status !== 'Time limit reached') {
    return fail(solverFailed(`the status ${solved.Status}`));
  }
  const exact: Choice = graph.classes.map(() => undefined);
  for (const [i, node] of program.nodes.entries()) {
    if ((solved.Columns[`n${i}`]?.Primal ?? 0) > 0.5) exact[node.home] = node;
  }
  // A solver out of time may have no choice, or a dearer one; optimal ones differ by rounding.
  const isBetter = makeWalker(graph).cost(exact) < greedy.cost;
  return ok({ ...(isBetter ? readOut(graph, exact) : greedy), optimal });
}
