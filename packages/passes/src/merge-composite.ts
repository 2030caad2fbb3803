/**
 * MergeComposite: matches of patterns become functions with a name, which a backend knows
 * ([passes §27](https://batonjs.github.io/baton/spec/passes#27)).
 */
import { checkOptions, listOf, type OptionType } from '@baton/base';
import type { Expr, Func, IRModule } from '@baton/ir';
import {
  type Count,
  inferType,
  type Pass,
  refusedPass,
  rewritingPass,
  withBody,
} from '@baton/pass-manager';
import { dataflow } from '@baton/rewrites';
import { callable } from './configurable.ts';

/** A pattern and the name of the functions that its matches become. */
export interface CompositePattern {
  /** The attribute `Composite` of the functions. */
  readonly name: string;
  readonly pattern: dataflow.PatternInput;
  /** Whether a match becomes a function. @defaultValue all do */
  readonly check?: (matched: Expr, m: IRModule) => boolean;
}

/** The patterns in the order in which they are tried. */
export type CompositeTable = ReadonlyArray<CompositePattern>;

const NAME = 'MergeComposite';

/** The reasons for which a match stays as it is. */
const REASONS: ReadonlyArray<dataflow.PartitionRefusal> = ['check', 'scope', 'effect', 'type'];

/** An entry of a table: JavaScript programs may pass anything. */
const anEntry: OptionType = {
  expected: 'a pattern with a name',
  is: (value) => {
    if (typeof value !== 'object' || value === null) return false;
    const { name, pattern, check }: Partial<Record<keyof CompositePattern, unknown>> = value;
    const isPattern = typeof pattern === 'function' || typeof pattern === 'object';
    return (
      typeof name === 'string' && isPattern && (check === undefined || typeof check === 'function')
    );
  },
};

/**
 * Makes each match of a pattern a call of a function with the attributes `Composite`, the pattern's
 * name, and `PartitionedFromPattern`, its operators:
 *
 * ```
 * nn.relu(nn.dense(%x, %w))
 * =>
 * (fn (%a, %b, Composite="dense_relu", PartitionedFromPattern="nn.dense_nn.relu_") {
 *   nn.relu(nn.dense(%a, %b))
 * })(%x, %w)
 * ```
 *
 * The patterns are tried in order, each on the result of those before: longer ones come first. By
 * itself the pass has no patterns, and changes nothing.
 *
 * **Errors** when it is run: `OPTION_*` for a wrong table.
 *
 * **Complexity** for each pattern a search at each node, and the nodes of each match.
 */
export const mergeComposite: Pass & ((table: CompositeTable) => Pass) = callable(
  passOf([]),
  (table: CompositeTable): Pass => {
    const types = { table: listOf(anEntry, 'patterns with names') };
    const problems = checkOptions('mergeComposite', { table }, types, mergeComposite);
    return problems.length === 0 ? passOf(table) : refusedPass(NAME, problems);
  },
);

const refusedRow = (name: string, reason: string): string => `${name}: refused, ${reason}`;

function passOf(table: CompositeTable): Pass {
  const names = [...new Set(table.map(({ name }) => name))];
  return rewritingPass({
    name: NAME,
    doc: `Merges the matches of ${table.length} patterns into named functions.`,
    level: 0,
    requires: [inferType],
    counters: names,
    remarks: names.flatMap((name) => REASONS.map((reason) => refusedRow(name, reason))),
    run: (f, m, { count }) => table.reduce((g, entry) => merged(g, entry, m, count), f),
  });
}

/** The function with the matches of one pattern merged. */
const merged = (
  f: Func,
  { name, pattern, check }: CompositePattern,
  m: IRModule,
  count: Count,
): Func =>
  withBody(
    f,
    dataflow.partition(pattern, f.body, {
      module: m,
      attrs: { Composite: name },
      ...(check && { check }),
      onMatch: (_, refusal) => count(refusal === undefined ? name : refusedRow(name, refusal)),
    }),
  );
