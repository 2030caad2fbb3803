import type { Diagnostic } from '@baton/base';
import type { EGraph } from './egraph.ts';
import type { ClassId } from './ids.ts';
import { MatchBuffer } from './match/buffer.ts';
import { interpret, rootCount } from './match/interpret.ts';
import { compileClauses, compilePattern, type Program } from './match/program.ts';
import type { Clause, Pattern } from './pattern.ts';
import type { Match } from './rewrite.ts';
import { bindOperators } from './run/bind.ts';

/** What to look for, and how much of it. */
export interface SearchOptions {
  /** Matches at most. */
  readonly limit?: number;
  /** Only in this class. */
  readonly within?: ClassId;
}

/** The matches of a pattern or multi-pattern. The e-graph is rebuilt first if it has to be. */
export function search<D>(
  egraph: EGraph<D>,
  pattern: Pattern | ReadonlyArray<Clause>,
  options: SearchOptions = {},
): ReadonlyArray<Match<D>> {
  const program = '_tag' in pattern ? compilePattern(pattern) : compileClauses(pattern);
  const buffer = searchProgram(egraph, program, options);
  const stride = 1 + program.variables.length;
  return Array.from({ length: buffer.length / stride }, (_, i) => {
    const ids = buffer.data.slice(i * stride, (i + 1) * stride);
    const id = (at: number): ClassId => egraph.find(ids[at] as ClassId);
    return { egraph, root: id(0), get: (name) => id(1 + program.variables.indexOf(name)) };
  });
}

/** How many matches a pattern or multi-pattern has. */
export function countMatches<D>(
  egraph: EGraph<D>,
  pattern: Pattern | ReadonlyArray<Clause>,
): number {
  const program = '_tag' in pattern ? compilePattern(pattern) : compileClauses(pattern);
  return searchProgram(egraph, program, {}).length / (1 + program.variables.length);
}

function searchProgram<D>(
  egraph: EGraph<D>,
  program: Program,
  { limit = Number.POSITIVE_INFINITY, within }: SearchOptions,
): MatchBuffer {
  if (egraph.dirty) egraph.rebuild();
  const wrong: Diagnostic[] = [];
  const operators = bindOperators(egraph, program.operators, wrong);
  const { store, tables } = egraph;
  tables.refresh(store, egraph.operators.length);
  const buffer = new MatchBuffer();
  // An operator that the language does not have matches nothing.
  if (wrong.length > 0 || limit <= 0) return buffer;
  const stop = Math.min(limit * (1 + program.variables.length), 0x3fffffff);
  const find = interpret(program, false);
  if (within === undefined) {
    const roots = rootCount(program, store, tables, operators);
    find(store, tables, operators, buffer, 0, roots, 0x3fffffff, stop, -1);
    return buffer;
  }
  const root = store.find(within);
  const first = program.instructions[0];
  const at: number[] = [];
  if (first?._tag === 'Scan') {
    const op = operators[first.op] as number;
    const start = tables.opStart[op] as number;
    egraph.forEachNode(root as ClassId, (n) => {
      if (store.nodes[n * 4] === op)
        at.push(position(tables.byOp, start, tables.opStart[op + 1] as number, n) - start);
    });
  } else at.push(first?._tag === 'ScanClasses' ? root : 0);
  for (const i of at) {
    if (buffer.length < stop)
      find(store, tables, operators, buffer, i, i + 1, 0x3fffffff, stop, -1);
  }
  return buffer;
}

/** Where `value` is in a sorted stretch. */
function position(sorted: Int32Array, start: number, end: number, value: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
