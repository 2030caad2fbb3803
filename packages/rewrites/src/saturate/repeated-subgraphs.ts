/**
 * Repeated subgraphs of a function, such as the layers of a network: each is searched once, as a
 * function of what differs.
 */
import { numberIn, postOrder, remember } from '@baton/base';
import {
  type Call,
  call,
  children,
  type Expr,
  type Func,
  func,
  type IRModule,
  makeTypeNumbers,
  mapTyped,
  rewriteExpr,
  substitute,
  typeOf,
  variable,
} from '@baton/ir';
import { isOpaque, visibleIn, withBody } from '@baton/pass-manager';
import { standingForConstant } from '../match/fold.ts';
import { partsOf } from '../match/parts.ts';
import { constantKey, headOf, isEverywhere, makePayloadKey } from './language.ts';
import { isOpen } from './region.ts';
import { repeatsIn } from './repeats.ts';

/** A function in which repeated subgraphs are calls of kernels. */
export interface Outlined {
  readonly outer: Func;
  /** The kernels. Their parameters stand for what differs between the places of a subgraph. */
  readonly subgraphs: ReadonlyArray<Func>;
}

/** Functions with fewer nodes are searched as a whole. */
const LEAST_NODES = 200;
/** The least nodes of a subgraph. */
const LEAST_SIZE = 8;
/** The most nodes of a subgraph that is found. */
const MAX_SIZE = 500;

/**
 * The function with each subgraph that repeats as a call of one kernel for all its places. A subgraph
 * begins and ends where a single value passes: nothing else depends on what is inside. Its places
 * differ in variables, in large constants and in the value that comes in.
 *
 * **Complexity** linear in the nodes, times the most nodes of a subgraph.
 */
export function outlined(f: Func, m: IRModule): Outlined {
  const none: Outlined = { outer: f, subgraphs: [] };
  if (visibleIn(f.body, m).order.length < LEAST_NODES) return none;
  const placeOf = placesIn(m);
  const line = lineOf(f.body);
  const { order } = line;
  const numbers = new Map<string, number>();
  const ids = order.map((node) => numberIn(numbers, placeOf([node]).key));
  const found = repeatsIn(ids, {
    leastPeriod: LEAST_SIZE,
    maxPeriod: MAX_SIZE,
    mayEnd: cutsIn(line),
    endsWell: (i) => isJoin(order[i]),
  });
  // Equal subgraphs may also stand in several repeats.
  const alike = new Map<string, Place[]>();
  for (const { start, period, count } of found) {
    for (let k = 0; k < count; k++) {
      const [from, to] = [start + k * period, start + (k + 1) * period];
      if (!isClosed(line, from, to)) continue;
      const place = placeOf(order.slice(from, to));
      remember(alike, place.key, () => [] as Place[]).push(place);
    }
  }
  const calls = new Map<Expr, Place & { readonly kernel: Func }>();
  const subgraphs: Func[] = [];
  for (const places of alike.values()) {
    const [model] = places as [Place, ...Place[]];
    if (places.length < 2) continue;
    const kernel = kernelOf(model, subgraphs.length, m);
    subgraphs.push(kernel);
    for (const place of places) calls.set(place.result, { ...place, kernel });
  }
  if (subgraphs.length === 0) return none;
  const body = rewriteExpr(f.body, (node, get) => {
    const place = calls.get(node);
    return place && call(place.kernel, place.leaves.map(get), { span: node.span });
  });
  return { outer: withBody(f, body), subgraphs };
}

/** The expression with bodies in the places of the calls of kernels. */
export const inlined = (root: Expr, bodies: ReadonlyMap<Func, Expr>, m: IRModule): Expr =>
  rewriteExpr(root, (node, get) => {
    const kernel = node._tag === 'Call' && node.op._tag === 'Function' ? node.op : undefined;
    const body = kernel && bodies.get(kernel);
    if (body === undefined) return mapTyped(m, node, get);
    const args = (node as Call).args.map(get);
    const given = new Map<Expr, Expr>(kernel?.params.map((param, i) => [param, args[i] as Expr]));
    return rewriteExpr(body, (part, of) => given.get(part) ?? mapTyped(m, part, of));
  });

/** Whether a node brings several computed values together. */
const isJoin = (node: Expr | undefined): boolean =>
  node !== undefined && computedBelow(node).length > 1;

/** The computed nodes of an expression, in an order in which subgraphs are parts of it. */
interface Line {
  /** Each after what it uses. */
  readonly order: ReadonlyArray<Expr>;
  /** The place of the last use of each. */
  readonly lastUses: ReadonlyArray<number>;
}

