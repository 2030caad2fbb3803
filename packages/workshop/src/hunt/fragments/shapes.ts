/** Shape arithmetic: sizes that are read, computed with, and used again. */
import { isFloat, tensor } from '@baton/tensor';
import { type Builder, computed, dimAt, known, like, sizeOf, type Val } from '../builder.ts';
import {
  binary,
  cast,
  compare,
  concat,
  reshape,
  shapeOf,
  sizeAt,
  slice,
  split,
  squeeze,
  transpose,
  unsqueeze,
  withScalar,
} from '../calls.ts';
import { type Fragment, fragment } from './fragment.ts';

const INT64 = { dtype: 'int64', most: 100 } as const;

/** Sizes as PyTorch's exporter concatenates them: each unsqueezed, constants between. */
function sizesList(b: Builder, parts: ReadonlyArray<Val | number>): Val {
  const lists = parts.map((part) =>
    typeof part === 'number' ? b.ints(part) : part.dims.length === 1 ? part : unsqueeze(b, part, 0),
  );
  return concat(b, lists, 0);
}

const size = (b: Builder, x: Val, axis: number): Val => sizeAt(b, x, axis, b.draw.chance(0.4));

/** `x.view(x.size(0), -1)`, and the like. */
const flattenBySize = fragment('flatten by size', 3, (b, x) => {
  if (x.dims.length < 2) return undefined;
  const [first, ...rest] = x.dims;
  if (first === undefined) return undefined;
  const all = computed((...sizes) => sizes.reduce((a, c) => a * c, 1), ...rest);
  const target = sizesList(b, [size(b, x, 0), -1]);
  return b.node('Reshape', [x, target], { ...like(x), dims: [first, all] });
});

/** Heads split off the last axis: `x.view(b, t, heads, d)`, and back. */
const splitLast = fragment('split last axis', 3, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (last === undefined || last % 2 !== 0 || x.dims.length < 2 || x.dims.length > 3)
    return undefined;
  const heads = b.draw.pick([2, last / 2, ...(last % 4 === 0 ? [4] : [])]);
  const own = x.dims.slice(0, -1);
  const target = sizesList(b, [...own.map((_, axis) => size(b, x, axis)), heads, last / heads]);
  const parts = b.node('Reshape', [x, target], {
    ...like(x),
    dims: [...own, known(heads), known(last / heads)],
  });
  if (b.draw.chance(0.5)) return parts;
  const rank = parts.dims.length;
  const swapped = transpose(b, parts, [...own.keys(), rank - 1, rank - 2]);
  const merged = sizesList(b, [...own.map((_, axis) => size(b, swapped, axis)), last]);
  return b.node('Reshape', [swapped, merged], { ...like(x), dims: [...own, known(last)] });
});

/** torch's `squeeze(axis)`: an If on the size of the axis. */
const squeezingIf = fragment('squeezing If', 2, (b, x) => {
  const axis = x.dims.findIndex((dim) => sizeOf(dim) === 1);
  if (axis < 0 || b.opset < 11) return undefined;
  const isOne = compare(b, 'Equal', sizeAt(b, x, axis, false), b.scalar(1, 'int64'));
  const thenBranch = b.inner([], () => [squeeze(b, x, axis)]);
  const elseBranch = b.inner([], () => [b.node('Identity', [x], like(x))]);
  const dims = x.dims.filter((_, i) => i !== axis);
  return b.node(
    'If',
    [isOne],
    { ...like(x), dims },
    {
      then_branch: { graph: thenBranch },
      else_branch: { graph: elseBranch },
    },
  );
});

/** Ones expanded to the shape of a value, and used. */
const filledLike = fragment('ConstantOfShape of Shape', 2, (b, x) => {
  if (!isFloat(x.dtype)) return undefined;
  const value = tensor([b.draw.pick([0, 1, 0.5])], [1], x.dtype);
  const filled = b.node('ConstantOfShape', [shapeOf(b, x)], like(x, 1), {
    value: { tensor: value },
  });
  return binary(b, b.draw.pick(['Add', 'Mul', 'Sub']), x, filled);
});

/** A row expanded to the sizes of a value. */
const expandTo = fragment('Expand to Shape', 2, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (last === undefined || x.dims.length < 2 || !isFloat(x.dtype)) return undefined;
  const row = b.weight(x.dtype, [1, last]);
  const wide = b.node('Expand', [row, shapeOf(b, x)], { ...like(x, row.most) });
  return b.draw.chance(0.5) ? binary(b, 'Add', wide, x) : concat(b, [wide, x], 0);
});

