/** Parallel calls as one, with their results concatenated along an axis. */
import {
  type Attrs,
  attrsEqual,
  type Dim,
  dimsEqual,
  type Expr,
  type IRModule,
  multiplyDims,
  tuple,
  typeOf,
} from '@baton/ir';
import { callOp, dimsOf, dtypeOf, formOf, type OpCall, operandOf, reshapingOf } from '@baton/ops';
import { type Combination, type Joined, spanOf, staticDim } from './joined.ts';

interface SideBySide {
  /** The attributes of the calls that are combined; others stay. Default: any. */
  readonly only?: Attrs;
  /** Whether an argument that is constant along the axis is repeated, or ends the branch. */
  readonly repeats: boolean;
}

/** Concatenated second arguments, as `joining` of their form says. */
export const sideBySide = ({ only = {}, repeats }: SideBySide): Combination => ({
  isHead: (m, call) =>
    Object.entries(only).every(([name, value]) => call.attrs[name] === value) &&
    widthOf(m, call) !== undefined,
  areAlike: (m, a, b) =>
    attrsEqual(comparedAttrs(m, a), comparedAttrs(m, b)) && haveLikeWeights(m, a, b),
  heads: (m, calls) => {
    const [first] = calls;
    const axis = first && joinedAxisOf(m, first);
    if (first === undefined || axis === undefined) return undefined;
    const size = formOf(m.ops, first.op.name, 'Contract')?.joining?.size;
    const total = calls.reduce((sum, call) => sum + (widthOf(m, call) ?? 0), 0);
    const attrs = size === undefined ? first.attrs : { ...first.attrs, [size]: total };
    const weight = concatenated(
      m,
      calls.map((call) => operandOf(call, 1)),
      axis,
    );
    return joined(m, calls, [operandOf(first, 0), weight], attrs);
  },
  followers: (m, calls, before) => {
    const [first] = calls;
    if (first === undefined) return undefined;
    const args = first.args.map((arg, at) =>
      arg === before.members[0] ? before.whole : joinedArgument(m, calls, at, before, repeats),
    );
    const known = args.filter((arg) => arg !== undefined);
    if (known.length < args.length) return undefined;
    const made = joined(m, calls, known, first.attrs);
    return made !== undefined && keepsPlaces(m, before, made) ? made : undefined;
  },
  parts: (m, { members, whole, axis }) => {
    const span = spanOf(members);
    let start = 0;
    return members.map((member) => {
      const size = staticDim(m, member, axis) ?? 0;
      const all = new Array<number>(axis).fill(0);
      const attrs = {
        begin: [...all, start],
        end: [...all.map(() => -1), size],
        strides: [...all, 0].map(() => 1),
        slice_mode: 'size',
      };
      start += size;
      return callOp(m.ops, 'strided_slice', [whole], attrs, member.span ?? span);
    });
  },
});

/** The axis of the second argument along which calls join. */
function joinedAxisOf(m: IRModule, { op, attrs, args }: OpCall): number | undefined {
  const rank = dimsOf(typeOf(m, args[1] as Expr))?.length;
  return rank === undefined
    ? undefined
    : formOf(m.ops, op.name, 'Contract')?.joining?.axis(attrs, rank);
}

/** The size of the second argument along that axis. */
function widthOf(m: IRModule, call: OpCall): number | undefined {
  const axis = joinedAxisOf(m, call);
  return axis === undefined ? undefined : staticDim(m, operandOf(call, 1), axis);
}

/** The attributes without those that the second argument's type decides. */
function comparedAttrs(m: IRModule, { op, attrs }: OpCall): Attrs {
  const { size, restated = [] } = formOf(m.ops, op.name, 'Contract')?.joining ?? {
    axis: () => undefined,
  };
  return Object.fromEntries(
    Object.entries(attrs).filter(([name]) => name !== size && !restated.includes(name)),
  );
}

/** Whether second arguments differ along the joined axis at most. */
function haveLikeWeights(m: IRModule, a: OpCall, b: OpCall): boolean {
  const [axis, one, two] = [joinedAxisOf(m, a), ...[a, b].map((c) => typeOf(m, operandOf(c, 1)))];
  const [left, right] = [dimsOf(one), dimsOf(two)];
  return (
    dtypeOf(one) === dtypeOf(two) &&
    left?.length === right?.length &&
    left?.every((dim, at) => at === axis || dimsEqual(dim, right?.[at] as Dim)) === true
  );
}

