/**
 * EliminateCommonSubexpr: computes equal calls once.
 * [passes §5](https://batonjs.github.io/baton/spec/passes#5).
 */
import { aFunction, mergeSpans, type Span } from '@baton/base';
import {
  type Attrs,
  attrsEqual,
  type Call,
  call,
  type Expr,
  type Func,
  hashAttrs,
  type IRModule,
  mapChildren,
  noAttrs,
  type Step,
  type TupleGetItem,
  tupleGetItem,
} from '@baton/ir';
import type { Count, Pass } from '@baton/pass-manager';
import { isBig, readBigInt, readNumber, type Tensor } from '@baton/tensor';
import { type ConfigurablePass, configurable } from './configurable.ts';
import { inferType } from './infer-type.ts';
import { rewriteFunc, rewritingPass } from './rewrite.ts';
import { visibleIn } from './visible.ts';

const ROWS = [
  'call merged',
  'projection merged',
  'equal scalars',
  'equal tuples',
  'kept: other attributes',
  'kept: stateful operator',
  'kept: no argument',
] as const;

type Row = (typeof ROWS)[number];

/** The options of {@link eliminateCommonSubexpr}. */
export interface CommonSubexprOptions {
  /** Calls that are kept, and not merged with others. */
  readonly skip?: (call: Call) => boolean;
}

/**
 * The function with equal calls of operators, and equal projections, merged into the first of them:
 *
 * ```
 * %0 = nn.relu(%x); %1 = nn.relu(%x); add(%0, %1)      =>      %0 = nn.relu(%x); add(%0, %0)
 * ```
 *
 * Two calls are equal if operator and attributes are, and their arguments are the same nodes,
 * merged nodes, scalar constants with one value, or literal tuples of such. Never merged: calls of
 * stateful operators, calls without arguments, calls of anything but operators. What stands inside
 * a `Primitive` function is a kernel's own.
 *
 * **Complexity** linear in the function: each node is looked up once in a hash table.
 */
export function mergeCommonSubexprs(
  f: Func,
  m: IRModule,
  options: CommonSubexprOptions,
  count: Count<Row>,
): Func {
  const order = visibleIn(f.body, m).order;
  const classes = equalityClasses(order, m, options.skip ?? (() => false), count);
  if (classes.size === 0) return f;
  const step: Step = (node, get) => {
    const members = classes.get(node);
    const first = members?.[0];
    if (members === undefined || first === undefined) return undefined;
    // The first of a class comes first in this order, too.
    return first === node ? withSpan(mapChildren(node, get), spanOf(members)) : get(first);
  };
  return rewriteFunc(f, m, step, order);
}

/** Computes equal calls once; see {@link mergeCommonSubexprs}. */
export const eliminateCommonSubexpr: ConfigurablePass<CommonSubexprOptions> = configurable(
  { skip: aFunction },
  (options): Pass =>
    rewritingPass({
      name: 'EliminateCommonSubexpr',
      doc: 'Computes equal calls of operators once.',
      level: 3,
      requires: [inferType],
      rows: ROWS,
      isIdempotent: true,
      run: (f, m, { count }) => mergeCommonSubexprs(f, m, options, count),
    }),
);

type Mergeable = Call | TupleGetItem;

/** The merged nodes, each with the nodes merged into it, in the given order. */
function equalityClasses(
  order: ReadonlyArray<Expr>,
  m: IRModule,
  skip: (call: Call) => boolean,
  count: Count<Row>,
): ReadonlyMap<Expr, ReadonlyArray<Mergeable>> {
  const numbers = new Map<Expr, number>();
  const numberOfKey = new Map<string, number>();
  // By operator and arguments, then by the hash of attributes: different ones may share it.
  const firsts = new Map<string, Map<number, Mergeable[]>>();
  const merged = new Map<Expr, Mergeable[]>();
  let next = 0;
  // A kernel is not in the order, but may be a field.
  const numberOf = (node: Expr): number => {
    const known = numbers.get(node) ?? next++;
    numbers.set(node, known);
    return known;
  };
  const numberAll = (nodes: ReadonlyArray<Expr>): string => nodes.map(numberOf).join();

  const join = (node: Mergeable, key: string): number => {
    const attrs = attrsOf(node);
    const hash = hashAttrs(attrs);
    const candidates = firsts.get(key) ?? new Map<number, Mergeable[]>();
    const known = candidates.get(hash) ?? [];
    const first = known.find((other) => attrsEqual(attrsOf(other), attrs));
    if (first === undefined) {
      if (candidates.size > 0) count('kept: other attributes');
      known.push(node);
      candidates.set(hash, known);
      firsts.set(key, candidates);
      return next++;
    }
    count(node._tag === 'Call' ? 'call merged' : 'projection merged');
    const members = merged.get(first) ?? [first];
    members.push(node);
    merged.set(first, members);
    merged.set(node, members);
    return numberOf(first);
  };
  const byKey = (key: string, row: Row): number => {
    const known = numberOfKey.get(key);
    if (known !== undefined) {
      count(row);
      return known;
    }
    numberOfKey.set(key, next);
    return next++;
  };
  const kept = (row: Row): number => {
    count(row);
    return next++;
  };
  const numberOfCall = (node: Call): number => {
    if (node.op._tag !== 'Op') return next++;
    const effect = m.ops.get(node.op.name)?.effect;
    if (effect === undefined || effect === 'stateful') return kept('kept: stateful operator');
    if (node.args.length === 0) return kept('kept: no argument');
    if (skip(node)) return next++;
    return join(node, `${node.op.name} ${numberAll(node.args)}`);
  };
  const numberFor = (node: Expr): number => {
    switch (node._tag) {
      case 'Constant':
        return node.data.shape.length === 0
          ? byKey(`constant ${scalarText(node.data)}`, 'equal scalars')
          : next++;
      case 'Tuple':
        return byKey(`tuple ${numberAll(node.fields)}`, 'equal tuples');
      case 'TupleGetItem':
        return join(node, `field ${node.index} ${numberOf(node.tuple)}`);
      case 'Call':
        return numberOfCall(node);
      default:
        return next++;
    }
  };
  for (const node of order) numbers.set(node, numberFor(node));
  return merged;
}

const attrsOf = (node: Mergeable): Attrs =>
  node._tag === 'Call' ? (node.attrs ?? noAttrs) : noAttrs;

/** A text that differs for distinguishable values, also by the sign of 0. */
function scalarText(data: Tensor): string {
  if (isBig(data.dtype)) return `${data.dtype} ${readBigInt(data, 0)}`;
  const value = readNumber(data, 0);
  return `${data.dtype} ${Object.is(value, -0) ? '-0' : value}`;
}

const spanOf = (nodes: ReadonlyArray<Mergeable>): Span | undefined =>
  [...new Set(nodes.map((node) => node.span))].reduce((span, next) => mergeSpans(span, next));

function withSpan(node: Expr, span: Span | undefined): Expr {
  if (node._tag === 'Call') return call(node.op, node.args, { ...node, span });
  return node._tag === 'TupleGetItem' ? tupleGetItem(node.tuple, node.index, span) : node;
}
