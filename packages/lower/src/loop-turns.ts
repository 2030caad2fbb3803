/**
 * The turns of a loop, counted before it runs: what it carries from constants by calls of constants,
 * such as its counter, is computed one turn at a time.
 */
import { isRight } from '@baton/base';
import { type Call, type Expr, type IRModule, noAttrs, type Var } from '@baton/ir';
import { type OpValue, type PreparedCall, prepareTyped, runCall, typeOfValue } from '@baton/ops';
import {
  dense,
  isTensor,
  readNumber,
  type Shape,
  sameShape,
  shapeSize,
  storageOf,
  type Tensor,
  tensor,
} from '@baton/tensor';
import { type LoopShape, nodesOfTurn } from './loop-shape.ts';

/** What is known of the turns of a loop. */
export interface LoopTurns {
  readonly count: number;
  /**
   * For each parameter that is known in each turn: its values, one after another along a first axis,
   * and its value at the end.
   */
  readonly known: ReadonlyArray<KnownParameter | undefined>;
}

/** A parameter that is known in each turn. */
export interface KnownParameter {
  readonly turns: Tensor;
  readonly end: Tensor;
}

/** Loops of more turns, and with counters of more elements, are left to the interpreter. */
const MOST_TURNS = 2 ** 16;
const MOST_ELEMENTS = 16;

/**
 * The turns of a loop for its first arguments; `undefined` if they depend on what is not known.
 * `outer` gives the constants from around the loop.
 *
 * **Complexity** the turns times the calls that the counter and the condition need.
 */
export function loopTurns(
  shape: LoopShape,
  start: ReadonlyArray<Tensor | undefined>,
  outer: (node: Expr) => Tensor | undefined,
  m: IRModule,
): LoopTurns | undefined {
  const candidates = knownParameters(shape, start, outer, m);
  if (!knowledge(shape, candidates, outer, m)(shape.condition)) return undefined;
  const needed = neededNodes(shape, candidates);
  const named = valueNamed(shape);
  const calls = new Map<Call, PreparedCall>();
  const rows = shape.params.map((): Tensor[] => []);
  let now = start.map((tensor, i) => (candidates.has(i) ? tensor : undefined));
  for (let count = 0; count <= MOST_TURNS; count++) {
    const values = new Map<Expr, OpValue>();
    const valueAt = (node: Expr): OpValue | undefined => {
      const own = named(node);
      return values.get(own) ?? outer(own);
    };
    now.forEach((tensor, i) => {
      if (tensor !== undefined) values.set(shape.params[i] as Var, tensor);
    });
    for (const node of needed) {
      const value = outer(node) ?? resultOf(node, node.args.map(valueAt), calls, m);
      if (value === undefined) return undefined;
      values.set(node, value);
    }
    const flag = valueAt(shape.condition);
    if (flag === undefined || !isTensor(flag) || shapeSize(flag.shape) !== 1) return undefined;
    if ((readNumber(flag, 0) !== 0) !== shape.goesOn) return { count, known: knownOf(rows, now) };
    const next = now.map((tensor, i) => {
      if (tensor === undefined) return undefined;
      rows[i]?.push(tensor);
      return valueAt(shape.again.args[i] as Expr);
    });
    if (!next.every((value, i) => isAlike(value, now[i]))) return undefined;
    now = next as ReadonlyArray<Tensor | undefined> as typeof now;
  }
  return undefined;
}

const isAlike = (value: OpValue | undefined, before: Tensor | undefined): boolean =>
  before === undefined ||
  (value !== undefined &&
    isTensor(value) &&
    value.dtype === before.dtype &&
    sameShape(value.shape, before.shape));

const knownOf = (
  rows: ReadonlyArray<ReadonlyArray<Tensor>>,
  end: ReadonlyArray<Tensor | undefined>,
): LoopTurns['known'] =>
  end.map((last, i) => last && { turns: stackedTurns(rows[i] ?? [], last), end: last });

/** Tensors of one type, one after another along a first axis. */
export function stackedTurns(
  rows: ReadonlyArray<Tensor>,
  { dtype, shape }: { readonly dtype: Tensor['dtype']; readonly shape: Shape },
): Tensor {
  const size = shapeSize(shape);
  const data = new (storageOf(dtype))(rows.length * size);
  // Both are storage of one type.
  for (const [i, row] of rows.entries()) {
    (data as Float64Array).set(dense(row).data as Float64Array, i * size);
  }
  return tensor(data, [rows.length, ...shape], dtype);
}

