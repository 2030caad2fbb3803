/** Calls that compute a part of what they did. */
import { remember } from '@baton/base';
import {
  type Attrs,
  call,
  constant,
  type Dim,
  type Expr,
  type IRModule,
  type Step,
  tuple,
} from '@baton/ir';
import { type Box, callOp, formColumn, isOpCall, type OpCall, type Range } from '@baton/ops';
import { fromNumbers, toNumbers } from '@baton/tensor';
import { constantOf } from '../facts.ts';
import { dimsIn, isCut, type Part, sizesOf, takesTuple, viewOf } from './parts.ts';

/** The step that makes calls compute their parts. */
export function narrowing(m: IRModule, parts: ReadonlyMap<Expr, Part>): Step {
  const cut = cutter(m);
  const computed = (expr: Expr): Box => parts.get(expr)?.box ?? [];
  return (node, get) => {
    const part = parts.get(node);
    if (part === undefined || !isOpCall(node)) return undefined;
    const isWhole = part.operands.every(([operand, box]) => box && !isCut(computed(operand)));
    if (isWhole && !isCut(part.box)) return undefined;
    const operands = part.operands.map(([operand, box]) => ({
      value: get(operand),
      has: computed(operand),
      dims: dimsIn(m, operand) ?? [],
      box,
    }));
    return remade({ m, node, box: part.box, operands, cut });
  };
}

interface Operand {
  readonly value: Expr;
  /** What of it is computed. */
  readonly has: Box;
  /** What of it is needed. */
  readonly box: Box | undefined;
  /** The sizes of all of it. */
  readonly dims: ReadonlyArray<Dim>;
}

/** Cuts the value of an operand to a box. */
type Cut = (operand: Operand, box: Box) => Expr;

interface Site {
  readonly m: IRModule;
  readonly node: OpCall;
  readonly box: Box;
  readonly operands: ReadonlyArray<Operand>;
  readonly cut: Cut;
}

/** Slices, of which equal ones are one node. */
function cutter(m: IRModule): Cut {
  const slices = new Map<Expr, Map<string, Expr>>();
  return ({ value, has, dims }, box) => {
    const axes = box.flatMap((range, axis) => (isSame(range, has[axis]) ? [] : [axis]));
    if (axes.length === 0) return value;
    const bounds = (side: keyof Range): ReadonlyArray<number> =>
      axes.map((axis) => (box[axis]?.[side] ?? 0) - (has[axis]?.begin ?? 0));
    const [begin, end] = [bounds('begin'), bounds('end')];
    const isOpen = axes.some((axis) => has[axis] === undefined && typeof dims[axis] !== 'number');
    // An axis of unknown size might end before the slice does; a length is a size in any case.
    const lengths = end.map((last, i) => last - (begin[i] ?? 0));
    const attrs = { begin, axes, ...(isOpen ? { end: lengths, slice_mode: 'size' } : { end }) };
    const known = remember(slices, value, () => new Map<string, Expr>());
    return remember(known, JSON.stringify(attrs), () =>
      callOp(m.ops, 'strided_slice', [value], attrs, value.span),
    );
  };
}

const isSame = (a: Range | undefined, b: Range | undefined): boolean =>
  a?.begin === b?.begin && a?.end === b?.end;

function remade(site: Site): Expr {
  const { m, node, operands, cut } = site;
  const tag = m.ops.read(formColumn, node.op.name)?._tag;
  if (tag === 'View') return viewed(site);
  if (tag === 'Gather' && constantOf(node.args[1]) !== undefined) return gathered(site);
  const values = operands.flatMap((operand) => (operand.box ? [cut(operand, operand.box)] : []));
  const [only, ...others] = values;
  // Of a concatenation, one tensor may be left.
  if (tag === 'Concat' && only !== undefined && others.length === 0) return only;
  return withArgs(node, takesTuple(node) ? [tuple(values, node.span)] : values);
}

const withArgs = ({ op, attrs, span }: OpCall, args: ReadonlyArray<Expr>): Expr =>
  call(op, args, { attrs, span });

/** A view by the operator of its move, whose attributes state the sizes of the part. */
function viewed(site: Site): Expr {
  const { m, node, box, operands, cut } = site;
  const { move, operand: at = 0 } = viewOf(m, node) ?? {};
  const operand = operands[at];
  if (operand?.box === undefined) return node;
  const made = (name: string, x: Expr, attrs: Attrs): Expr =>
    callOp(m.ops, name, [x], attrs, node.span);
  const x = (): Expr => cut(operand, operand.box ?? []);
  const sizes = sizesOf(dimsIn(m, node) ?? [], box);
  switch (move?._tag) {
    case undefined:
      return withArgs(
        node,
        operands.map((one) => (one === operand ? x() : one.value)),
      );
    case 'Transpose':
      return made('transpose', x(), { axes: move.axes });
    case 'Broadcast':
      return made('broadcast_to', x(), { shape: sizes.map(Number) });
    case 'Reshape':
      return made('reshape', x(), {
        newshape: sizes.map((dim) => (typeof dim === 'number' ? dim : -1)),
      });
    case 'Slice': {
      const { strides } = move;
      if (strides.every((stride) => stride === 1)) return x();
      const first = operand.has.map((range) => range?.begin ?? 0);
      const begin = operand.box.map((range, axis) => (range?.begin ?? 0) - (first[axis] ?? 0));
      const end = sizes.map(
        (size, axis) => (begin[axis] ?? 0) + (Number(size) - 1) * (strides[axis] ?? 1) + 1,
      );
      return made('strided_slice', operand.value, { begin, end, strides });
    }
  }
}

/** Slices at constant indices, which count from the begin of what is computed. */
function gathered({ m, node, operands: [data], cut }: Site): Expr {
  const [, indices] = node.args;
  const value = constantOf(indices);
  if (data?.box === undefined || value === undefined) return node;
  const rank = data.dims.length;
  const given = Number(node.attrs.axis);
  const axis = given < 0 ? given + rank : given;
  const own = data.box.map((range, at) => (at === axis ? data.has[axis] : range));
  const x = cut(data, own);
  const range = data.has[axis];
  if (range !== undefined && value.shape.length === 0 && range.end - range.begin === 1) {
    return callOp(m.ops, 'squeeze', [x], { axis: [axis] }, node.span);
  }
  const first = range?.begin ?? 0;
  if (first === 0) return withArgs(node, [x, ...node.args.slice(1)]);
  const moved = Array.from(toNumbers(value), (index) => index - first);
  return withArgs(node, [x, constant(fromNumbers(moved, value.shape, value.dtype), indices?.span)]);
}
