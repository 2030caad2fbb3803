/**
 * The form of an operator: where each element of its result comes from, stated once.
 *
 * Lowering, fusion, scales, layouts and the axes map follow from it. The kinds are those of linalg
 * and of tinygrad's movement operators: a map, a reduction, a sliding window, a view, a gather, a
 * scatter, a scan, a pad, a concatenation, a contraction.
 */
import { type Attrs, type Column, type Dim, defineColumn, type OpTable } from '@baton/ir';
import type { DType, Shape, Tensor } from '@baton/tensor';
import type { Move } from '../moves.ts';
import type { Scalar } from '../scalar/expr.ts';
import type { Fold } from '../scalar/folds.ts';
import type { Share } from './exponentials.ts';
import type { Step, StepsSite } from './steps.ts';

/** Each element is a scalar expression of the arguments' elements at its place. */
export interface MapForm<A = Attrs> {
  readonly _tag: 'Map';
  readonly expr: Scalar;
  /** Attributes as the operands after the arguments; `scalar` takes them to the dtype. */
  readonly numbers?: (attrs: A, dtype: DType) => ReadonlyArray<number | bigint>;
  /** The axis along which the second argument lies, a vector. Default: the arguments broadcast. */
  readonly vectorAlong?: (attrs: A) => number;
}

/** Each element is the element of the first argument at its place, in the result's type. */
export interface ConvertForm {
  readonly _tag: 'Convert';
}

/** Each element is folded from those along some axes of the only argument. */
export interface ReduceForm<A = Attrs> {
  readonly _tag: 'Reduce';
  readonly fold: (dtype: DType, attrs: A) => Fold;
  /** The reduced axes, ascending; `undefined` for attributes under which it is no reduction. */
  readonly axes: (attrs: A, rank: number) => Shape | undefined;
  /** Whether the last state is divided by the number of elements. */
  readonly isMean?: boolean;
}

/** Windows that slide over the last axes. */
export interface Windows {
  readonly counts: Shape;
  readonly sizes: Shape;
  readonly strides: Shape;
  readonly dilation: Shape;
}

/** A fold over each window. */
export interface WindowFold {
  readonly fold: Fold;
  readonly windows: Windows;
  /** Cells around the argument, which hold the fold's start. */
  readonly padding?: Border;
  /** The last state is divided by these counts, as float64, which broadcast against the result. */
  readonly divisor?: Tensor;
}

/** The computation of windows that an operator pads itself, which decides the value of padding. */
export type OwnPadding = 'convolution' | 'maximum' | 'mean';

/** Each element is folded from a window of the only argument, whose last axes the windows slide over. */
export interface WindowForm<A = Attrs> {
  readonly _tag: 'Window';
  readonly windows: (attrs: A, shape: Shape, dtype: DType) => WindowFold | undefined;
  /** What the cells count as that it puts around the data itself. */
  readonly ownPadding: OwnPadding;
}

/** The sizes of a call, some of which may be open. */
export interface ViewSite<A> {
  readonly attrs: A;
  /** The shapes of the tensors of the first argument. */
  readonly given: ReadonlyArray<ReadonlyArray<Dim>>;
  /** The shapes of the results. */
  readonly results: ReadonlyArray<ReadonlyArray<Dim>>;
}

/** A result as a view: a tensor of the first argument, by number, and how it is looked at. */
export interface View {
  readonly of: number;
  readonly moves: ReadonlyArray<Move<Dim>>;
}

/** Each element is one of the first argument, at a place that the shapes alone decide. */
export interface ViewForm<A = Attrs> {
  readonly _tag: 'View';
  /** A view for each result; `undefined` if the sizes do not decide it. */
  readonly views: (site: ViewSite<A>) => ReadonlyArray<View> | undefined;
  /** The position of the argument that is looked at. Default: the first. */
  readonly argument?: number;
  /**
   * Whether it keeps the row-major order of the elements: `freely`, so that two such calls merge, or
   * `partly`, if it cannot give every shape.
   */
  readonly reshapes?: Reshaping;
}

