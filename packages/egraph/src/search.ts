/** Search for a pattern, without a run. */
import type { Diagnostic } from '@baton/base';
import type { EGraph } from './egraph.ts';
import type { ClassId } from './ids.ts';
import { interpret, rootRange } from './match/interpret.ts';
import { compileSide, type Program } from './match/program.ts';
import { clausesOf, hole, type Side } from './pattern.ts';
import type { Match } from './rewrite.ts';
import { bindOperators, matchAt } from './run/bind.ts';
import { MatchBuffer } from './store/arrays.ts';

export interface SearchOptions {
  readonly limit?: number;
  readonly within?: ClassId;
}

/** The matches of a pattern or multi-pattern. The e-graph is rebuilt first if it has to be. */
export function search<D>(
  egraph: EGraph<D>,
  pattern: Side,
  options: SearchOptions = {},
): ReadonlyArray<Match<D>> {
  const { buffer, program } = find(egraph, pattern, options);
  const stride = 1 + program.variables.length;
  return Array.from({ length: buffer.length / stride }, (_, i) =>
    matchAt(egraph, program, buffer.data, i * stride),
  );
}

export function countMatches<D>(egraph: EGraph<D>, pattern: Side): number {
  const { buffer, program } = find(egraph, pattern, {});
  return buffer.length / (1 + program.variables.length);
}

function find<D>(
  egraph: EGraph<D>,
  side: Side,
  { limit = Infinity, within }: SearchOptions,
): { readonly buffer: MatchBuffer; readonly program: Program } {
  if (egraph.dirty) egraph.rebuild();
  const clauses = clausesOf(side);
  const [first] = clauses.map(({ variable }) => ({ variable, pattern: hole(variable) }));
  // A search in one class starts at the class, not at all nodes of the outermost operator.
  const program = compileSide(within === undefined || !first ? side : [first, ...clauses]);
  const wrong: Diagnostic[] = [];
  const operators = bindOperators(egraph, program.operators, wrong);
  const { store, tables } = egraph;
  tables.refresh(store, egraph.operators.length);
  const buffer = new MatchBuffer();
  // An operator that the language does not have matches nothing.
  if (wrong.length === 0 && limit > 0) {
    const stop = Math.min(limit * (1 + program.variables.length), 0x3fffffff);
    let [from, to] = rootRange(program, store, tables, operators);
    if (within !== undefined) {
      from = egraph.find(within);
      to = from + 1;
    }
    interpret(program, false)(store, tables, operators, buffer, from, to, 0x3fffffff, stop, -1);
  }
  return { buffer, program };
}