/** The line of an expression. What is used from afar stands as early as it can. */
function lineOf(root: Expr): Line {
  const depths = new Map<Expr, number>();
  const depthOf = (node: Expr): number => depths.get(node) ?? 0;
  for (const node of postOrder(computedBelow, [root])) {
    depths.set(node, 1 + computedBelow(node).reduce((most, e) => Math.max(most, depthOf(e)), 0));
  }
  // The longest way first: what is made of leaves alone then stands next to its use.
  const deepestFirst = (node: Expr): ReadonlyArray<Expr> =>
    [...computedBelow(node)].sort((a, b) => depthOf(b) - depthOf(a));
  const line = (roots: ReadonlyArray<Expr>): Line => {
    const order = postOrder(deepestFirst, roots);
    return { order, lastUses: lastUsesIn(order) };
  };
  const first = line([root]);
  const far = first.order.filter((_, i) => isFar(i, first.lastUses[i]));
  return far.length === 0 ? first : line([...far, root]);
}

/** What an expression uses of what is computed. */
const computedBelow = (node: Expr): ReadonlyArray<Expr> =>
  isOpaque(node) ? [] : children(node).filter((child) => !isEverywhere(child));

function lastUsesIn(order: ReadonlyArray<Expr>): ReadonlyArray<number> {
  const at = new Map(order.map((node, i) => [node, i]));
  const lastUses = order.map((_, i) => i);
  order.forEach((node, i) => {
    for (const child of computedBelow(node)) lastUses[at.get(child) as number] = i;
  });
  return lastUses;
}

/** Whether a use is farther away than a subgraph is long: all subgraphs between are passed by. */
const isFar = (at: number, use = at): boolean => use - at > MAX_SIZE;

/** Whether, of the nodes up to an index, only the last is used after it, except by distant nodes. */
function cutsIn({ lastUses }: Line): (at: number) => boolean {
  let reach = 0;
  const cuts = lastUses.map((last, i) => {
    const isCut = reach <= i;
    if (!isFar(i, last)) reach = Math.max(reach, last);
    return isCut;
  });
  return (at) => cuts[at] === true;
}

/** Whether only the last value of an interval is used after it. */
const isClosed = ({ lastUses }: Line, from: number, to: number): boolean =>
  lastUses.slice(from, to - 1).every((last) => last < to);

/** A subgraph, and what it takes from outside. */
interface Place {
  /** Equal for places of which only the leaves differ. */
  readonly key: string;
  readonly result: Expr;
  readonly leaves: ReadonlyArray<Expr>;
}

/** A function from the nodes of a subgraph, the last of which is its result, to its place. */
function placesIn(m: IRModule): (nodes: ReadonlyArray<Expr>) => Place {
  const payloadKey = makePayloadKey();
  const typeNumber = makeTypeNumbers();
  const payloads = new Map<unknown, number>();
  const others = new Map<Expr, number>();
  // Equal to nothing else.
  const other = (expr: Expr): string => `other ${numberIn(others, expr)}`;
  const heads = new Map<Expr, string>();
  const headKey = (node: Expr): string => {
    const head = isOpen(m, node) ? headOf(node) : undefined;
    if (head === undefined) return other(node);
    return `${head.name} ${numberIn(payloads, payloadKey(head.name, head.payload))}`;
  };
  const outsides = new Map<Expr, Outside>();
  const outside = (part: Expr): Outside => {
    const value = part._tag === 'Constant' && isOpen(m, part) ? constantKey(part) : undefined;
    if (typeof value === 'string') return { key: value, isLeaf: false };
    const type = typeOf(m, part);
    if (type === undefined) return { key: other(part), isLeaf: false };
    const kind = part._tag === 'Constant' ? 'constant' : 'leaf';
    return { key: `${kind} ${typeNumber(type)}`, isLeaf: true };
  };
  return (nodes) => {
    const own = new Map(nodes.map((node, i) => [node, i]));
    const leaves = new Map<Expr, number>();
    const partKey = (part: Expr): string => {
      const index = own.get(part);
      if (index !== undefined) return `${index}`;
      const { key, isLeaf } = remember(outsides, part, () => outside(part));
      return isLeaf ? `${key} ${numberIn(leaves, part)}` : key;
    };
    const nodeKey = (node: Expr): string =>
      `${remember(heads, node, () => headKey(node))}(${partsOf(node).map(partKey).join(', ')})`;
    const key = nodes.map(nodeKey).join('\n');
    return { key, result: nodes.at(-1) as Expr, leaves: [...leaves.keys()] };
  };
}

/** What a subgraph takes from outside: a leaf, or what is the same in all its places. */
interface Outside {
  readonly key: string;
  readonly isLeaf: boolean;
}

/** The kernel of a subgraph, which no engine enters. */
function kernelOf({ result, leaves }: Place, index: number, m: IRModule): Func {
  const params = leaves.map((leaf, i) => {
    const param = variable(`p${i}`, typeOf(m, leaf));
    return leaf._tag === 'Constant' ? standingForConstant(param) : param;
  });
  const body = substitute(result, new Map(leaves.map((leaf, i) => [leaf, params[i] as Expr])));
  return func(params, body, { attrs: { Primitive: 1, Subgraph: index } });
}
