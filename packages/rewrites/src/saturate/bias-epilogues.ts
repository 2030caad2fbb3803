/**
 * Products that one call alone uses: a kernel may add a bias to its product, so that the two cost less
 * together than one by one. A product that others use, too, is a value like any other.
 */
import { postOrder, remember } from '@baton/base';
import type { ClassId, NodeId, ReadableGraph, ReadableNode } from '@baton/egraph';
import { type Expr, type IRModule, typeOf, variable } from '@baton/ir';
import { mayHaveBias } from '@baton/ops';
import { isCompileTime } from '../match/fold.ts';
import type { Costs } from './costs.ts';
import { type Chosen, OPAQUE, type OpaqueNode } from './language.ts';
import { exprOf, type Region } from './region.ts';

/** What extraction may choose for a class: a node, or a node together with a product that it alone uses. */
export interface Option {
  readonly node: NodeId;
  readonly product: NodeId | undefined;
  readonly cost: number;
}

/** A node that is a product, and its expression. */
interface Product {
  readonly node: NodeId;
  readonly expr: Expr;
}

/** The graph of the options in a region, which are the payloads of its nodes. */
export function optionsOf(region: Region, m: IRModule, { ofNode, ofExpr }: Costs): ReadableGraph {
  const { graph } = region;
  const asValue = valueMaker(m);
  const termsOf = (node: NodeId): ReadonlyArray<Expr> =>
    graph.childrenOf(node).map((id) => region.termOf(id));
  const isOpaque = (node: NodeId): boolean => graph.operatorOf(node).name === OPAQUE;
  const costs = new Map<NodeId, number>();
  const costOf = (node: NodeId): number =>
    remember(costs, node, () => {
      if (!isOpaque(node)) return ofNode(region.exprWith(node, termsOf(node).map(asValue)));
      const { expr, isOuter } = graph.operatorOf(node).payload as OpaqueNode;
      return isOuter ? 0 : ofExpr(expr);
    });
  const products = new Map<ClassId, ReadonlyArray<Product>>();
  const productsIn = (id: ClassId): ReadonlyArray<Product> =>
    remember(products, id, () =>
      graph
        .nodes(id)
        .filter((node) => !isOpaque(node))
        .map((node) => ({ node, expr: region.exprWith(node, termsOf(node)) }))
        .filter(({ expr }) => isProduct(m, expr)),
    );
  /** The option of a node with the product that is its argument, if that is cheaper. */
  const joined = (
    node: NodeId,
    at: number,
    { node: product, expr }: Product,
  ): ReadonlyArray<ReadableNode> => {
    const parts = termsOf(node).map(asValue).with(at, expr);
    const cost = ofNode(region.exprWith(node, parts));
    if (!(cost < costOf(node))) return [];
    const option: Option = { node, product, cost: cost + costOf(product) };
    const others = graph.childrenOf(node).toSpliced(at, 1);
    return [{ name: '', payload: option, children: [...graph.childrenOf(product), ...others] }];
  };
  const optionsOfNode = (node: NodeId): ReadonlyArray<ReadableNode> => {
    const children = graph.childrenOf(node);
    const alone: Option = { node, product: undefined, cost: costOf(node) };
    const withProducts = (isOpaque(node) ? [] : children).flatMap((child, at) =>
      isProduct(m, region.termOf(child))
        ? productsIn(child).flatMap((product) => joined(node, at, product))
        : [],
    );
    return [{ name: '', payload: alone, children }, ...withProducts];
  };
  return {
    classIds: () => graph.classes(),
    nodesOf: (id) => graph.nodes(id as ClassId).flatMap(optionsOfNode),
    find: (id) => graph.find(id as ClassId),
  };
}

/** The cost of a choice, in which a call sees the products that it alone uses. */
export function costOfChoice(root: Chosen, m: IRModule, { ofNode, ofExpr }: Costs): number {
  const asValue = valueMaker(m);
  const order = [...postOrder<Chosen>((chosen) => chosen.children, [root])];
  const users = new Map<Chosen, number>([[root, 1]]);
  for (const child of order.flatMap(({ children }) => children)) {
    users.set(child, (users.get(child) ?? 0) + 1);
  }
  const exprs = new Map<Chosen, Expr>();
  return order.reduce((sum, chosen) => {
    const { name, payload, children, origin } = chosen;
    const parts = children.map((child) => exprs.get(child) as Expr);
    const expr = origin ?? exprOf(name, payload, parts, m);
    exprs.set(chosen, expr);
    if (name === OPAQUE) return (payload as OpaqueNode).isOuter ? sum : sum + ofExpr(expr);
    const isShared = children.map((child) => (users.get(child) ?? 0) > 1);
    const seen = parts.map((part, i) => (isShared[i] ? asValue(part) : part));
    const isWhole = seen.every((part, i) => part === parts[i]);
    return sum + ofNode(isWhole ? expr : exprOf(name, payload, seen, m));
  }, 0);
}

const isProduct = (m: IRModule, expr: Expr): boolean =>
  mayHaveBias(expr, m.ops) && !isCompileTime(m, expr);

/** Arguments as a call sees them that has their values alone: a product gives way to a variable. */
function valueMaker(m: IRModule): (expr: Expr) => Expr {
  const values = new Map<Expr, Expr>();
  return (expr) =>
    isProduct(m, expr) ? remember(values, expr, () => variable('product', typeOf(m, expr))) : expr;
}
