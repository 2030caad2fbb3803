/**
 * Derivatives of calls of operators along lines through edges: zeros of both signs, ties, ones,
 * negative numbers. Difference quotients on both sides of the edge are the reference.
 */
import { expandGradients } from '@baton/autodiff';
import { isLeft, mulberry32, orThrow, type Random } from '@baton/base';
import { evaluate, type Value } from '@baton/executor';
import {
  call,
  constant,
  type Expr,
  func,
  globalVar,
  type IRModule,
  inferTypes,
  irModule,
  postOrderExprs,
  scalarType,
  substitute,
  type TensorType,
  type Type,
  tuple,
  tupleGetItem,
  typeOf,
  type Var,
  variable,
} from '@baton/ir';
import { callOp, hasFloats, isCallOf, standardOps } from '@baton/ops';
import { fromNumbers, scalar, shapeSize, type Tensor, toNumbers } from '@baton/tensor';
import { inputsFor, singleCall } from '@baton/testing';
import { amount } from '../tier.ts';

/** A call whose float arguments are parameters; integers and bools are as they were sampled. */
export interface EdgeCall {
  readonly module: IRModule;
  readonly params: ReadonlyArray<Var>;
  readonly sizes: ReadonlyArray<ReadonlyArray<number>>;
  readonly body: Expr;
}

/** A line through the arguments: the point, and a direction; a fixed argument has none. */
export interface Line {
  readonly points: ReadonlyArray<ReadonlyArray<number>>;
  readonly ways: ReadonlyArray<ReadonlyArray<number> | undefined>;
}

/** No operator has more to show in a larger call. */
const MOST_ELEMENTS = 64;

/** The first small call of an operator among samples; `undefined` if none has floats to differentiate. */
export function edgeCall(name: string, seed: number): EdgeCall | undefined {
  for (let k = 0; k < SAMPLES; k++) {
    const found = sampledCall(name, 1 + seed * SAMPLES + k);
    if (found !== undefined) return found;
  }
  return undefined;
}

const SAMPLES = 12;

function sampledCall(name: string, seed: number): EdgeCall | undefined {
  const m = singleCall(standardOps, name, seed);
  const main = m?.functions.get('main');
  if (m === undefined || main === undefined) return undefined;
  const found = postOrderExprs([main.body]).findLast((node) => isCallOf(node, name));
  if (found?._tag !== 'Call' || !hasFloats(typeOf(m, found))) return undefined;
  const given = new Map<Expr, Expr>();
  for (const [i, value] of inputsFor(main, seed).entries()) {
    const v = main.params[i];
    if (v !== undefined && value._tag === 'Tensor') given.set(v, constant(value));
  }
  const params: Var[] = [];
  const sizes: number[][] = [];
  const param = (type: Type | undefined): Expr | undefined => {
    const shape = staticSizes(type);
    if (shape === undefined || !hasFloats(type)) return undefined;
    params.push(variable(`x${params.length}`, type));
    sizes.push(shape);
    return params.at(-1);
  };
  const args = found.args.map((arg) => {
    const type = typeOf(m, arg);
    if (type?._tag !== 'TupleType') return param(type) ?? substitute(arg, given);
    const fields = type.fields.map(
      (field, i) => param(field) ?? substitute(tupleGetItem(arg, i), given),
    );
    return tuple(fields);
  });
  if (params.length === 0 || sizes.some((each) => shapeSize(each) > MOST_ELEMENTS))
    return undefined;
  const body = call(found.op, args, found);
  const module = orThrow(
    inferTypes(irModule({ functions: new Map([['main', func(params, body)]]), ops: standardOps })),
  );
  return { module, params, sizes, body: module.functions.get('main')?.body ?? body };
}

/** The sizes of a tensor of float64, or of any other that has them. */
function staticSizes(type: Type | undefined): number[] | undefined {
  if (type?._tag !== 'TensorType' || '_tag' in type.shape) return undefined;
  const sizes = type.shape.filter((dim) => typeof dim === 'number');
  return sizes.length === type.shape.length ? sizes : undefined;
}

/** Numbers of a mixture. */
const EDGES = [0, -0, 1, -1, 2, 0.5, 3];

/** Edge points, one kind after another: all equal, one or two zeros among others, and a mixture. */
export function lineAt(of: EdgeCall, seed: number): Line {
  const random = mulberry32(seed);
  const kind = seed % 9;
  const points = of.sizes.map((shape) => pointOf(shapeSize(shape), kind, random));
  const ways = of.sizes.map((shape) =>
    Array.from({ length: shapeSize(shape) }, () => (random() < 0.5 ? -1 : 1) * (0.25 + random())),
  );
  // At times one argument moves alone.
  const alone = Math.floor(random() * (2 * ways.length));
  return {
    points,
    ways: ways.map((way, i) => (alone < ways.length && alone !== i ? undefined : way)),
  };
}

