/**
 * The forward graph of fusion: the users of each node, and their patterns
 * ([passes §8](https://batonjs.github.io/baton/spec/passes#8), step A).
 */

import {
  type Call,
  children,
  type Expr,
  type Func,
  type IRModule,
  isAnyDim,
  postOrderExprs,
  type Type,
  typeOf,
} from '@baton/ir';
import { dimsOf, fusionColumn, haveSameShape } from '@baton/ops';
import { isPrimitive, visibleIn } from '@baton/pass-manager';
import {
  BROADCAST,
  combine,
  ELEMWISE,
  INJECTIVE,
  OPAQUE,
  PATTERN_RANK,
  type PatternRank,
  TUPLE,
} from './pattern.ts';

export interface Use {
  readonly user: GraphNode;
  readonly pattern: PatternRank;
}

export interface GraphNode {
  readonly expr: Expr;
  /** In post-order: users come later. */
  readonly index: number;
  readonly pattern: PatternRank;
  /** Whether something outside of fused functions uses it. */
  isExternal: boolean;
  readonly uses: Use[];
}

/** Every expression of a function in post-order, with its uses. */
export interface Graph {
  readonly nodes: ReadonlyArray<GraphNode>;
  readonly nodeOf: ReadonlyMap<Expr, GraphNode>;
}

/** Constants of rank 0, and what is called, are written where they are used: they take no part. */
export const isInlined = (expr: Expr): boolean =>
  expr._tag === 'Op' ||
  isNamedKernel(expr) ||
  expr._tag === 'GlobalVar' ||
  expr._tag === 'Constructor' ||
  (expr._tag === 'Constant' && expr.data.shape.length === 0);

/** A kernel with a name, which a backend may recognize. */
export const isNamedKernel = (expr: Expr): expr is Func =>
  isPrimitive(expr) && expr.attrs.Composite !== undefined;

/** The graph of a function's body; with `composites`, kernels with names are calls of it, too. */
export function forwardGraph(m: IRModule, root: Expr, composites: boolean): Graph {
  const exprs = visibleIn(root, m).order.filter((expr) => !isInlined(expr));
  const nodes = exprs.map((expr, index): GraphNode => {
    return {
      expr,
      index,
      pattern: patternOf(m, expr, composites),
      isExternal: expr === root,
      uses: [],
    };
  });
  const nodeOf = new Map(nodes.map((node) => [node.expr, node]));
  for (const user of nodes) {
    for (const [index, child] of children(user.expr).entries()) {
      const node = nodeOf.get(child);
      const pattern = patternOfUse(m, user, child, index);
      if (pattern !== undefined) node?.uses.push({ user, pattern });
      else if (node !== undefined) node.isExternal = true;
    }
  }
  return { nodes, nodeOf };
}

function patternOf(m: IRModule, expr: Expr, composites: boolean): PatternRank {
  switch (expr._tag) {
    case 'Call':
      if (composites && isNamedKernel(expr.op)) return kernelPattern(m, expr.op);
      return callPattern(m, expr);
    case 'Tuple':
      return TUPLE;
    case 'TupleGetItem': {
      const type = typeOf(m, expr.tuple);
      const fields = type?._tag === 'TupleType' ? type.fields : [undefined];
      return fields.every(isTensor) ? INJECTIVE : OPAQUE;
    }
    default:
      return OPAQUE;
  }
}

const isTensor = (type: Type | undefined): boolean => type?._tag === 'TensorType';

/** The pattern of a use as child `index` of `user`; `undefined` if it is outside of kernels. */
function patternOfUse(
  m: IRModule,
  { expr, pattern }: GraphNode,
  child: Expr,
  index: number,
): PatternRank | undefined {
  switch (expr._tag) {
    case 'Call': {
      if (index >= expr.args.length) return undefined;
      const isSame = pattern === BROADCAST && haveSameShape(typeOf(m, child), typeOf(m, expr));
      return isSame ? ELEMWISE : pattern;
    }
    case 'Tuple':
      return isTensor(typeOf(m, child)) ? INJECTIVE : undefined;
    case 'TupleGetItem':
      return pattern === INJECTIVE ? INJECTIVE : undefined;
    default:
      return undefined;
  }
}

/** The pattern of a kernel of elementwise calls; any other is none that fusion joins. */
function kernelPattern(m: IRModule, { body }: Func): PatternRank {
  const patterns = postOrderExprs([body]).map((expr) => {
    if (expr._tag === 'Call') return callPattern(m, expr);
    return LEAVES.has(expr._tag) ? ELEMWISE : OPAQUE;
  });
  const pattern = patterns.reduce(combine, ELEMWISE);
  return pattern <= BROADCAST ? pattern : OPAQUE;
}

const LEAVES: ReadonlySet<Expr['_tag']> = new Set<Expr['_tag']>(['Var', 'Constant', 'Op']);

function callPattern(m: IRModule, expr: Call): PatternRank {
  if (expr.op._tag !== 'Op') return OPAQUE;
  const op = m.ops.get(expr.op.name);
  if (op === undefined || op.effect !== 'total' || isDataDependent(m, expr)) return OPAQUE;
  return PATTERN_RANK[m.ops.read(fusionColumn, expr.op.name) ?? 'opaque'];
}

/** Whether only the data decide the size of the result, as for `arange`. */
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
