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
import { aBoolean, postOrder, remember, wholeNumber } from '@baton/base';
import {
  type Attrs,
  call,
  children,
  type Expr,
  func,
  type IRModule,
  rewriteExpr,
  type Step,
  typeOf,
  type Var,
  variable,
} from '@baton/ir';
import { reshapingOf } from '@baton/ops';
import {
  type Count,
  fuseLinkParamsKey,
  fuseMaxDepthKey,
  inferType,
  type Pass,
  readConfig,
  rewriteFunc,
  rewritingPass,
} from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { COUNTERS, type Counter } from './counters.ts';
import { forwardGraph, isInlined, isNamedKernel } from './graph.ts';
import { type Group, partition, rootGroup } from './partition.ts';

export interface FuseOpsOptions {
  /** At level 0 each call becomes a separate kernel. Default: the level of the context. */
  readonly level?: number;
  /** Groups grow no larger than this many nodes. Default: `relay.FuseOps.max_depth`. */
  readonly maxDepth?: number;
  /**
   * Whether a movement of elements joins the convolution or product before it, which then writes to
   * the places of the result: one of the convolutions of a concatenation, or a product that is
   * transposed. @defaultValue false, as in TVM
   */
  readonly movements?: boolean;
  /**
   * Whether an elementwise kernel with a name, such as one of GELU, joins others like one
   * elementwise call. @defaultValue false, as in TVM
   */
  readonly composites?: boolean;
}

/**
 * Groups operator calls into kernels.
 *
 * **Complexity** linear in nodes and uses, up to the factor `maxDepth`.
 */
export const fuseOps: ConfigurablePass<FuseOpsOptions> = configurable(
  { level: wholeNumber(0), maxDepth: wholeNumber(1), movements: aBoolean, composites: aBoolean },
  (given): Pass =>
    rewritingPass({
      name: 'FuseOps',
      doc: 'Groups operator calls into functions that a backend runs as one kernel each.',
      level: 0,
      requires: [inferType],
      counters: COUNTERS,
      isIdempotent: true,
      run: (f, m, context) => {
        const { count } = context;
        const fuses = (given.level ?? context.level) > 0;
        const maxDepth = given.maxDepth ?? readConfig(context, fuseMaxDepthKey);
        const linkParams = readConfig(context, fuseLinkParamsKey);
        const { movements = false, composites = false } = given;
        const { nodes, nodeOf } = forwardGraph(m, f.body, composites);
        const groups = partition(nodes, { maxDepth, fuses, movements, count });
        const groupOf = (expr: Expr): Group | undefined => {
          const node = nodeOf.get(expr);
          return node && rootGroup(groups[node.index] as Group);
        };
        const fusion: Fusion = { m, groupOf, linkParams, count };
        const order = nodes.map((node) => node.expr);
        return rewriteFunc(f, m, (node, get) => fused(fusion, node, get), order);
      },
    }),
);

/**
 * The fusion by which programs are compared, whatever the level of the context: a movement of elements
 * joins the product before it, and so does an elementwise kernel with a name, as in the kernels of a
 * good backend.
 */
export const kernelFusion: Pass = fuseOps({ level: 3, movements: true, composites: true });

/** The groups of a function, and what becomes of them. */
interface Fusion {
  readonly m: IRModule;
  /** The group of a node; `undefined` for a node that takes no part. */
  readonly groupOf: (expr: Expr) => Group | undefined;
  readonly linkParams: boolean;
  readonly count: Count<Counter>;
}

/** The call of its kernel that replaces each group. */
function fused(fusion: Fusion, expr: Expr, get: (expr: Expr) => Expr): Expr | undefined {
  const { m, groupOf, count } = fusion;
  const group = groupOf(expr);
  if (group === undefined) return undefined;
  // A node inside a group is used only there: it is written along with the group's root.
  if (group.root.expr !== expr) return expr;
  if (expr._tag === 'TupleGetItem') {
    return groupOf(expr.tuple) === group ? kernelCall(fusion, expr, group, get) : undefined;
  }
  if (expr._tag !== 'Call') return undefined;
  if (isNamedKernel(expr.op)) {
    return group.size > 1 ? kernelCall(fusion, expr, group, get) : undefined;
  }
  if (expr.op._tag !== 'Op') return undefined;
  if (expr.op.name === 'annotation.stop_fusion') {
    count('stop_fusion');
    return get(expr.args[0] as Expr);
  }
  if (m.ops.get(expr.op.name)?.effect === 'total') return kernelCall(fusion, expr, group, get);
  count('kept: stateful operator');
  return undefined;
}

/** The call of a group's kernel. Its parameters are in the order of their use. */
function kernelCall(
  { m, groupOf, linkParams, count }: Fusion,
  root: Expr,
  group: Group,
  get: (expr: Expr) => Expr,
): Expr {
  const params = new Map<Expr, Var>();
  const below = (expr: Expr): ReadonlyArray<Expr> =>
    groupOf(expr) === group ? children(expr) : [];
  const order = postOrder(below, [root]);
  const step: Step = (expr) => {
    if (groupOf(expr) === group) return undefined;
    const value = get(expr);
    if (isInlined(expr) || (value._tag === 'Constant' && linkParams)) return expr;
    if (value._tag === 'Constant' && !params.has(value)) count('constant argument');
    return remember(params, value, () => variable(`p${params.size}`, typeOf(m, expr)));
  };
  const body = rewriteExpr(root, step, order);
  const reshapesOnly = order.every((expr) => groupOf(expr) !== group || isOnlyReshaped(m, expr));
  count(reshapesOnly ? 'kernel of reshapes' : 'kernel');
  const attrs: Attrs = { Primitive: 1, ...(reshapesOnly && { 'relay.reshape_only': 1 }) };
  const kernel = func([...params.values()], body, {
    retType: typeOf(m, root),
    attrs,
    span: root.span,
  });
  return call(kernel, [...params.keys()], { span: root.span });
}

const isOnlyReshaped = (m: IRModule, expr: Expr): boolean =>
  expr._tag !== 'Call' || expr.op._tag !== 'Op' || reshapingOf(m.ops, expr.op.name) !== undefined;
