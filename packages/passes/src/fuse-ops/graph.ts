/**
 * The forward graph of fusion: the users of each node, and their patterns
 * ([passes §8](https://batonjs.github.io/baton/spec/passes#8), step A).
 */
import {
  type Call,
  children,
  type Expr,
  type IRModule,
  isAnyDim,
  type Type,
  typeOf,
} from '@baton/ir';
import { dimsOf, fusionColumn } from '@baton/ops';
import { haveSameShape } from '../facts.ts';
import { visibleIn } from '../visible.ts';
import {
  BROADCAST,
  ELEMWISE,
  INJECTIVE,
  OPAQUE,
  PATTERN_RANK,
  type PatternRank,
  TUPLE,
} from './pattern.ts';

/** A use of a node. */
export interface Use {
  readonly user: GraphNode;
  readonly pattern: PatternRank;
}

/** An expression of the graph. */
export interface GraphNode {
  readonly expr: Expr;
  /** In post-order: users come later. */
  readonly index: number;
  pattern: PatternRank;
  /** Whether something outside of fused functions uses it. */
  isExternal: boolean;
  readonly uses: Use[];
}

/** Every expression of a function in post-order, with its uses. */
export interface Graph {
  readonly nodes: ReadonlyArray<GraphNode>;
  readonly nodeOf: ReadonlyMap<Expr, GraphNode>;
}

/** Constants of rank 0 are written where they are used, so they take no part. */
export const isInlined = (expr: Expr): boolean =>
  expr._tag === 'Op' ||
  expr._tag === 'GlobalVar' ||
  expr._tag === 'Constructor' ||
  (expr._tag === 'Constant' && expr.data.shape.length === 0);

/** The nodes below `root` that fusion sees, children first. */
const fusableOrder = (root: Expr, m: IRModule): ReadonlyArray<Expr> =>
  visibleIn(root, m).order.filter((expr) => !isInlined(expr));

/** The graph of a function's body. */
export function forwardGraph(m: IRModule, root: Expr): Graph {
  const nodes: GraphNode[] = fusableOrder(root, m).map((expr, index) => ({
    expr,
    index,
    pattern: OPAQUE,
    isExternal: false,
    uses: [],
  }));
  const nodeOf = new Map(nodes.map((node) => [node.expr, node]));
  const link = (child: Expr, user: GraphNode, pattern: PatternRank): void => {
    nodeOf.get(child)?.uses.push({ user, pattern });
  };
  const external = (...used: ReadonlyArray<Expr>): void => {
    for (const child of used) {
      const node = nodeOf.get(child);
      if (node !== undefined) node.isExternal = true;
    }
  };
  external(root);
  for (const node of nodes) connect(m, node, link, external);
  return { nodes, nodeOf };
}

function connect(
  m: IRModule,
  node: GraphNode,
  link: (child: Expr, user: GraphNode, pattern: PatternRank) => void,
  external: (...used: ReadonlyArray<Expr>) => void,
): void {
  const { expr } = node;
  switch (expr._tag) {
    case 'Call': {
      node.pattern = callPattern(m, expr);
      const result = typeOf(m, expr);
      for (const arg of expr.args) {
        const elementwise = node.pattern === BROADCAST && haveSameShape(typeOf(m, arg), result);
        link(arg, node, elementwise ? ELEMWISE : node.pattern);
      }
      external(expr.op);
      return;
    }
    case 'Tuple':
      node.pattern = TUPLE;
      for (const field of expr.fields) {
        if (typeOf(m, field)?._tag === 'TensorType') link(field, node, INJECTIVE);
        else external(field);
      }
      return;
    case 'TupleGetItem': {
      const type = typeOf(m, expr.tuple);
      const tensorsOnly =
        type?._tag === 'TupleType' && type.fields.every((f) => f._tag === 'TensorType');
      if (tensorsOnly) {
        node.pattern = INJECTIVE;
        link(expr.tuple, node, INJECTIVE);
      } else external(expr.tuple);
      return;
    }
    default:
      external(...children(expr));
  }
}

function callPattern(m: IRModule, expr: Expr): PatternRank {
  if (expr._tag !== 'Call' || expr.op._tag !== 'Op') return OPAQUE;
  const op = m.ops.get(expr.op.name);
  if (op === undefined || op.effect !== 'total' || isDataDependent(m, expr)) return OPAQUE;
  return PATTERN_RANK[m.ops.read(fusionColumn, expr.op.name) ?? 'opaque'];
}

/**
 * Whether only the data decide the size of the result, as for `arange`: its type has a `?` that
 * comes from none of the arguments.
 */
function isDataDependent(m: IRModule, expr: Call): boolean {
  const result = typeOf(m, expr);
  if (result === undefined) return true;
  return hasUnknownSize(result) && !expr.args.some((arg) => hasUnknownSize(typeOf(m, arg)));
}

/** Operators take tensors and tuples of tensors of one level. */
function hasUnknownSize(type: Type | undefined): boolean {
  const fields = type?._tag === 'TupleType' ? type.fields : [type];
  return fields.some((field) => dimsOf(field)?.some(isAnyDim) ?? true);
}