/** The shapes that a reshape can give: any of the same size, or some of them. */
export type Reshaping = 'freely' | 'partly';

/** Slices of the first argument, along an axis or of all in a row, by the indices in the second. */
export interface Gathering {
  readonly axis: number | undefined;
  /** The axes that the data and the indices have in common, in front. */
  readonly batch: number;
  /** Whether an index counts modulo the axis; else the nearest place stands for it. */
  readonly isWrapped: boolean;
}

/** Each slice of the result is one of the first argument, which the second names. */
export interface GatherForm<A = Attrs> {
  readonly _tag: 'Gather';
  readonly gathering: (attrs: A) => Gathering;
}

/** Where the updates of a scatter go, and what they do there. */
export interface Scattering {
  /**
   * The axis along which each element of the indices replaces the place of its update; `undefined` if
   * the indices have columns along their first axis, each of which names a slice.
   */
  readonly axis: number | undefined;
  /** How an update is joined to what is there. */
  readonly mode: 'update' | 'add' | 'mul' | 'mean' | 'min' | 'max';
}

/**
 * The first argument, with the elements of the third joined in order at the places that the second
 * names. Negative indices count from the end; an update whose index lies outside is left out.
 */
export interface ScatterForm<A = Attrs> {
  readonly _tag: 'Scatter';
  readonly scattering: (attrs: A) => Scattering;
}

/** How elements before a place, and at it, are combined. */
export interface Scanning {
  /** The axis; `undefined` for the elements in a row. */
  readonly axis: number | undefined;
  readonly combine: 'add' | 'mul';
  /** Whether each result leaves out the element at its own place. */
  readonly exclusive: boolean;
}

/** Each element combines those of the only argument up to its place, in the result's type; floats in double. */
export interface ScanForm<A = Attrs> {
  readonly _tag: 'Scan';
  readonly scanning: (attrs: A) => Scanning;
}

/** Cells around a tensor on each axis; negative numbers crop. */
export interface Border {
  readonly before: Shape;
  readonly after: Shape;
}

/** The first argument, with the second in the cells around it. */
export interface PadForm<A = Attrs> {
  readonly _tag: 'Pad';
  /** `undefined` if the cells hold other values. */
  readonly border: (attrs: A) => Border | undefined;
}

/** The tensors of the only argument, contiguous along an axis. */
export interface ConcatForm<A = Attrs> {
  readonly _tag: 'Concat';
  readonly axis: (attrs: A) => number;
  /** Whether the axis is a new one, on which each tensor has one place. */
  readonly isNew?: boolean;
}

/** The place along an axis: a sum of loop indices, each times a factor, and an offset. */
export interface AffineIndex {
  readonly terms: ReadonlyArray<{ readonly label: string; readonly factor: number }>;
  readonly offset: number;
}

/**
 * A sum of products as loops over labels, as einsum and linalg's generic operation have it: places
 * outside of an operand hold 0.
 */
export interface Contraction {
  /** The size of each label. Labels that the result does not name are summed over, in this order. */
  readonly sizes: ReadonlyMap<string, number>;
  /** For each operand, the place along each of its axes. */
  readonly operands: ReadonlyArray<ReadonlyArray<AffineIndex>>;
  /** The place in the result along each of its axes. */
  readonly result: ReadonlyArray<AffineIndex>;
}

/**
 * `op(x, concatenate((v, w))) = concatenate((op(x, v), op(x, w)))`: products of the same data are one
 * product. The second arguments lie next to each other along `axis`, and the results along the
 * only axis whose size changes.
 */
export interface Joining<A = Attrs> {
  /** The axis of the second argument, of this rank; `undefined` if the call does not join. */
  readonly axis: (attrs: A, rank: number) => number | undefined;
  /** The attribute that may state the size of the joined axis. */
  readonly size?: string;
  /** Attributes that may state other sizes of the second argument. */
  readonly restated?: ReadonlyArray<string>;
}

/** A packed weight: the bits of an element, the first of a byte being the lowest. */
export interface BlockPacking {
  readonly bits: 2 | 4 | 8;
}

