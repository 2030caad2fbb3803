/** What passes are written in: a function rewritten node by node, as far as passes see it. */
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
  type OperatorRow,
  type Pass,
  type RunningContext,
} from '@baton/pass-manager';
import { isOpaque, visibleIn } from './visible.ts';

/**
 * The function with what `step` makes of the nodes that passes see; the same object if nothing
 * changes. Sharing is kept, and so are spans and types of what is not replaced. `order` lists the
 * nodes otherwise, each after what it mentions: all that are not listed stay.
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

/** What a {@link rewritingPass} is made of. */
type RewritingPassParts<Row extends string> = Omit<FunctionPassParts<Row>, 'run'> & {
  /** What becomes of one function; the same object if nothing does. */
  readonly run: (f: Func, m: IRModule, context: RunningContext<Row | OperatorRow>) => Func;
};

/** A pass over each function that passes see into, which has no errors. */
export const rewritingPass = <const Row extends string = never>(
  parts: RewritingPassParts<Row>,
): Pass =>
  functionPass<Row>({
    ...parts,
    run: (f, m, context) => right(isOpaque(f) ? f : parts.run(f, m, context)),
  });
