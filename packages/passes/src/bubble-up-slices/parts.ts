/** The parts of values that a function needs, from its result to its arguments. */
import { children, type Dim, type Expr, type Func, type IRModule, typeOf } from '@baton/ir';
import {
  type Box,
  type BoxSite,
  boxesOf,
  dimsOf,
  formOf,
  isOpCall,
  type OpCall,
  soleMove,
} from '@baton/ops';
import { constantOf } from '../facts.ts';

/** The part of a call that is computed, and what it needs of its operands. */
export interface Part {
  readonly box: Box;
  /** A field of a tuple is an operand; `undefined` if the part needs nothing of it. */
  readonly operands: ReadonlyArray<readonly [operand: Expr, box: Box | undefined]>;
  /** Whether it is a narrowed product. */
  readonly isProduct: boolean;
}

export const isCut = (box: Box): boolean => box.some((range) => range !== undefined);

/** The calls that can compute a part, each with that part. **Complexity** linear in the nodes. */
export function partsIn(f: Func, m: IRModule, order: ReadonlyArray<Expr>): ReadonlyMap<Expr, Part> {
  const needed = new Map<Expr, Box>();
  const need = (expr: Expr, box: Box): void => {
    const before = needed.get(expr);
    needed.set(expr, before === undefined ? box : hull(before, box));
  };
  const parts = new Map<Expr, Part>();
  need(f.body, WHOLE);
  for (const node of [...order].reverse()) {
    const asked = needed.get(node);
    // Nothing needs the fields that a narrowed concatenation drops.
    if (asked === undefined) continue;
    const part = isOpCall(node) ? partOf(m, node, asked) : undefined;
    if (part !== undefined) parts.set(node, part);
    for (const [operand, box] of part?.operands ??
      children(node).map((child) => [child, WHOLE] as const)) {
      if (box !== undefined) need(operand, box);
    }
  }
  return parts;
}

/** All of a value of any type. */
const WHOLE: Box = [];

/** The smallest box around two. */
const hull = (a: Box, b: Box): Box =>
  a.map((range, axis) => {
    const other = b[axis];
    return range && other
      ? { begin: Math.min(range.begin, other.begin), end: Math.max(range.end, other.end) }
      : undefined;
  });

/** The ranges of at most half of an axis; of an axis whose size is not known, single indices. */
const worthwhile = (box: Box, dims: ReadonlyArray<Dim>): Box =>
  dims.map((dim, axis) => {
    const range = box[axis];
    if (range === undefined) return undefined;
    const count = range.end - range.begin;
    return (typeof dim === 'number' ? 2 * count <= dim : count === 1) ? range : undefined;
  });

/** The box without ranges of all indices. */
const cutting = (box: Box | undefined, dims: ReadonlyArray<Dim> = []): Box | undefined =>
  box?.map((range, axis) => (range?.begin === 0 && range.end === dims[axis] ? undefined : range));

export const dimsIn = (m: IRModule, expr: Expr): ReadonlyArray<Dim> | undefined => {
  const type = typeOf(m, expr);
  return type && dimsOf(type);
};

/** What a call computes and takes if a box of its result is needed; `undefined` if it takes all. */
function partOf(m: IRModule, node: OpCall, asked: Box): Part | undefined {
  const site = siteOf(m, node);
  const dims = dimsIn(m, node);
  if (site === undefined || dims === undefined) return undefined;
  const operands = operandsOf(node);
  const found = boxesOf(m.ops, site, worthwhile(asked, dims));
  if (found?.operands.length !== operands.length) return undefined;
  const box = found.result;
  if (isCut(box) && !canRestate(m, node, box)) return undefined;
  return {
    box,
    operands: operands.map((operand, i) => [
      operand,
      cutting(found.operands[i], dimsIn(m, operand)),
    ]),
    isProduct: isCut(box) && formOf(m.ops, node.op.name, 'Contract') !== undefined,
  };
}

function siteOf(m: IRModule, node: OpCall): BoxSite | undefined {
  const types = node.args.map((arg) => typeOf(m, arg)).filter((type) => type !== undefined);
  const result = typeOf(m, node);
  if (result?._tag !== 'TensorType' || types.length < node.args.length) return undefined;
  const { name } = node.op;
  if (m.ops.get(name)?.effect === 'stateful') return undefined;
  return { name, attrs: node.attrs, types, result, constant: (at) => constantOf(node.args[at]) };
}

/** Whether the only argument of a call is a tuple that is written out. */
export const takesTuple = ({ args }: OpCall): boolean =>
  args.length === 1 && args[0]?._tag === 'Tuple';

/** The arguments of a call, or the fields of the only one. */
function operandsOf({ args }: OpCall): ReadonlyArray<Expr> {
  const [first, ...others] = args;
  return first?._tag === 'Tuple' && others.length === 0 ? first.fields : args;
}

/** The sizes of a box of a value. */
export const sizesOf = (dims: ReadonlyArray<Dim>, box: Box): ReadonlyArray<Dim> =>
  dims.map((dim, axis) => {
    const range = box[axis];
    return range ? range.end - range.begin : dim;
  });

/** The view that a call is, if it is a single move. */
export function viewOf(m: IRModule, node: OpCall): ReturnType<typeof soleMove> {
  const operands = operandsOf(node).map((operand) => dimsIn(m, operand) ?? []);
  const dims = dimsIn(m, node) ?? [];
  return soleMove(formOf(m.ops, node.op.name, 'View'), { attrs: node.attrs, operands, dims });
}

/** Whether an attribute can tell the sizes of a part, if the operator states them. */
function canRestate(m: IRModule, node: OpCall, box: Box): boolean {
  const move = viewOf(m, node)?.move;
  const open = sizesOf(dimsIn(m, node) ?? [], box).filter((dim) => typeof dim !== 'number');
  if (move?._tag === 'Broadcast') return open.length === 0;
  return move?._tag !== 'Reshape' || open.length <= 1;
}
