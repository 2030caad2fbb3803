/**
 * Repeated stretches of a function, such as the layers of a network: each is searched once, as a
 * function of what differs.
 */
import { postOrder, remember } from '@baton/base';
import {
  type Call,
  call,
  children,
  describeType,
  type Expr,
  type Func,
  func,
  type IRModule,
  rewriteExpr,
  substitute,
  typeOf,
  variable,
} from '@baton/ir';
import { isOpaque, visibleIn, withBody } from '@baton/pass-manager';
import { standingForConstant } from '../match/fold.ts';
import { constantKey, headOf, isEverywhere, makePayloadKey } from './language.ts';
import { isOpen, partsOf } from './region.ts';
import { repeatsIn } from './repeats.ts';

/** A function in which repeated stretches are calls of kernels. */
export interface Outlined {
  readonly outer: Func;
  /** The kernels. Their parameters stand for what differs between the places of a stretch. */
  readonly stretches: ReadonlyArray<Func>;
}

/** Functions with fewer nodes are searched as a whole. */
const LEAST_NODES = 200;
/** The least nodes of a stretch. */
const LEAST_SIZE = 8;
/** The most values at which a function can be cut in one stretch. */
const MAX_PERIOD = 100;

/**
 * The function with each stretch that repeats as a call of one kernel for all its places. A stretch
 * begins and ends where a single value passes: nothing else depends on what is inside. Its places
 * differ in variables, in large constants and in the value that comes in.
 *
 * **Complexity** linear in the nodes, for each stretch that is found.
 */
export function outlined(f: Func, m: IRModule): Outlined {
  const none: Outlined = { outer: f, stretches: [] };
  if (visibleIn(f.body, m).order.length < LEAST_NODES) return none;
  const placeOf = placesIn(m);
  const pieces = piecesOf(f.body);
  const numbers = new Map<string, number>();
  const ids = pieces.map((piece) => {
    const { key } = placeOf(piece);
    return remember(numbers, key, () => numbers.size);
  });
  const found = repeatsIn(ids, {
    sizeOf: (i) => pieces[i]?.length ?? 0,
    leastSize: LEAST_SIZE,
    maxPeriod: MAX_PERIOD,
    endsWell: (i) => isJoin(pieces[i]?.at(-1)),
  });
  const places = new Map<Expr, Place & { readonly kernel: Func }>();
  const stretches: Func[] = [];
  for (const { start, period, count } of found) {
    const own = Array.from({ length: count }, (_, k) =>
      placeOf(pieces.slice(start + k * period, start + (k + 1) * period).flat()),
    );
    const [model] = own as [Place, ...Place[]];
    const alike = own.filter(({ key }) => key === model.key);
    if (alike.length < 2) continue;
    const kernel = kernelOf(model, stretches.length, m);
    stretches.push(kernel);
    for (const place of alike) places.set(place.result, { ...place, kernel });
  }
  if (stretches.length === 0) return none;
  const body = rewriteExpr(f.body, (node, get) => {
    const place = places.get(node);
    return place && call(place.kernel, place.leaves.map(get), { span: node.span });
  });
  return { outer: withBody(f, body), stretches };
}

/** The expression with bodies in the places of the calls of kernels. */
export const inlined = (root: Expr, bodies: ReadonlyMap<Func, Expr>): Expr =>
  rewriteExpr(root, (node, get) => {
    const kernel = node._tag === 'Call' && node.op._tag === 'Function' ? node.op : undefined;
    const body = kernel && bodies.get(kernel);
    if (body === undefined) return undefined;
    const args = (node as Call).args.map(get);
    return substitute(body, new Map(kernel?.params.map((param, i) => [param, args[i] as Expr])));
  });

/** Whether a node brings several computed values together. */
const isJoin = (node: Expr | undefined): boolean =>
  node !== undefined && children(node).filter((child) => !isEverywhere(child)).length > 1;

/** The computed nodes below an expression, cut wherever only one value passes. */
function piecesOf(root: Expr): ReadonlyArray<ReadonlyArray<Expr>> {
  const below = (node: Expr): ReadonlyArray<Expr> =>
    isOpaque(node) ? [] : children(node).filter((child) => !isEverywhere(child));
  const depths = new Map<Expr, number>();
  for (const node of postOrder(below, [root])) {
    const depth = below(node).reduce((most, child) => Math.max(most, depths.get(child) ?? 0), 0);
    depths.set(node, depth + 1);
  }
  // The longest way first: what is made of leaves alone then stands next to its use.
  const deepestFirst = (node: Expr): ReadonlyArray<Expr> =>
    [...below(node)].sort((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0));
  const order = postOrder(deepestFirst, [root]);
  const at = new Map(order.map((node, i) => [node, i]));
  const lastUses = order.map((_, i) => i);
  order.forEach((node, i) => {
    for (const child of below(node)) lastUses[at.get(child) as number] = i;
  });
  const pieces: Expr[][] = [];
  let piece: Expr[] = [];
  // The last use of what stands before the node.
  let reach = 0;
  order.forEach((node, i) => {
    piece.push(node);
    if (reach <= i) {
      pieces.push(piece);
      piece = [];
    }
    reach = Math.max(reach, lastUses[i] as number);
  });
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}

/** A stretch, and what it takes from outside. */
interface Place {
  /** Equal for places of which only the leaves differ. */
  readonly key: string;
  readonly result: Expr;
  readonly leaves: ReadonlyArray<Expr>;
}

/** A function from the nodes of a stretch, the last of which is its result, to its place. */
function placesIn(m: IRModule): (nodes: ReadonlyArray<Expr>) => Place {
  const payloadKey = makePayloadKey();
  const numbers = new Map<unknown, number>();
  const numberOf = (value: unknown): number => remember(numbers, value, () => numbers.size);
  let others = 0;
  // Equal to nothing else.
  const other = (): string => `other ${others++}`;
  return (nodes) => {
    const own = new Map(nodes.map((node, i) => [node, i]));
    const leaves = new Map<Expr, number>();
    const partKey = (part: Expr): string => {
      const index = own.get(part);
      if (index !== undefined) return `${index}`;
      const value = part._tag === 'Constant' && isOpen(m, part) ? constantKey(part) : undefined;
      if (typeof value === 'string') return value;
      const type = typeOf(m, part);
      if (type === undefined) return other();
      const leaf = remember(leaves, part, () => leaves.size);
      return `${part._tag === 'Constant' ? 'constant' : 'leaf'} ${leaf} ${describeType(type)}`;
    };
    const nodeKey = (node: Expr): string => {
      const head = isOpen(m, node) ? headOf(node) : undefined;
      if (head === undefined) return other();
      const payload = numberOf(payloadKey(head.name, head.payload));
      return `${head.name} ${payload} ${partsOf(node).map(partKey).join(', ')}`;
    };
    const key = nodes.map(nodeKey).join('\n');
    return { key, result: nodes.at(-1) as Expr, leaves: [...leaves.keys()] };
  };
}

/** The kernel of a stretch, which no engine enters. */
function kernelOf({ result, leaves }: Place, index: number, m: IRModule): Func {
  const params = leaves.map((leaf, i) => {
    const param = variable(`p${i}`, typeOf(m, leaf));
    return leaf._tag === 'Constant' ? standingForConstant(param) : param;
  });
  const body = substitute(result, new Map(leaves.map((leaf, i) => [leaf, params[i] as Expr])));
  return func(params, body, { attrs: { Primitive: 1, Stretch: index } });
}
