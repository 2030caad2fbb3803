/**
 * The part of its operands that a part of a result is computed from, as Halide's bounds inference has it.
 * It follows from the form.
 */
import { type Attrs, type Dim, dimsEqual, multiplyDims, type OpTable, type Type } from '@baton/ir';
import { type Tensor, toNumbers } from '@baton/tensor';
import type { Move } from '../moves.ts';
import { dimsOf } from '../scale-axis/shape.ts';
import { fromFront } from './call-form.ts';
import { type ContractForm, type Form, formColumn, type ViewForm } from './form.ts';

/** The indices from `begin` up to `end`. */
export interface Range {
  readonly begin: number;
  readonly end: number;
}

/** The indices along each axis; `undefined` for all of them. */
export type Box = ReadonlyArray<Range | undefined>;

export interface BoxSite {
  readonly name: string;
  readonly attrs: Attrs;
  readonly types: ReadonlyArray<Type>;
  readonly result: Type;
  /** The value of an argument, if it is a constant. */
  readonly constant: (index: number) => Tensor | undefined;
}

export interface Boxes {
  /** The smallest box around the one asked for that the operator computes by itself. */
  readonly result: Box;
  /** Of each operand, the fields of a tuple being operands; `undefined` if it is not needed. */
  readonly operands: ReadonlyArray<Box | undefined>;
}

type Dims = ReadonlyArray<Dim>;

/** Which axis of the result each axis of an operand follows; it is needed whole if there is none. */
type Followed = ReadonlyArray<number | undefined>;

const whole = (dims: Dims): Box => dims.map(() => undefined);

/**
 * The boxes of the operands of a call; `undefined` if its form says nothing about parts, if a size is 0,
 * or if a tensor has no known rank.
 */
export function boxesOf(ops: OpTable, site: BoxSite, asked: Box): Boxes | undefined {
  const form = ops.read(formColumn, site.name);
  const tensors = site.types.flatMap((type) => (type._tag === 'TupleType' ? type.fields : [type]));
  const operands = tensors.map(dimsOf);
  const result = dimsOf(site.result);
  const isKnown = operands.every((one) => one !== undefined);
  if (form === undefined || result === undefined || !isKnown) return undefined;
  const shapes = operands as ReadonlyArray<Dims>;
  if ([...shapes, result].some((one) => one.includes(0))) return undefined;
  return partsOf(form, { ...site, operands: shapes, dims: result }, asked);
}

interface ShapedSite extends BoxSite {
  readonly operands: ReadonlyArray<Dims>;
  /** Of the result. */
  readonly dims: Dims;
}

function partsOf(form: Form, site: ShapedSite, asked: Box): Boxes | undefined {
  const { attrs, operands, dims } = site;
  const [data = []] = operands;
  const all = data.map((_, axis) => axis);
  /** Boxes along all axes of the data but some, each with the same axis of the result. */
  const except = (...axes: ReadonlyArray<number | undefined>): Boxes =>
    along(
      site,
      asked,
      all.map((axis) => (axes.includes(axis) ? undefined : axis)),
    );
  switch (form._tag) {
    case 'Map': {
      const axis = form.vectorAlong?.(attrs);
      const aligned = operands.map((one) => alignedWith(one, dims));
      const vector = axis === undefined ? [] : [fromFront(axis, dims.length)];
      return along(site, asked, ...(axis === undefined ? aligned : [all, vector]));
    }
    case 'Convert':
      return except();
    case 'Reduce': {
      const axes = form.axes(attrs, data.length);
      if (axes === undefined) return undefined;
      if (dims.length === data.length) return except(...axes);
      const kept = all.filter((axis) => !axes.includes(axis));
      const follows = all.map((axis) => (axes.includes(axis) ? undefined : kept.indexOf(axis)));
      return along(site, asked, follows);
    }
    case 'Softmax':
    case 'Steps':
      return except(fromFront(form.axis(attrs), data.length));
    case 'Scan': {
      const { axis } = form.scanning(attrs);
      return axis === undefined ? undefined : except(fromFront(axis, data.length));
    }
    case 'Pad': {
      const border = form.border(attrs);
      const isPadded = (axis: number): boolean =>
        border?.before[axis] !== 0 || border.after[axis] !== 0;
      return border && except(...all.filter(isPadded));
    }
    case 'Gather':
      return gathered(form.gathering(attrs), site, asked);
    case 'Concat':
      return form.isNew === true ? undefined : joined(form.axis(attrs), site, asked);
    case 'Contract':
      return contracted(form, site, asked);
    case 'View':
      return viewed(form, site, asked);
    default:
      return undefined;
  }
}