/** Half of an axis, by its size divided by two. */
const halfBySize = fragment('Slice by half of a size', 3, (b, x) => {
  if (b.opset < 10 || x.dims.length === 0) return undefined;
  const axis = b.draw.int(0, x.dims.length - 1);
  const dim = dimAt(x, axis);
  if (Math.min(...dim.sizes) < 2) return undefined;
  const half = binary(b, 'Div', sizeAt(b, x, axis, true), b.ints(2));
  const low = computed((n) => Math.floor(n / 2), dim);
  const high = computed((n) => n - Math.floor(n / 2), dim);
  const first = slice(b, x, axis, [0, half], low);
  const second = slice(b, x, axis, [half, 2 ** 53 - 1], high);
  if (dim.sizes.some((n) => n % 2 !== 0)) return [first, second];
  return isFloat(x.dtype) && b.draw.chance(0.5)
    ? binary(b, 'Sub', first, second)
    : concat(b, [second, first], axis);
});

/** Positions: Range up to a size, read from a table. */
const positions = fragment('Range and a table', 2, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  const at = x.dims.length - 2;
  if (at < 0 || last === undefined || !isFloat(x.dtype) || b.opset < 11) return undefined;
  const dim = dimAt(x, at);
  const range = b.node(
    'Range',
    [b.scalar(0, 'int64'), sizeAt(b, x, at, false), b.scalar(1, 'int64')],
    {
      ...INT64,
      dims: [dim],
    },
  );
  const table = b.weight(x.dtype, [Math.max(...dim.sizes) + 2, last]);
  const rows = b.node(
    'Gather',
    [table, range],
    { ...like(x, table.most), dims: [dim, known(last)] },
    { axis: 0 },
  );
  return binary(b, 'Add', x, rows);
});

/** The last or the first row of an axis, by a scalar index. */
const oneRow = fragment('Gather of one row', 2, (b, x) => {
  if (x.dims.length < 2) return undefined;
  const axis = b.draw.int(0, x.dims.length - 1);
  const dims = x.dims.filter((_, i) => i !== axis);
  return b.node(
    'Gather',
    [x, b.scalar(b.draw.pick([0, -1]), 'int64')],
    { ...like(x), dims },
    { axis },
  );
});

/** A slice with constant bounds: from the end, past the end, with a step, reversed. */
const constantSlice = fragment('Slice', 3, (b, x) => {
  if (x.dims.length === 0) return undefined;
  const axis = b.draw.int(0, x.dims.length - 1);
  const dim = dimAt(x, axis);
  if (Math.min(...dim.sizes) < 3) return undefined;
  const steps = b.opset < 10 ? ([1] as const) : ([1, 2, -1] as const);
  const step = b.draw.pick(steps);
  const far = 2 ** 31 - 1;
  if (step === -1) return slice(b, x, axis, [-1, -far, -1], dim);
  const start = b.draw.pick([0, 1, -2]);
  const end = b.draw.pick([far, -1]);
  if (start === -2 && end === -1) return undefined;
  const count = (n: number): number =>
    Math.ceil(((end === far ? n : n - 1) - (start < 0 ? n + start : start)) / step);
  const sliced = computed(count, dim);
  return slice(b, x, b.draw.chance(0.5) ? axis : axis - x.dims.length, [start, end, step], sliced);
});

/** Parts of the last axis; one may have no name. */
const parts = fragment('Split', 3, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (last === undefined || last < 3) return undefined;
  const first = b.draw.int(1, last - 2);
  const second = b.draw.int(1, last - first - 1);
  const unused = b.draw.chance(0.4) ? b.draw.int(0, 2) : -1;
  const isUsed = (part: number): boolean => part !== unused;
  return split(b, x, -1, [first, second, last - first - second], isUsed).filter(
    (part) => part !== undefined,
  );
});

const permuted = fragment('Transpose', 3, (b, x) => {
  if (x.dims.length < 2) return undefined;
  const perm = [...x.dims.keys()];
  for (let i = perm.length - 1; i > 0; i--) {
    const j = b.draw.int(0, i);
    [perm[i], perm[j]] = [perm[j] ?? 0, perm[i] ?? 0];
  }
  return transpose(b, x, perm);
});