function pointOf(count: number, kind: number, random: Random): number[] {
  const distinct = Array.from({ length: count }, (_, i) => 0.7 + 0.31 * ((i * 7) % 11) + 0.01 * i);
  const pick = (): number => Math.floor(random() * Math.max(count, 1));
  const zeroAt = new Set(kind === 3 ? [pick()] : [pick(), pick()]);
  switch (kind) {
    case 0:
      return distinct.map(() => 0);
    case 1:
      return distinct.map(() => 1);
    case 2:
      return distinct.map(() => -1);
    case 3:
    case 4:
      return distinct.map((x, i) => (zeroAt.has(i) ? 0 : x));
    case 5:
      return distinct.map((x, i) => (zeroAt.has(i) ? -0 : -x));
    case 6:
      return distinct.map((x) => x / 8);
    case 7:
      return distinct.map((x) => x + 2);
    default:
      return distinct.map(() => EDGES[Math.floor(random() * EDGES.length)] ?? 0);
  }
}

/** 0, for the value, to the highest derivative. */
const ORDERS = [0, 1, 2, 3].slice(0, amount(4, { quick: 3 }));
const NODES = 8;
const STEPS = [2 ** -7, 2 ** -8];

/** What the values say: for each element the derivatives, if it is smooth, and whether it is bounded. */
interface Truth {
  readonly smooth: ReadonlyArray<boolean>;
  readonly derivatives: ReadonlyArray<ReadonlyArray<number>>;
}

/** The derivatives from the values on both sides; `undefined` if some are not finite. */
function truth(of: EdgeCall, line: Line): Truth | undefined {
  const sides = [1, -1].flatMap((side) => STEPS.map((step) => oneSided(of, line, side * step)));
  const [first, ...rest] = sides;
  if (first === undefined || sides.some((side) => side === undefined)) return undefined;
  const agree = (a: number, b: number): boolean =>
    Math.abs(a - b) <= 1e-3 * Math.max(1, Math.abs(a), Math.abs(b));
  const rows = sides as ReadonlyArray<ReadonlyArray<ReadonlyArray<number>>>;
  const isBounded = (element: number): boolean =>
    [0, 2].every((side) =>
      ORDERS.every((k) =>
        agree(rows[side]?.[element]?.[k] as number, rows[side + 1]?.[element]?.[k] as number),
      ),
    );
  if (!first.every((_, element) => isBounded(element))) return undefined;
  const smooth = first.map((row, element) =>
    ORDERS.every((k) =>
      (rest as typeof rows).every((side) => agree(row[k] as number, side[element]?.[k] as number)),
    ),
  );
  return { smooth, derivatives: first };
}

/** The derivatives of each element by a polynomial through values on one side. */
function oneSided(of: EdgeCall, line: Line, step: number): number[][] | undefined {
  const values: number[][] = [];
  for (let i = 0; i < NODES; i++) {
    const found = evaluate(of.module, argumentsAt(of, line, i * step));
    if (isLeft(found)) return undefined;
    values.push(floatsOf(found.right).flatMap((t) => Array.from(toNumbers(t), Number)));
  }
  const count = values[0]?.length ?? 0;
  const made: number[][] = [];
  for (let element = 0; element < count; element++) {
    const row = values.map((at) => at[element] as number);
    if (!row.every(Number.isFinite)) return undefined;
    made.push(derivativesOf(row, step));
  }
  return made;
}

/** Newton's forward differences: the polynomial through the values, and its derivatives at the first. */
function derivativesOf(values: ReadonlyArray<number>, step: number): number[] {
  const differences: number[] = [];
  for (
    let row = [...values];
    row.length > 0;
    row = row.slice(1).map((v, i) => v - (row[i] as number))
  ) {
    differences.push(row[0] as number);
  }
  // The coefficients of s(s − 1)⋯(s − k + 1) / k!, term by term.
  const coefficients = new Array<number>(values.length).fill(0);
  let falling = [1];
  for (const [k, difference] of differences.entries()) {
    for (const [i, c] of falling.entries())
      coefficients[i] = (coefficients[i] as number) + c * difference;
    const next = new Array<number>(falling.length + 1).fill(0);
    for (const [i, c] of falling.entries()) {
      next[i + 1] = (next[i + 1] as number) + c / (k + 1);
      next[i] = (next[i] as number) - (c * k) / (k + 1);
    }
    falling = next;
  }
  const factorial = [1, 1, 2, 6];
  return ORDERS.map((k) => ((coefficients[k] ?? 0) * (factorial[k] as number)) / step ** k);
}

const argumentsAt = (of: EdgeCall, line: Line, t: number): ReadonlyArray<Value> =>
  of.sizes.map((shape, i) => {
    const way = line.ways[i];
    const numbers = (line.points[i] ?? []).map((x, k) =>
      way === undefined || t === 0 ? x : x + t * (way[k] ?? 0),
    );
    return fromNumbers(numbers, shape, 'float64');
  });