/** The value that a variable of a let names; any other node as it is. */
const valueNamed = ({ lets, inner }: LoopShape): ((node: Expr) => Expr) => {
  const values = new Map(
    [...lets, ...inner].map(({ variable, value }) => [variable as Expr, value]),
  );
  return (node) => {
    let at = node;
    for (let value = values.get(at); value !== undefined; value = values.get(at)) at = value;
    return at;
  };
};

/** Whether the value of a node follows from constants and the known parameters. */
function knowledge(
  shape: LoopShape,
  candidates: ReadonlySet<number>,
  outer: (node: Expr) => Tensor | undefined,
  { ops }: IRModule,
): (node: Expr) => boolean {
  const named = valueNamed(shape);
  const known = new Map<Expr, boolean>();
  const ask = (node: Expr): boolean => {
    const own = named(node);
    return known.get(own) ?? outer(own) !== undefined;
  };
  for (const [i, param] of shape.params.entries()) known.set(param, candidates.has(i));
  for (const node of nodesOfTurn(shape)) {
    if (known.has(node) || node._tag !== 'Call') continue;
    const isTotal = node.op._tag === 'Op' && ops.get(node.op.name)?.effect === 'total';
    known.set(node, outer(node) !== undefined || (isTotal && node.args.every(ask)));
  }
  return ask;
}

/** The parameters that begin as a constant and go on as one. */
function knownParameters(
  shape: LoopShape,
  start: ReadonlyArray<Tensor | undefined>,
  outer: (node: Expr) => Tensor | undefined,
  m: IRModule,
): ReadonlySet<number> {
  const isSmall = (t: Tensor | undefined): boolean =>
    t !== undefined && shapeSize(t.shape) <= MOST_ELEMENTS;
  let candidates = new Set(start.flatMap((t, i) => (isSmall(t) ? [i] : [])));
  for (;;) {
    const isKnown = knowledge(shape, candidates, outer, m);
    const kept = [...candidates].filter((i) => isKnown(shape.again.args[i] as Expr));
    if (kept.length === candidates.size) return candidates;
    candidates = new Set(kept);
  }
}

/** The calls that the condition and the next values of the candidates are made of, operands first. */
function neededNodes(shape: LoopShape, candidates: ReadonlySet<number>): ReadonlyArray<Call> {
  const named = valueNamed(shape);
  const wanted = new Set<Expr>([named(shape.condition)]);
  for (const i of candidates) wanted.add(named(shape.again.args[i] as Expr));
  const found: Call[] = [];
  for (const node of [...nodesOfTurn(shape)].reverse()) {
    if (node._tag !== 'Call' || !wanted.has(node)) continue;
    found.push(node);
    for (const arg of node.args) wanted.add(named(arg));
  }
  return found.reverse();
}

/** The value of a call of known values. */
function resultOf(
  node: Call,
  args: ReadonlyArray<OpValue | undefined>,
  calls: Map<Call, PreparedCall>,
  { ops }: IRModule,
): OpValue | undefined {
  if (!args.every((arg) => arg !== undefined)) return undefined;
  const operands = args as ReadonlyArray<OpValue>;
  const call = calls.get(node) ?? preparedFor(node, operands, ops);
  if (call === undefined) return undefined;
  if (call.isForAll) calls.set(node, call);
  const result = runCall(call, operands, MOST_BYTES);
  return isRight(result) ? result.right : undefined;
}

/** **Units** bytes. */
const MOST_BYTES = 2 ** 12;

function preparedFor(
  { op, attrs = noAttrs, span }: Call,
  operands: ReadonlyArray<OpValue>,
  ops: IRModule['ops'],
): PreparedCall | undefined {
  const info = op._tag === 'Op' ? ops.get(op.name) : undefined;
  if (info === undefined) return undefined;
  const types = operands.map(typeOfValue);
  const constant = (index: number): Tensor | undefined => {
    const value = operands[index];
    return value !== undefined && isTensor(value) ? value : undefined;
  };
  const call = prepareTyped(ops, { op: info, attrs, types, constant, span });
  return isRight(call) ? call.right : undefined;
}