/** Each element is a sum of products of the operands: the arguments, or the tensors of the only one. */
export interface ContractForm<A = Attrs> {
  readonly _tag: 'Contract';
  /** What the cells count as that it puts around the data itself. Default: it puts none. */
  readonly ownPadding?: OwnPadding;
  /** How calls on the same data become one. Default: they do not. */
  readonly joining?: Joining<A>;
  /**
   * The arguments behind the operands that are their zero points: numbers that are taken off in int32.
   * The second operand's zero point may be a vector along an axis.
   */
  readonly zeroPoints?: {
    readonly data: number;
    readonly weight: number;
    readonly axis: (attrs: A) => number;
  };
  /**
   * How the second operand is packed, if it is a weight of few bits (units, blocks, bytes of a block). The
   * scales of its blocks and their zero points follow it; `contraction` has it as (units, depth).
   */
  readonly blocks?: (attrs: A) => BlockPacking;
  readonly contraction: (
    attrs: A,
    shapes: ReadonlyArray<Shape>,
    result: Shape,
  ) => Contraction | undefined;
}

/** The elements along an axis of which one place of the result is made, with their weights. */
export interface Taps {
  readonly places: Shape;
  readonly weights: ReadonlyArray<number>;
}

/** An axis along which elements are weighted and summed, in the order of the taps. */
export interface InterpolatedAxis {
  readonly axis: number;
  /** For each place of the result; all have as many taps. */
  readonly taps: ReadonlyArray<Taps>;
}

/**
 * Each element is a weighted sum of some of the only argument, along one axis after another, in double
 * precision and rounded at the end.
 */
export interface InterpolateForm<A = Attrs> {
  readonly _tag: 'Interpolate';
  /** `undefined` if it is made in another way. */
  readonly axes: (
    attrs: A,
    shape: Shape,
    result: Shape,
  ) => ReadonlyArray<InterpolatedAxis> | undefined;
}

/** Exponentials along an axis, divided by their total. */
export interface SoftmaxForm<A = Attrs> {
  readonly _tag: 'Softmax';
  readonly axis: (attrs: A) => number;
  /** e^(x − y): `x` the element, `y` the greatest of its row. */
  readonly term: Scalar;
  readonly share: Share;
}

/**
 * Each element is computed in steps from the one of the first argument at its place; the other arguments,
 * and constants in the steps, are numbers, or vectors along an axis.
 */
export interface StepsForm<A = Attrs> {
  readonly _tag: 'Steps';
  readonly axis: (attrs: A) => number;
  /** `undefined` if nothing is known of such a call. */
  readonly steps: (site: StepsSite<A>) => Step | undefined;
}

/** Where each element of a result comes from. */
export type Form<A = Attrs> =
  | MapForm<A>
  | ConvertForm
  | ReduceForm<A>
  | WindowForm<A>
  | ViewForm<A>
  | GatherForm<A>
  | ScatterForm<A>
  | ScanForm<A>
  | PadForm<A>
  | ConcatForm<A>
  | ContractForm<A>
  | InterpolateForm<A>
  | SoftmaxForm<A>
  | StepsForm<A>;

/** Where each element of the operator's result comes from; absent if no form says it. */
export const formColumn: Column<Form> = defineColumn('form');

/** The form of an operator of one kind; `undefined` if it has another, or none. */
export function formOf<T extends Form['_tag']>(
  ops: OpTable,
  name: string,
  tag: T,
): Extract<Form, { readonly _tag: T }> | undefined {
  const form = ops.read(formColumn, name);
  return form?._tag === tag ? (form as Extract<Form, { readonly _tag: T }>) : undefined;
}

/** The shapes that the operator can give its only argument, if it only reshapes. */
export const reshapingOf = (ops: OpTable, name: string): Reshaping | undefined =>
  formOf(ops, name, 'View')?.reshapes;

/** What the cells count as that an operator puts around its data; `undefined` if it puts none. */
export function ownPaddingOf(ops: OpTable, name: string): OwnPadding | undefined {
  const form = ops.read(formColumn, name);
  return form !== undefined && 'ownPadding' in form ? form.ownPadding : undefined;
}
