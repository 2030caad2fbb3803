/** The match of a pattern at one expression. */
import { type Expr, type IRModule, irModule, postOrderExprs } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { type PatternInput, patternOf } from './build.ts';
import { type Graph, graphOf } from './graph.ts';
import { type NodeMap, nodeMapOf } from './node-map.ts';
import { searchAt } from './search.ts';

/** The options of {@link match}. */
export interface MatchOptions {
  /** The module of the expression, for types. @defaultValue one of standard operators */
  readonly module?: IRModule;
}

/**
 * The nodes of the pattern if it matches the expression, else `undefined`. Types are those of the
 * module, or of the expression by itself.
 *
 * **Complexity** the ways through the pattern; linear in the expression if it has dominators.
 */
export function match(
  input: PatternInput,
  expr: Expr,
  options: MatchOptions = {},
): NodeMap | undefined {
  const m = options.module ?? standardModule();
  let graph: Graph | undefined;
  const site = {
    m,
    paths: new Map(),
    // Only dominators ask for it.
    get graph() {
      graph ??= graphOf(postOrderExprs([expr]));
      return graph;
    },
  };
  const found = searchAt(site, patternOf(input), expr);
  return found && nodeMapOf(found);
}

/** A module of nothing but the standard operators. */
export const standardModule = (): IRModule => irModule({ ops: standardOps });