/** Whether the calls compute each element of the result from the same index along the axis. */
function keepsPlaces(m: IRModule, before: Joined, after: Joined): boolean {
  const [from, to] = [before.members[0], after.members[0]];
  if (from === undefined || to === undefined) return false;
  if (formOf(m.ops, to.op.name, 'Map') !== undefined) return true;
  const isReshape = reshapingOf(m.ops, to.op.name) !== undefined;
  return isReshape && dimsEqual(sizeBefore(m, from, before.axis), sizeBefore(m, to, after.axis));
}

/** The product of the dimensions in front of an axis. */
const sizeBefore = (m: IRModule, node: Expr, axis: number): Dim =>
  (dimsOf(typeOf(m, node)) ?? []).slice(0, axis).reduce(multiplyDims, 1);

/** One argument of the followers as one tensor. */
function joinedArgument(
  m: IRModule,
  calls: ReadonlyArray<OpCall>,
  at: number,
  { members, axis }: Joined,
  repeats: boolean,
): Expr | undefined {
  const rank = dimsOf(typeOf(m, members[0] as Expr))?.length ?? 0;
  const [first] = calls;
  const along = first && formOf(m.ops, first.op.name, 'Map')?.vectorAlong?.(first.attrs);
  if (along !== undefined && (along < 0 ? along + rank : along) !== axis) return undefined;
  // A vector along an axis has its place there; other arguments align with the last axes.
  const fromEnd = along === undefined ? rank - axis : 1;
  const args = calls.map((call) => operandOf(call, at));
  const whole = args.map((arg, i) => {
    const width = staticDim(m, members[i] as Expr, axis) ?? 0;
    return ofWidth(m, arg, fromEnd, width, repeats);
  });
  const known = whole.filter((arg) => arg !== undefined);
  const ranks = new Set(args.map((arg) => dimsOf(typeOf(m, arg))?.length));
  if (known.length < whole.length || ranks.size > 1) return undefined;
  const size = dimsOf(typeOf(m, known[0] as Expr))?.length ?? 0;
  return concatenated(m, known, size - fromEnd);
}

/** The argument with this size along an axis counted from the end; repeated if it is constant there. */
function ofWidth(
  m: IRModule,
  arg: Expr,
  fromEnd: number,
  width: number,
  repeats: boolean,
): Expr | undefined {
  const dims = dimsOf(typeOf(m, arg));
  if (dims === undefined || (dims.length > 0 && dims.length < fromEnd)) return undefined;
  const at = dims.length - fromEnd;
  if (dims[at] === width) return arg;
  if (!repeats || (dims.length > 0 && dims[at] !== 1)) return undefined;
  const { span } = arg;
  const isScalar = dims.length === 0;
  const wide = isScalar
    ? callOp(m.ops, 'expand_dims', [arg], { axis: 0, num_newaxis: fromEnd }, span)
    : arg;
  const axis = isScalar ? 0 : at;
  return width === 1 ? wide : callOp(m.ops, 'repeat', [wide], { repeats: width, axis }, span);
}

const concatenated = (m: IRModule, parts: ReadonlyArray<Expr>, axis: number): Expr =>
  callOp(m.ops, 'concatenate', [tuple(parts)], { axis }, spanOf(parts));

/** The calls as one, if it has the type of their results side by side. */
function joined(
  m: IRModule,
  members: ReadonlyArray<OpCall>,
  args: ReadonlyArray<Expr>,
  attrs: Attrs,
): Joined | undefined {
  const [first] = members;
  if (first === undefined) return undefined;
  const whole = callOp(m.ops, first.op.name, args, attrs, spanOf(members));
  const axis = axisBeside(m, whole, members);
  return axis === undefined ? undefined : { members, whole, axis };
}

/** The only axis along which the combined type differs from its members, with their sum. */
function axisBeside(m: IRModule, whole: Expr, members: ReadonlyArray<Expr>): number | undefined {
  const type = typeOf(m, whole);
  const dims = dimsOf(type);
  const types = members.map((member) => typeOf(m, member));
  if (dims === undefined || types.some((t) => dtypeOf(t) !== dtypeOf(type))) return undefined;
  const shapes = types.map((t) => dimsOf(t) ?? []);
  const isShared = (dim: Dim, at: number): boolean =>
    shapes.every((shape) => shape.length === dims.length && dimsEqual(shape[at] as Dim, dim));
  const differing = dims.flatMap((dim, at) => (isShared(dim, at) ? [] : [at]));
  const [axis] = differing;
  if (axis === undefined || differing.length > 1) return undefined;
  const sizes = members.map((member) => staticDim(m, member, axis) ?? Number.NaN);
  return sizes.reduce((sum, size) => sum + size, 0) === dims[axis] ? axis : undefined;
}
