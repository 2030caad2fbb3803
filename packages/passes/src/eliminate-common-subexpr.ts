/**
 * EliminateCommonSubexpr: computes equal calls once.
 * [passes §5](https://batonjs.github.io/baton/spec/passes#5).
 */
import { aFunction, mergeSpans, numberIn, remember, type Span } from '@baton/base';
import {
  type Attrs,
  attrsEqual,
  type Call,
  call,
  type Expr,
  foldExpr,
  hashAttrs,
  type IRModule,
  mapChildren,
  noAttrs,
  type Step,
  tupleGetItem,
} from '@baton/ir';
import {
  type Count,
  inferType,
  type Pass,
  rewriteFunc,
  rewritingPass,
  visibleIn,
} from '@baton/pass-manager';
import { isBig, readBigInt, readNumber, type Tensor } from '@baton/tensor';
import { type ConfigurablePass, configurable } from './configurable.ts';

const COUNTERS = [
  'call merged',
  'projection merged',
  'equal scalars',
  'equal tuples',
  'kept: other attributes',
  'kept: stateful operator',
  'kept: no argument',
] as const;

type Counter = (typeof COUNTERS)[number];

export interface CommonSubexprOptions {
  /** Calls that are kept, and not merged with others. */
  readonly skip?: (call: Call) => boolean;
}

/**
 * Merges equal calls of operators, and equal projections, into the first of them:
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
export const eliminateCommonSubexpr: ConfigurablePass<CommonSubexprOptions> = configurable(
  { skip: aFunction },
  (options): Pass =>
    rewritingPass({
      name: 'EliminateCommonSubexpr',
      doc: 'Computes equal calls of operators once.',
      level: 3,
      requires: [inferType],
      counters: COUNTERS,
      isIdempotent: true,
      run: (f, m, { count }) => {
        const { order } = visibleIn(f.body, m);
        const firsts = firstEquals(order, m, options.skip ?? (() => false), count);
        const members = new Map<Expr, Expr[]>();
        for (const [node, first] of firsts) {
          if (first !== node && isMerged(node)) remember(members, first, () => [first]).push(node);
        }
        if (members.size === 0) return f;
        const step: Step = (node, get) => {
          const first = firsts.get(node) ?? node;
          // The first comes first in this order, too.
          if (first !== node && isMerged(node)) return get(first);
          const merged = members.get(node);
          return merged && withSpan(mapChildren(node, get), spanOf(merged));
        };
        return rewriteFunc(f, m, step, order);
      },
    }),
);

/** Whether equal nodes are merged: scalars and literal tuples stay, and what takes them is equal. */
const isMerged = ({ _tag }: Expr): boolean => _tag === 'Call' || _tag === 'TupleGetItem';

/** For each node the first that is equal to it. */
function firstEquals(
  order: ReadonlyArray<Expr>,
  m: IRModule,
  skip: (call: Call) => boolean,
  count: Count<Counter>,
): ReadonlyMap<Expr, Expr> {
  const ids = new Map<Expr, number>();
  // By operator and arguments, then by the hash of attributes: different ones may share it.
  const known = new Map<string, Map<number, Expr[]>>();
  return foldExpr<Expr>(order, (node, get) => {
    // A kernel is not in the order, but may be a field.
    const idOf = (part: Expr): number => numberIn(ids, get(part) ?? part);
    const key = isMergeable(node, m, skip, count) ? keyOf(node, idOf) : undefined;
    if (key === undefined) return node;
    const attrs = attrsOf(node);
    const candidates = remember(known, key, () => new Map<number, Expr[]>());
    const isOther = candidates.size > 0;
    const likely = remember(candidates, hashAttrs(attrs), (): Expr[] => []);
    const first = likely.find((other) => attrsEqual(attrsOf(other), attrs));
    if (first === undefined) {
      if (isOther) count('kept: other attributes');
      likely.push(node);
      return node;
    }
    const counter = EQUAL_COUNTERS.get(node._tag);
    if (counter !== undefined) count(counter);
    return first;
  });
}

const EQUAL_COUNTERS: ReadonlyMap<Expr['_tag'], Counter> = new Map([
  ['Constant', 'equal scalars'],
  ['Tuple', 'equal tuples'],
  ['TupleGetItem', 'projection merged'],
  ['Call', 'call merged'],
]);

function isMergeable(
  node: Expr,
  m: IRModule,
  skip: (call: Call) => boolean,
  count: Count<Counter>,
): boolean {
  if (node._tag !== 'Call') return true;
  if (node.op._tag !== 'Op') return false;
  const effect = m.ops.get(node.op.name)?.effect;
  const isStateful = effect === undefined || effect === 'stateful';
  if (isStateful) count('kept: stateful operator');
  else if (node.args.length === 0) count('kept: no argument');
  return !isStateful && node.args.length > 0 && !skip(node);
}

/** A text that nodes share that are equal but for attributes; `undefined` for one equal to no other. */
function keyOf(node: Expr, idOf: (part: Expr) => number): string | undefined {
  switch (node._tag) {
    case 'Constant':
      return node.data.shape.length === 0 ? `constant ${scalarText(node.data)}` : undefined;
    case 'Tuple':
      return `tuple ${node.fields.map(idOf).join()}`;
    case 'TupleGetItem':
      return `field ${node.index} ${idOf(node.tuple)}`;
    case 'Call':
      return node.op._tag === 'Op' ? `${node.op.name} ${node.args.map(idOf).join()}` : undefined;
    default:
      return undefined;
  }
}

const attrsOf = (node: Expr): Attrs => (node._tag === 'Call' ? (node.attrs ?? noAttrs) : noAttrs);

/** A text that differs for distinguishable values, also by the sign of 0. */
function scalarText(data: Tensor): string {
  if (isBig(data.dtype)) return `${data.dtype} ${readBigInt(data, 0)}`;
  const value = readNumber(data, 0);
  return `${data.dtype} ${Object.is(value, -0) ? '-0' : value}`;
}

const spanOf = (nodes: ReadonlyArray<Expr>): Span | undefined =>
  [...new Set(nodes.map((node) => node.span))].reduce((span, next) => mergeSpans(span, next));

function withSpan(node: Expr, span: Span | undefined): Expr {
  if (node._tag === 'Call') return call(node.op, node.args, { ...node, span });
  return node._tag === 'TupleGetItem' ? tupleGetItem(node.tuple, node.index, span) : node;
}