/** A concatenation of a value with itself, or with a value computed from it. */
const joined = fragment('Concat of kin', 3, (b, x) => {
  if (x.dims.length === 0 || !isFloat(x.dtype)) return undefined;
  const other = b.draw.chance(0.5) ? x : b.node('Relu', [x], like(x));
  const axis = b.draw.int(0, x.dims.length - 1);
  const whole = concat(b, b.draw.chance(0.5) ? [other, x] : [x, other, x], axis);
  const dim = dimAt(whole, axis);
  if (dim.isOpen || dimAt(x, axis).sizes[0] !== 1) return whole;
  return binary(b, 'Mul', whole, other);
});

/** A new axis, which may be squeezed again. */
const axisAdded = fragment('Unsqueeze', 2, (b, x) => {
  if (x.dims.length > 4) return undefined;
  const axis = b.draw.int(0, x.dims.length);
  const wide = unsqueeze(b, x, axis);
  return b.draw.chance(0.3) ? squeeze(b, wide, axis) : wide;
});

const zeroAndRest = fragment('Reshape with 0', 2, (b, x) => {
  if (x.dims.length < 2) return undefined;
  const [first, ...rest] = x.dims;
  if (first === undefined) return undefined;
  return reshape(
    b,
    x,
    [0, -1],
    [first, computed((...sizes) => sizes.reduce((a, c) => a * c, 1), ...rest)],
  );
});

/** A size as a number that scales values: `x / x.size(1)`. */
const sizeAsNumber = fragment('a size in arithmetic', 2, (b, x) => {
  if (x.dims.length === 0 || !isFloat(x.dtype)) return undefined;
  const count = cast(
    b,
    sizeAt(b, x, b.draw.int(0, x.dims.length - 1), b.draw.chance(0.5)),
    x.dtype,
  );
  const root = b.draw.chance(0.5) ? b.node('Sqrt', [count], like(count)) : count;
  return { ...binary(b, 'Div', x, root), most: x.most };
});

const tiled = fragment('Tile', 1, (b, x) => {
  if (x.dims.length === 0 || x.dims.length > 3) return undefined;
  const axis = b.draw.int(0, x.dims.length - 1);
  const repeats = x.dims.map((_, i) => (i === axis ? 2 : 1));
  const dims = x.dims.map((dim, i) => (i === axis ? computed((n) => 2 * n, dim) : dim));
  return b.node('Tile', [x, b.ints(...repeats)], { ...like(x), dims });
});

const padded = fragment('Pad', 2, (b, x) => {
  if (x.dims.length < 2 || !isFloat(x.dtype)) return undefined;
  const rank = x.dims.length;
  const [before, after] = [b.draw.int(0, 2), b.draw.int(0, 2)];
  const pads = Array.from({ length: 2 * rank }, (_, i) =>
    i === rank - 1 ? before : i === 2 * rank - 1 ? after : 0,
  );
  const isEdge = b.draw.chance(0.3);
  const mode = isEdge ? 'edge' : 'constant';
  const dims = x.dims.map((dim, i) =>
    i === rank - 1 ? computed((n) => n + before + after, dim) : dim,
  );
  if (b.opset < 11) return b.node('Pad', [x], { ...like(x), dims }, { mode, pads });
  const value = isEdge || b.draw.chance(0.5) ? undefined : b.scalar(0.5, x.dtype);
  return b.node('Pad', [x, b.ints(...pads), value], { ...like(x), dims }, { mode });
});

/** The number of elements of a value as an output: an integer that only shapes decide. */
const counted = fragment('arithmetic on sizes alone', 1, (b, x) => {
  if (x.dims.length < 2) return undefined;
  const sum = binary(
    b,
    b.draw.pick(['Add', 'Mul', 'Sub']),
    sizeAt(b, x, 0, false),
    sizeAt(b, x, 1, false),
  );
  return withScalar(b, b.draw.pick(['Add', 'Mul']), sum, 3);
});

export const shapeFragments: ReadonlyArray<Fragment> = [
  flattenBySize,
  splitLast,
  squeezingIf,
  filledLike,
  expandTo,
  halfBySize,
  positions,
  oneRow,
  constantSlice,
  parts,
  permuted,
  joined,
  axisAdded,
  zeroAndRest,
  sizeAsNumber,
  tiled,
  padded,
  counted,
];