/**
 * The boxes of operands whose axes follow axes of the result; operands that are not listed are needed
 * whole. An axis of the result that nothing follows stays whole.
 */
function along(
  { operands, dims }: ShapedSite,
  asked: Box,
  ...follows: ReadonlyArray<Followed>
): Boxes {
  const repeats = (operand: number, axis: number, to: number): boolean =>
    operands[operand]?.[axis] === 1 && dims[to] !== 1;
  const result = asked.map((range, to) => {
    const followers = follows.flatMap((axes, i) =>
      axes.flatMap((at, axis) => (at === to ? [[i, axis] as const] : [])),
    );
    const isFree = followers.every(
      ([i, axis]) => repeats(i, axis, to) || dimsEqual(operands[i]?.[axis] ?? 0, dims[to] ?? 0),
    );
    return followers.length > 0 && isFree ? range : undefined;
  });
  return {
    result,
    operands: operands.map((one, i) =>
      one.map((_, axis) => {
        const to = follows[i]?.[axis];
        return to === undefined || repeats(i, axis, to) ? undefined : result[to];
      }),
    ),
  };
}

/** Axes that broadcast: the last one follows the last one. */
const alignedWith = (dims: Dims, result: Dims): Followed =>
  dims.map((_, axis) => axis + result.length - dims.length);

function gathered(
  { axis: given, batch }: { readonly axis: number | undefined; readonly batch: number },
  site: ShapedSite,
  asked: Box,
): Boxes | undefined {
  const [data, indices] = site.operands;
  if (given === undefined || data === undefined || indices === undefined) return undefined;
  const axis = fromFront(given, data.length);
  const count = indices.length - batch;
  const boxes = along(
    site,
    asked,
    data.map((_, at) => (at < axis ? at : at === axis ? undefined : at + count - 1)),
    indices.map((_, at) => (at < batch ? at : axis + at - batch)),
  );
  const value = site.constant(1);
  const range = value && rangeOf(value, data[axis]);
  const [box = []] = boxes.operands;
  // Constant indices stay as they are: they tell which slices are needed.
  return range === undefined
    ? boxes
    : {
        result: boxes.result.map((one, at) => (at >= axis && at < axis + count ? undefined : one)),
        operands: [box.map((one, at) => (at === axis ? range : one)), whole(indices)],
      };
}

/** The range of constant indices that are within the axis. */
function rangeOf(indices: Tensor, dim: Dim | undefined): Range | undefined {
  const numbers = Array.from(toNumbers(indices));
  if (numbers.length === 0) return undefined;
  const begin = numbers.reduce((least, index) => Math.min(least, index));
  const end = numbers.reduce((most, index) => Math.max(most, index)) + 1;
  // An index beyond an axis is clamped, or wraps around: only the first one is within any axis.
  const isWithin = begin >= 0 && end <= (typeof dim === 'number' ? dim : 1);
  return isWithin ? { begin, end } : undefined;
}

/** A concatenation needs those operands that have a part in the box. */
function joined(given: number, site: ShapedSite, asked: Box): Boxes | undefined {
  const { operands, dims } = site;
  const axis = fromFront(given, dims.length);
  const same = dims.map((_, at) => (at === axis ? undefined : at));
  const boxes = along(site, asked, ...operands.map(() => same));
  const range = asked[axis];
  const sizes = operands.map((one) => one[axis]);
  if (range === undefined || !sizes.every((size) => typeof size === 'number')) return boxes;
  let start = 0;
  const parts = boxes.operands.map((box, i) => {
    const size = sizes[i] as number;
    const [begin, end] = [Math.max(range.begin - start, 0), Math.min(range.end - start, size)];
    start += size;
    if (begin >= end) return undefined;
    const part = begin === 0 && end === size ? undefined : { begin, end };
    return box?.map((one, at) => (at === axis ? part : one));
  });
  return { result: boxes.result.map((one, at) => (at === axis ? range : one)), operands: parts };
}

/**
 * A contraction is free along the axes of the result that are axes of the first operand, and if they are
 * axes of the second one too, of that: sizes of others may be stated by attributes.
 */
