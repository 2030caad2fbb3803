/**
 * The engine of rewrites that carry something along from arguments to users:
 * [passes §0.4](https://batonjs.github.io/baton/spec/passes#0.4).
 */
import {
  type Call,
  children,
  type Expr,
  type Func,
  type Tuple,
  tuple,
  withChildren,
} from '@baton/ir';

/**
 * What becomes of a call whose arguments have become `args`. These are not realised: each may be a
 * `TempExpr`, or a literal tuple with some among its fields. The result may be one, too;
 * `undefined` leaves an ordinary call of the realised arguments.
 */
export type ForwardRule = (call: Call, args: ReadonlyArray<Expr>) => Expr | undefined;

/** What the engine must know besides the rule. */
export interface ForwardOptions {
  /** What the rule may see: the nodes, children first. */
  readonly order: ReadonlyArray<Expr>;
  /** Whether a field of this literal tuple does without the others. */
  readonly mayProject: (tuple: Expr) => boolean;
}

/**
 * Rewrites a function from its leaves up. A projection of a literal tuple becomes the field if the
 * other fields may be dropped. Whatever is not a call with a rule sees realised children, and the
 * result is realised: no `TempExpr` is left.
 *
 * **Complexity** one application of the rule for each distinct call.
 */
export function forwardRewrite(root: Func, rule: ForwardRule, options: ForwardOptions): Func {
  const results = new Map<Expr, Expr>();
  const realized = new Map<Expr, Expr>();
  // Literal tuples with fields that are not realised. Their fields are never such tuples.
  const open = new Set<Expr>();

  const resultOf = (node: Expr): Expr => results.get(node) ?? node;
  const realizeTemp = (result: Expr): Expr => {
    if (result._tag !== 'TempExpr') return result;
    const known = realized.get(result) ?? result.realize();
    realized.set(result, known);
    return known;
  };
  const realize = (result: Expr): Expr => {
    if (result._tag !== 'Tuple' || !open.has(result)) return realizeTemp(result);
    const known = realized.get(result) ?? tuple(result.fields.map(realizeTemp), result.span);
    realized.set(result, known);
    return known;
  };
  const ordinary = (node: Expr): Expr =>
    withChildren(
      node,
      children(node).map((child) => realize(resultOf(child))),
    );

  const visitTuple = (node: Tuple): Expr => {
    const fields = node.fields.map((field) => {
      const result = resultOf(field);
      return open.has(result) ? realize(result) : result;
    });
    if (!fields.some((field) => field._tag === 'TempExpr')) return withChildren(node, fields);
    const result = tuple(fields, node.span);
    open.add(result);
    return result;
  };

  const visit = (node: Expr): Expr => {
    switch (node._tag) {
      case 'Call':
        return rule(node, node.args.map(resultOf)) ?? ordinary(node);
      case 'Tuple':
        return visitTuple(node);
      case 'TupleGetItem': {
        const of = resultOf(node.tuple);
        if (of._tag !== 'Tuple' || !options.mayProject(node.tuple)) return ordinary(node);
        return of.fields[node.index] ?? ordinary(node);
      }
      default:
        return ordinary(node);
    }
  };

  for (const node of options.order) results.set(node, visit(node));
  return withBody(root, realize(resultOf(root.body)));
}

/** The function with another body; the function itself if it is the same object. */
export const withBody = (f: Func, body: Expr): Func => withChildren(f, [body]) as Func;