function floatsOf(value: Value): Tensor[] {
  if (value._tag === 'Tuple') return value.fields.flatMap(floatsOf);
  return value._tag === 'Tensor' && value.dtype === 'float64' ? [value] : [];
}

/** A derivative that is not what the values say. */
export interface Wrong {
  readonly order: number;
  readonly found: number;
  readonly wanted: number;
}

/** The derivatives of the smooth elements' weighted sum; `undefined` if the values say nothing. */
export function wrongDerivatives(
  of: EdgeCall,
  line: Line,
  seed: number,
): ReadonlyArray<Wrong> | undefined {
  const known = truth(of, line);
  if (known === undefined || !known.smooth.includes(true)) return undefined;
  const random = mulberry32(seed + 1);
  const weights = known.smooth.map((isSmooth) => {
    const weight = 0.5 + random();
    return isSmooth ? weight : 0;
  });
  const m = alongLine(of, line, weights);
  if (isLeft(m)) return undefined;
  const values = evaluate(m.right, [scalar(0, 'float64')]);
  if (isLeft(values)) throw new Error(`${values.left[0].code}: ${values.left[0].message}`);
  const wrong: Wrong[] = [];
  for (const [i, value] of floatsOf(values.right).entries()) {
    const found = Number(toNumbers(value)[0]);
    const wanted = weights.reduce(
      (sum, w, element) => sum + (w === 0 ? 0 : w * (known.derivatives[element]?.[i + 1] ?? 0)),
      0,
    );
    const isNear = Math.abs(found - wanted) <= 1e-2 * Math.max(1, Math.abs(wanted));
    if (!isNear) wrong.push({ order: i + 1, found, wanted });
  }
  return wrong.length > 0 && !isDifferentiable(of, line, random) ? undefined : wrong;
}

/** Whether the first derivatives along two directions add up to the one along their sum. */
function isDifferentiable(of: EdgeCall, line: Line, random: Random): boolean {
  const others = line.ways.map((way) => way?.map(() => 2 * random() - 1));
  const sums = line.ways.map((way, i) => way?.map((v, k) => v + (others[i]?.[k] ?? 0)));
  const [one, other, sum] = [line.ways, others, sums].map(
    (ways) => truth(of, { ...line, ways })?.derivatives,
  );
  if (one === undefined || other === undefined || sum === undefined) return false;
  return sum.every((row, element) => {
    const parts = [one, other].map((each) => each[element]?.[1] ?? Number.NaN);
    return Math.abs((row[1] ?? Number.NaN) - (parts[0] ?? 0) - (parts[1] ?? 0)) <= 1e-3;
  });
}

/** The module of the weighted sum along the line, `f0`, and of its derivatives `f1`, `f2`, `f3`; `main` gives these. */
function alongLine(of: EdgeCall, line: Line, weights: ReadonlyArray<number>) {
  const op = (name: string, ...args: Expr[]): Expr => callOp(standardOps, name, args);
  const t = variable('t', scalarType('float64'));
  const values = new Map<Expr, Expr>();
  for (const [i, v] of of.params.entries()) {
    const shape = of.sizes[i] ?? [];
    const point = constant(fromNumbers(line.points[i] ?? [], shape, 'float64'));
    const way = line.ways[i];
    const moved =
      way && op('add', point, op('multiply', t, constant(fromNumbers(way, shape, 'float64'))));
    values.set(v, moved ?? point);
  }
  const type = typeOf(of.module, of.body);
  const result = substitute(of.body, values);
  const fields: ReadonlyArray<readonly [Expr, Type]> =
    type?._tag === 'TupleType'
      ? type.fields.map((field, i) => [tupleGetItem(result, i), field] as const)
      : [[result, type as TensorType]];
  let from = 0;
  const terms = fields.flatMap(([part, each]) => {
    const sizes = staticSizes(each);
    if (sizes === undefined || !hasFloats(each)) return [];
    const own = weights.slice(from, from + shapeSize(sizes));
    from += own.length;
    return [op('sum', op('multiply', part, constant(fromNumbers(own, sizes, 'float64'))))];
  });
  const [first, ...rest] = terms;
  const body = rest.reduce((a, b) => op('add', a, b), first as Expr);
  const functions = new Map([['f0', func([t], body, { retType: scalarType('float64') })]]);
  for (const order of ORDERS.slice(1)) {
    const own = variable('t', scalarType('float64'));
    const gradient = op('gradient', globalVar(`f${order - 1}`));
    const slope = tupleGetItem(tupleGetItem(call(gradient, [own]), 1), 0);
    functions.set(`f${order}`, func([own], slope, { retType: scalarType('float64') }));
  }
  const at = variable('t', scalarType('float64'));
  functions.set(
    'main',
    func([at], tuple(ORDERS.slice(1).map((k) => call(globalVar(`f${k}`), [at])))),
  );
  return expandGradients(irModule({ functions, ops: standardOps }));
}
