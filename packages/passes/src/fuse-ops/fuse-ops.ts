/**
 * FuseOps: groups operator calls into functions marked `Primitive`, which a backend runs as one
 * kernel each.
 *
 * ```
 * fn (%x) { squeeze(exp(add(%x, 1f))) }
 * =>
 * fn (%x) { (fn (%p0, Primitive=1) { squeeze(exp(add(%p0, 1f))) })(%x) }
 * ```
 *
 * **Source** [passes §8](https://batonjs.github.io/baton/spec/passes#8); Chen et al., TVM: An
 * Automated End-to-End Optimizing Compiler, 2018,
 * [§3](https://batonjs.github.io/baton/spec/passes#3).
 */
import { postOrder, remember, wholeNumber } from '@baton/base';
import {
  type Attrs,
  call,
  children,
  type Expr,
  type Func,
  func,
  type IRModule,
  rewriteExpr,
  type Step,
  typeOf,
  type Var,
  variable,
} from '@baton/ir';
import { reshapesColumn } from '@baton/ops';
import {
  type Count,
  fuseLinkParamsKey,
  fuseMaxDepthKey,
  type Pass,
  readConfig,
} from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { inferType } from '../infer-type.ts';
import { rewriteFunc, rewritingPass } from '../rewrite.ts';
import { forwardGraph, type Graph, isInlined } from './graph.ts';
import { type Group, partition, rootGroup } from './partition.ts';
import { ROWS, type Row } from './rows.ts';

/** Options of {@link fuseOpsIn}. */
export interface FuseOptions {
  /** At level 0 each call becomes a kernel of its own. */
  readonly level: number;
  /** Groups grow no larger than this many nodes. */
  readonly maxDepth: number;
  /** Whether constants that are not scalars stay inside the kernels. */
  readonly linkParams: boolean;
}

/**
 * A function with its operator calls fused.
 *
 * **Complexity** linear in nodes and uses, up to the factor `maxDepth`.
 */
export function fuseOpsIn(f: Func, m: IRModule, options: FuseOptions, count: Count<Row>): Func {
  const graph = forwardGraph(m, f.body);
  const groups = partition(graph, {
    maxDepth: options.maxDepth,
    fuses: options.level > 0,
    count,
  });
  return rewriteFunc(
    f,
    m,
    kernelsOf(m, graph, groups, options.linkParams, count),
    graph.nodes.map((node) => node.expr),
  );
}

/** Puts the call of its kernel in the place of each group. */
function kernelsOf(
  m: IRModule,
  graph: Graph,
  groups: ReadonlyArray<Group>,
  linkParams: boolean,
  count: Count<Row>,
): Step {
  const groupOf = (expr: Expr): Group | undefined => {
    const node = graph.nodeOf.get(expr);
    return node && rootGroup(groups[node.index] as Group);
  };

  const isOnlyReshaped = (expr: Expr): boolean =>
    expr._tag !== 'Call' ||
    expr.op._tag !== 'Op' ||
    m.ops.read(reshapesColumn, expr.op.name) !== undefined;

  /** The call of a group's kernel. Its parameters are in the order of their use. */
  const kernelCall = (root: Expr, group: Group, get: (expr: Expr) => Expr): Expr => {
    const params = new Map<Expr, Var>();
    const isMember = (expr: Expr): boolean => groupOf(expr) === group;
    let reshapesOnly = true;
    const step: Step = (expr) => {
      if (isMember(expr)) {
        reshapesOnly &&= isOnlyReshaped(expr);
        return undefined;
      }
      const value = get(expr);
      if (isInlined(expr) || (value._tag === 'Constant' && linkParams)) return expr;
      if (value._tag === 'Constant' && !params.has(value)) count('constant argument');
      return remember(params, value, () => variable(`p${params.size}`, typeOf(m, expr)));
    };
    const below = (expr: Expr): ReadonlyArray<Expr> => (isMember(expr) ? children(expr) : []);
    const body = rewriteExpr(root, step, postOrder(below, [root]));
    count(reshapesOnly ? 'kernel of reshapes' : 'kernel');
    const attrs: Attrs = reshapesOnly
      ? { Primitive: 1, 'relay.reshape_only': 1 }
      : { Primitive: 1 };
    const parts = { retType: typeOf(m, root), attrs, span: root.span };
    return call(func([...params.values()], body, parts), [...params.keys()], { span: root.span });
  };

  return (expr, get) => {
    const group = groupOf(expr);
    // A node inside a group is used only there: it is written along with the group's root.
    if (group !== undefined && group.root.expr !== expr) return expr;
    if (group === undefined) return undefined;
    if (expr._tag === 'TupleGetItem') {
      return groupOf(expr.tuple) === group ? kernelCall(expr, group, get) : undefined;
    }
    if (expr._tag !== 'Call' || expr.op._tag !== 'Op') return undefined;
    if (expr.op.name === 'annotation.stop_fusion') {
      count('stop_fusion');
      return get(expr.args[0] as Expr);
    }
    if (m.ops.get(expr.op.name)?.effect === 'total') return kernelCall(expr, group, get);
    count('kept: stateful operator');
    return undefined;
  };
}

/** The options of {@link fuseOps}. */
export interface FuseOpsOptions {
  /** At level 0 each call becomes a kernel of its own. Default: the level of the context. */
  readonly level?: number;
  /** Groups grow no larger than this many nodes. Default: `relay.FuseOps.max_depth`. */
  readonly maxDepth?: number;
}

/** Groups operator calls into kernels; see {@link fuseOpsIn}. */
export const fuseOps: ConfigurablePass<FuseOpsOptions> = configurable(
  { level: wholeNumber(0), maxDepth: wholeNumber(1) },
  (given): Pass =>
    rewritingPass({
      name: 'FuseOps',
      doc: 'Groups operator calls into functions that a backend runs as one kernel each.',
      level: 0,
      requires: [inferType],
      rows: ROWS,
      isIdempotent: true,
      run: (f, m, context) => {
        const level = given.level ?? context.level;
        const maxDepth = given.maxDepth ?? readConfig(context, fuseMaxDepthKey);
        const linkParams = readConfig(context, fuseLinkParamsKey);
        return fuseOpsIn(f, m, { level, maxDepth, linkParams }, context.count);
      },
    }),
);
