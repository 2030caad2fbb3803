/** The vocabulary of passes: functions rewritten node by node, as far as passes see them. */
import { right } from '@baton/base';
import {
  type Expr,
  type Func,
  type IRModule,
  mapChildren,
  rewriteExpr,
  type Step,
} from '@baton/ir';
import {
  type FunctionPassParts,
  functionPass,
  type OperatorCounter,
  type Pass,
  type RunningContext,
} from '../pass.ts';
import { isOpaque, visibleIn } from './visible.ts';

/**
 * The function with the nodes that passes see rewritten by `step`; the same object if nothing
 * changes. Sharing is kept, and so are spans and types of unreplaced nodes. `order` replaces the
 * list of nodes, each after its parts: unlisted nodes stay.
 *
 * **Complexity** one step for each node.
 */
export const rewriteFunc = (
  f: Func,
  m: IRModule,
  step: Step,
  order: ReadonlyArray<Expr> = visibleIn(f.body, m).order,
): Func => withBody(f, rewriteExpr(f.body, step, order));

/** The function with another body; the function itself if it is the same object. */
export const withBody = (f: Func, body: Expr): Func => mapChildren(f, () => body) as Func;

type RewritingPassParts<Counter extends string> = Omit<FunctionPassParts<Counter>, 'run'> & {
  /** Rewrites one function; returns the same object if nothing changes. */
  readonly run: (f: Func, m: IRModule, context: RunningContext<Counter | OperatorCounter>) => Func;
};

/** A pass over each function that passes see into, which has no errors. */
export const rewritingPass = <const Counter extends string = never>(
  parts: RewritingPassParts<Counter>,
): Pass =>
  functionPass<Counter>({
    ...parts,
    run: (f, m, context) => right(isOpaque(f) ? f : parts.run(f, m, context)),
  });