function contracted(form: ContractForm, site: ShapedSite, asked: Box): Boxes | undefined {
  const numbers = placeholders();
  const count = form.zeroPoints?.data ?? site.operands.length;
  const shapes = site.operands.slice(0, count).map((one) => one.map(numbers));
  const found = form.contraction(site.attrs, shapes, site.dims.map(numbers));
  if (found === undefined) return undefined;
  const labelOf = ({ terms: [term, ...others], offset }: (typeof found.result)[number]) =>
    others.length === 0 && offset === 0 && term?.factor === 1 ? term.label : undefined;
  const result = found.result.map(labelOf);
  const axes = found.operands.map((operand) => operand.map(labelOf));
  const isNamed = (label: string, operand: (typeof found.operands)[number] | undefined): boolean =>
    operand?.some(({ terms }) => terms.some((term) => term.label === label)) === true;
  const isFree = (label: string | undefined): boolean =>
    label !== undefined &&
    axes[0]?.includes(label) === true &&
    found.operands.every((operand, i) => i === 0 || !isNamed(label, operand));
  return along(
    site,
    asked,
    ...axes.map((operand) =>
      operand.map((label) => (isFree(label) ? result.indexOf(label) : undefined)),
    ),
  );
}

/** Sizes that are not known as numbers, equal ones as equal numbers. */
function placeholders(): (dim: Dim) => number {
  const seen: Dim[] = [];
  return (dim) => {
    if (typeof dim === 'number') return dim;
    const at = seen.findIndex((one) => dimsEqual(one, dim));
    const place = at < 0 ? seen.push(dim) - 1 : at;
    return 2 ** 20 + place;
  };
}

/** The only move of a view of a tensor, and the operand that is viewed. */
export function soleMove(
  form: Form | undefined,
  { attrs, operands, dims }: Pick<ShapedSite, 'attrs' | 'operands' | 'dims'>,
): { readonly move: Move<Dim> | undefined; readonly operand: number } | undefined {
  if (form?._tag !== 'View') return undefined;
  const { argument: operand = 0 } = form;
  const given = operands[operand];
  const views = given && form.views({ attrs, given: [given], results: [dims] });
  const [view, ...others] = views ?? [];
  if (view === undefined || others.length > 0 || view.moves.length > 1) return undefined;
  return { move: view.moves[0], operand };
}

function viewed(form: ViewForm, site: ShapedSite, asked: Box): Boxes | undefined {
  if (site.types.some(({ _tag }) => _tag === 'TupleType')) return undefined;
  const sole = soleMove(form, site);
  const given = sole && site.operands[sole.operand];
  if (sole === undefined || given === undefined) return undefined;
  const { move, operand } = sole;
  const only = (box: Box): ReadonlyArray<Box> =>
    site.operands.map((one, i) => (i === operand ? box : whole(one)));
  const following = (axes: Followed): Boxes =>
    along(site, asked, ...site.operands.map((_, i) => (i === operand ? axes : [])));
  switch (move?._tag) {
    case undefined:
      // Other operands may state the sizes.
      return site.operands.length > 1 ? undefined : following(given.map((_, axis) => axis));
    case 'Transpose':
      return following(given.map((_, axis) => move.axes.indexOf(axis)));
    case 'Broadcast': {
      const boxes = following(alignedWith(given, site.dims));
      // Nothing says which of the repetitions along a new axis an element is.
      const isNew = (axis: number): boolean => axis < site.dims.length - given.length;
      return { ...boxes, result: boxes.result.map((one, at) => (isNew(at) ? asked[at] : one)) };
    }
    case 'Slice': {
      if (move.strides.some((stride) => stride < 1)) return undefined;
      const box = move.begin.map((begin, axis): Range | undefined => {
        const [stride = 1, size = 0] = [move.strides[axis], move.size[axis]];
        const range = asked[axis] ?? { begin: 0, end: size };
        const first = begin + range.begin * stride;
        const end = begin + (range.end - 1) * stride + 1;
        return first === 0 && end === given[axis] ? undefined : { begin: first, end };
      });
      return { result: asked, operands: only(box) };
    }
    case 'Reshape': {
      const found = reshaped(given, site.dims, asked);
      return found && { result: found.result, operands: only(found.data) };
    }
  }
}

/** The box of the data of a reshape, and the box of the result that is just its elements. */
function reshaped(
  from: Dims,
  to: Dims,
  asked: Box,
): { readonly data: Box; readonly result: Box } | undefined {
  const groups = groupsOf(from, to);
  if (groups === undefined) return undefined;
  const data: Array<Range | undefined> = [...whole(from)];
  const result: Array<Range | undefined> = [...whole(to)];
  for (const group of groups) {
    const ranges = group.to.map((axis) => asked[axis]);
    const box = boxOf(
      group.from.map((axis) => from[axis] ?? 1),
      group.to.map((axis) => to[axis] ?? 1),
      ranges,
    );
    if (box === undefined) continue;
    group.from.forEach((axis, i) => {
      data[axis] = box[i];
    });
    group.to.forEach((axis, i) => {
      result[axis] = ranges[i];
    });
  }
  return { data, result };
}

