/**
 * The engine of rewrites that carry something from arguments to users:
 * [passes §0.4](https://batonjs.github.io/baton/spec/passes#0.4).
 */

import { remember } from '@baton/base';
import {
  type Call,
  type Expr,
  type Func,
  mapChildren,
  rewriteExpr,
  type Step,
  type Tuple,
  tuple,
} from '@baton/ir';
import { withBody } from '@baton/pass-manager';

/**
 * The replacement of a call with rewritten arguments `args`. These are not realised: each may be a
 * `TempExpr`, or a literal tuple with some among its fields. The result may be one, too;
 * `undefined` leaves an ordinary call of the realised arguments.
 */
export type ForwardRule = (call: Call, args: ReadonlyArray<Expr>) => Expr | undefined;

export interface ForwardOptions {
  /** The nodes that the rule may see, children first. */
  readonly order: ReadonlyArray<Expr>;
  readonly mayProject: (tuple: Expr) => boolean;
}

/**
 * Rewrites a function from its leaves up. A projection of a literal tuple becomes the field if the
 * other fields may be dropped. Nodes other than calls with a rule see realised children, and the
 * result is realised: no `TempExpr` is left.
 *
 * **Complexity** one application of the rule for each distinct call.
 */
export function forwardRewrite(root: Func, rule: ForwardRule, options: ForwardOptions): Func {
  const realized = new Map<Expr, Expr>();
  // Literal tuples with fields that are not realised, and what they were. Their fields are never such
  // tuples.
  const open = new Map<Expr, Expr>();
  const realizeTemp = (result: Expr): Expr =>
    result._tag === 'TempExpr' ? remember(realized, result, result.realize) : result;
  const realizeTuple = (result: Tuple, was: Expr): Expr => {
    const fields = result.fields.map(realizeTemp);
    const isSame = was._tag === 'Tuple' && fields.every((field, i) => field === was.fields[i]);
    return isSame ? was : tuple(fields, result.span);
  };
  const realize = (result: Expr): Expr => {
    const was = open.get(result);
    return result._tag === 'Tuple' && was !== undefined
      ? remember(realized, result, () => realizeTuple(result, was))
      : realizeTemp(result);
  };

  const opened = <E extends Expr | undefined>(made: E, node: Expr): E => {
    if (made?._tag === 'Tuple' && made.fields.some(isTemporary)) open.set(made, node);
    return made;
  };
  const visitTuple = (node: Tuple, get: (node: Expr) => Expr): Expr => {
    const made = mapChildren(node, (field) => {
      const result = get(field);
      return open.has(result) ? realize(result) : result;
    });
    return opened(made, node);
  };
  const visit = (node: Expr, get: (node: Expr) => Expr): Expr | undefined => {
    if (node._tag === 'Call') return opened(rule(node, node.args.map(get)), node);
    if (node._tag === 'Tuple') return visitTuple(node, get);
    if (node._tag !== 'TupleGetItem') return undefined;
    const of = get(node.tuple);
    const isField = of._tag === 'Tuple' && options.mayProject(node.tuple);
    return isField ? of.fields[node.index] : undefined;
  };
  const step: Step = (node, get) =>
    visit(node, get) ?? mapChildren(node, (child) => realize(get(child)));
  return withBody(root, realize(rewriteExpr(root.body, step, options.order)));
}

const isTemporary = (expr: Expr): boolean => expr._tag === 'TempExpr';
