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
 * **Source** passes.md §8; Chen et al., TVM: An Automated End-to-End Optimizing Compiler, 2018, §3.
 */
import {
  type Attrs,
  call,
  children,
  type Expr,
  type Func,
  func,
  type IRModule,
  type Type,
  tuple,
  tupleGetItem,
  typeOf,
  type Var,
  variable,
  withChildren,
} from '@baton/ir';
import {
  type Count,
  functionPass,
  fuseLinkParamsKey,
  fuseMaxDepthKey,
  type Pass,
  readConfig,
} from '@baton/pass-manager';
import { right } from 'fp-ts/lib/Either.js';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { withBody } from '../forward-rewrite.ts';
import { inferType } from '../infer-type.ts';
import { isPrimitive } from '../primitive.ts';
import { forwardGraph, fusableOrder, type Graph } from './graph.ts';
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

const RESHAPES: ReadonlySet<string> = new Set([
  'reshape',
  'contrib_reverse_reshape',
  'dyn.reshape',
]);

/** A kernel under construction. */
interface Kernel {
  readonly params: Var[];
  /** Parameters by what they stand for. */
  readonly byArgument: Map<Expr, Var>;
  reshapesOnly: boolean;
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
  return withBody(f, rebuild(m, f.body, graph, groups, options.linkParams, count));
}

function rebuild(
  m: IRModule,
  root: Expr,
  graph: Graph,
  groups: ReadonlyArray<Group>,
  linkParams: boolean,
  count: Count<Row>,
): Expr {
  const built = new Map<Expr, Expr>();
  const kernels = new Map<Group, Kernel>();
  const get = (expr: Expr): Expr => built.get(expr) ?? expr;
  const groupOf = (expr: Expr): Group | undefined => {
    const node = graph.nodeOf.get(expr);
    return node && rootGroup(groups[node.index] as Group);
  };
  const kernelOf = (group: Group): Kernel => {
    const known = kernels.get(group);
    if (known !== undefined) return known;
    const made: Kernel = { params: [], byArgument: new Map(), reshapesOnly: true };
    kernels.set(group, made);
    return made;
  };
  /** What stands for `arg` inside the kernel of `group`. */
  const inside = (arg: Expr, group: Group): Expr => {
    const argGroup = groupOf(arg);
    if (argGroup === undefined || argGroup === group) return get(arg);
    const value = get(arg);
    if (value._tag === 'Constant' && linkParams) return value;
    const kernel = kernelOf(group);
    const known = kernel.byArgument.get(value);
    if (known !== undefined) return known;
    if (value._tag === 'Constant') count('constant argument');
    const param = variable(`p${kernel.params.length}`, typeOf(m, arg));
    kernel.params.push(param);
    kernel.byArgument.set(value, param);
    return param;
  };
  /** The call of a finished kernel. */
  const close = (expr: Expr, body: Expr, group: Group): Expr => {
    const { params, byArgument, reshapesOnly } = kernelOf(group);
    count(reshapesOnly ? 'kernel of reshapes' : 'kernel');
    const attrs: Attrs = reshapesOnly
      ? { Primitive: 1, 'relay.reshape_only': 1 }
      : { Primitive: 1 };
    const retType: Type | undefined = typeOf(m, expr);
    const fused = func(params, body, { retType, attrs, span: expr.span });
    return call(fused, [...byArgument.keys()], { span: expr.span });
  };

  for (const expr of fusableOrder(root)) {
    const group = groupOf(expr);
    const next =
      group === undefined ? undefined : fusedNode(expr, group, { inside, close, kernelOf, get });
    built.set(expr, next ?? withChildren(expr, children(expr).map(get)));
  }
  return get(root);

  function fusedNode(expr: Expr, group: Group, tools: Tools): Expr | undefined {
    const isRoot = group.root.expr === expr;
    switch (expr._tag) {
      case 'Call': {
        if (expr.op._tag !== 'Op') return undefined;
        if (expr.op.name === 'annotation.stop_fusion') {
          count('stop_fusion');
          return tools.get(expr.args[0] as Expr);
        }
        if (m.ops.get(expr.op.name)?.effect !== 'total') {
          count('kept: stateful operator');
          return undefined;
        }
        const body = call(
          expr.op,
          expr.args.map((arg) => tools.inside(arg, group)),
          expr,
        );
        if (!RESHAPES.has(expr.op.name)) tools.kernelOf(group).reshapesOnly = false;
        return isRoot ? tools.close(expr, body, group) : body;
      }
      case 'Tuple':
        if (isRoot) return undefined;
        return tuple(
          expr.fields.map((field) => tools.inside(field, group)),
          expr.span,
        );
      case 'TupleGetItem': {
        if (isRoot && groupOf(expr.tuple) !== group) return undefined;
        const body = tupleGetItem(tools.inside(expr.tuple, group), expr.index, expr.span);
        return isRoot ? tools.close(expr, body, group) : body;
      }
      default:
        return undefined;
    }
  }
}

interface Tools {
  readonly inside: (arg: Expr, group: Group) => Expr;
  readonly close: (expr: Expr, body: Expr, group: Group) => Expr;
  readonly kernelOf: (group: Group) => Kernel;
  readonly get: (expr: Expr) => Expr;
}

/** The choices of {@link fuseOps}. */
export interface FuseOpsOptions {
  /** At level 0 each call becomes a kernel of its own. Default: the level of the context. */
  readonly level?: number;
  /** Groups grow no larger than this many nodes. Default: `relay.FuseOps.max_depth`. */
  readonly maxDepth?: number;
}

/** Groups operator calls into kernels; see {@link fuseOpsIn}. */
export const fuseOps: ConfigurablePass<FuseOpsOptions> = configurable(
  (given): Pass =>
    functionPass({
      name: 'FuseOps',
      doc: 'Groups operator calls into functions that a backend runs as one kernel each.',
      level: 0,
      requires: [inferType],
      rows: ROWS,
      run: (f, m, context) => {
        if (isPrimitive(f)) return right(f);
        const level = given.level ?? context.level;
        const maxDepth = given.maxDepth ?? readConfig(context, fuseMaxDepthKey);
        const linkParams = readConfig(context, fuseLinkParamsKey);
        return right(fuseOpsIn(f, m, { level, maxDepth, linkParams }, context.count));
      },
    }),
);