/** The box of some axes that has the same elements as a box of others. */
function boxOf(from: Dims, to: Dims, asked: Box): Box | undefined {
  if (asked.every((range) => range === undefined)) return undefined;
  const [a, b] = [soleAxis(from), soleAxis(to)];
  const isOne = (range: Range | undefined): boolean => (range?.end ?? 1) === 1;
  if (a !== undefined && b !== undefined && dimsEqual(from[a] ?? 0, to[b] ?? 0)) {
    const isSame = asked.every((range, axis) => axis === b || isOne(range));
    return isSame ? from.map((_, axis) => (axis === a ? asked[b] : undefined)) : undefined;
  }
  const [sizes, wanted] = [from, to].map((dims) => dims.filter((dim) => typeof dim === 'number'));
  if (sizes?.length !== from.length || wanted?.length !== to.length) return undefined;
  const run = runOf(wanted, asked);
  return run && boxOfRun(sizes, run);
}

/** The only axis whose size is not 1. */
function soleAxis(dims: Dims): number | undefined {
  const large = dims.flatMap((dim, axis) => (dim === 1 ? [] : [axis]));
  return large.length === 1 ? large[0] : undefined;
}

/** The elements of a box in row-major order, if they are one run. */
function runOf(sizes: ReadonlyArray<number>, box: Box): Range | undefined {
  let [begin, end] = [0, 1];
  for (const [axis, size] of sizes.entries()) {
    const range = box[axis] ?? { begin: 0, end: size };
    const isWhole = range.begin === 0 && range.end === size;
    // After an axis with several indices, the others must be whole.
    if (end - begin > 1 && !isWhole) return undefined;
    [begin, end] = isWhole
      ? [begin * size, end * size]
      : [begin * size + range.begin, begin * size + range.end];
  }
  return { begin, end };
}

/** The box that is a run of elements. */
function boxOfRun(sizes: ReadonlyArray<number>, { begin, end }: Range): Box | undefined {
  const box: Array<Range | undefined> = [];
  let inner = sizes.reduce((a, b) => a * b, 1);
  let [from, to] = [begin, end];
  for (const [axis, size] of sizes.entries()) {
    inner /= size;
    const [first, last] = [Math.floor(from / inner), Math.ceil(to / inner)];
    if (last - first > 1) {
      const isWhole = from % inner === 0 && to % inner === 0;
      const rest = sizes.slice(axis + 1).map(() => undefined);
      const range = first === 0 && last === size ? undefined : { begin: first, end: last };
      return isWhole ? [...box, range, ...rest] : undefined;
    }
    box.push(size === 1 ? undefined : { begin: first, end: first + 1 });
    [from, to] = [from - first * inner, to - first * inner];
  }
  return box;
}

interface Group {
  readonly from: number[];
  readonly to: number[];
}

/** Consecutive axes of both shapes with the same number of elements, as few as possible. */
function groupsOf(from: Dims, to: Dims): ReadonlyArray<Group> | undefined {
  const groups: Group[] = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    const group: Group = { from: [], to: [] };
    let [a, b]: [Dim, Dim] = [1, 1];
    do {
      const [left, right] = [from[i], to[j]];
      switch (sideToExtend([a, b], left, right, group)) {
        case undefined:
          return undefined;
        case 'from':
          a = multiplyDims(a, left ?? 1);
          group.from.push(i++);
          break;
        case 'to':
          b = multiplyDims(b, right ?? 1);
          group.to.push(j++);
      }
    } while (!dimsEqual(a, b));
    groups.push(group);
  }
  return groups;
}

/** The side of a group whose next axis may make both sides equal. */
function sideToExtend(
  [a, b]: readonly [Dim, Dim],
  left: Dim | undefined,
  right: Dim | undefined,
  { from, to }: Group,
): 'from' | 'to' | undefined {
  if (from.length === 0 && left !== undefined) return 'from';
  if (to.length === 0 && right !== undefined) return 'to';
  if (left !== undefined && dimsEqual(multiplyDims(a, left), b)) return 'from';
  if (right !== undefined && dimsEqual(a, multiplyDims(b, right))) return 'to';
  if (typeof a !== 'number' || typeof b !== 'number') return undefined;
  const [side, next] = a < b ? (['from', left] as const) : (['to', right] as const);
  return next === undefined ? undefined : side;
}
