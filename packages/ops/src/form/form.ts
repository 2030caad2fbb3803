/**
 * The form of an operator states where each element of its result comes from. Lowering, fusion,
 * scales, layouts and the axes map follow from it. The kinds are those of linalg and of tinygrad's
 * movement operators: a map, a reduction, a sliding window, a view, a gather, a scatter, a scan, a
 * pad, a concatenation, a contraction.
 */
import { type Attrs, type Column, type Dim, defineColumn, type OpTable } from '@baton/ir';
import type { DType, Shape } from '@baton/tensor';
import type { Contraction } from '../kernels/contraction.ts';
import type { Border } from '../kernels/pad.ts';
import type { WindowFold } from '../kernels/pool.ts';
import type { Scanning } from '../kernels/scan.ts';
import type { Reduction as ScatterMode } from '../kernels/scatter.ts';
import type { Gathering } from '../kernels/take.ts';
import type { Move } from '../moves.ts';
import type { Share } from '../scalar/exponentials.ts';
import type { Scalar } from '../scalar/expr.ts';
import type { Fold } from '../scalar/folds.ts';
import type { Step, StepsSite } from './steps.ts';

/** Each element is a scalar expression of the arguments' elements at its index. */
export interface MapForm<A = Attrs> {
  readonly _tag: 'Map';
  readonly expr: Scalar;
  /** Attributes as operands after the arguments; `scalar` converts them to the dtype. */
  readonly numbers?: (attrs: A, dtype: DType) => ReadonlyArray<number | bigint>;
  /**
   * The axis along which the second argument, a vector, varies. Default: the arguments broadcast.
   */
  readonly vectorAlong?: (attrs: A) => number;
}

export const mapForm = (expr: Scalar): MapForm<unknown> => ({ _tag: 'Map', expr });

/** Each element is the first argument's, converted to the result's dtype. */
export interface ConvertForm {
  readonly _tag: 'Convert';
}

/** Each element reduces the only argument over some axes. */
export interface ReduceForm<A = Attrs> {
  readonly _tag: 'Reduce';
  readonly fold: (dtype: DType, attrs: A) => Fold;
  /** Ascending; `undefined` for attributes under which it is no reduction. */
  readonly axes: (attrs: A, rank: number) => Shape | undefined;
  /** Divides the final state by the number of elements. */
  readonly isMean?: boolean;
}

/** How an operator pads its own windows, which decides the value of the padding. */
export type OwnPadding = 'convolution' | 'maximum' | 'mean';

/** Each element reduces a window of the only argument; windows slide over its last axes. */
export interface WindowForm<A = Attrs> {
  readonly _tag: 'Window';
  readonly windows: (attrs: A, shape: Shape, dtype: DType) => WindowFold | undefined;
  readonly ownPadding: OwnPadding;
}

export interface ViewSite<A> {
  readonly attrs: A;
  /** The shapes of the tensors of the first argument. */
  readonly given: ReadonlyArray<ReadonlyArray<Dim>>;
  readonly results: ReadonlyArray<ReadonlyArray<Dim>>;
}

/** A result as a view: the index of a tensor of the first argument, and the moves. */
export interface View {
  readonly of: number;
  readonly moves: ReadonlyArray<Move<Dim>>;
}

/** Each element is one of the first argument, at an index that depends only on the shapes. */
export interface ViewForm<A = Attrs> {
  readonly _tag: 'View';
  /** A view for each result; `undefined` if the sizes do not decide it. */
  readonly views: (site: ViewSite<A>) => ReadonlyArray<View> | undefined;
  /** The index of the viewed argument. Default: 0. */
  readonly argument?: number;
  /**
   * Whether it keeps the row-major order of the elements: `freely` if two such calls merge,
   * `partly` if it cannot produce every shape.
   */
  readonly reshapes?: Reshaping;
  /** Whether an element may occur more than once. Default: false. */
  readonly repeats?: true;
}

/** Which shapes a reshape can produce: any of the same size, or some of them. */
export type Reshaping = 'freely' | 'partly';

/** Each slice of the result is a slice of the first argument, which the second selects. */
export interface GatherForm<A = Attrs> {
  readonly _tag: 'Gather';
  readonly gathering: (attrs: A) => Gathering;
}

/** Where the updates of a scatter are written, and how. */
export interface Scattering {
  /**
   * The axis along which each element of the indices replaces the index of its update; `undefined`
   * if the first axis of the indices holds index tuples, each of which selects a slice.
   */
  readonly axis: number | undefined;
  /** How an update is combined with the existing element. */
  readonly mode: ScatterMode;
}

/**
 * The first argument, with the elements of the third combined in order at the indices in the
 * second. Negative indices count from the end; updates out of range are dropped.
 */
export interface ScatterForm<A = Attrs> {
  readonly _tag: 'Scatter';
  readonly scattering: (attrs: A) => Scattering;
}

/**
 * Each element combines those of the only argument up to its index, in the result's dtype; floats
 * in double precision.
 */
export interface ScanForm<A = Attrs> {
  readonly _tag: 'Scan';
  readonly scanning: (attrs: A) => Scanning;
}

/** The first argument, padded with the second. */
export interface PadForm<A = Attrs> {
  readonly _tag: 'Pad';
  /** `undefined` if the padding holds other values. */
  readonly border: (attrs: A) => Border | undefined;
}

/** The tensors of the only argument, contiguous along an axis. */
export interface ConcatForm<A = Attrs> {
  readonly _tag: 'Concat';
  readonly axis: (attrs: A) => number;
  /** Whether the axis is new, with one index for each tensor. */
  readonly isNew?: boolean;
}

/**
 * `op(x, concatenate((v, w))) = concatenate((op(x, v), op(x, w)))`: products of the same data
 * become one product. The second arguments are concatenated along `axis`, the results along the
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

/**
 * Each element is a sum of products of the operands: the arguments, or the fields of the only one.
 */
export interface ContractForm<A = Attrs> {
  readonly _tag: 'Contract';
  /** The value of the operator's own padding. Default: it does not pad. */
  readonly ownPadding?: OwnPadding;
  /** How calls on the same data are merged. Default: they are not. */
  readonly joining?: Joining<A>;
  /**
   * The arguments after the operands that are their zero points: scalars that are subtracted in
   * int32. The second operand's may be a vector along an axis.
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

/**
 * The elements along an axis that one element of the result is computed from, with their weights.
 */
export interface Taps {
  readonly places: Shape;
  readonly weights: ReadonlyArray<number>;
}

/** An axis along which elements are weighted and summed, in the order of the taps. */
export interface InterpolatedAxis {
  readonly axis: number;
  /** One for each index of the result; all have the same number of taps. */
  readonly taps: ReadonlyArray<Taps>;
}

/**
 * Each element is a weighted sum of elements of the only argument, one axis after another, in
 * double precision and rounded at the end.
 */
export interface InterpolateForm<A = Attrs> {
  readonly _tag: 'Interpolate';
  /** `undefined` if it is computed differently. */
  readonly axes: (
    attrs: A,
    shape: Shape,
    result: Shape,
  ) => ReadonlyArray<InterpolatedAxis> | undefined;
}

/** Exponentials along an axis, divided by their sum. */
export interface SoftmaxForm<A = Attrs> {
  readonly _tag: 'Softmax';
  readonly axis: (attrs: A) => number;
  readonly term: Scalar;
  readonly share: Share;
}

/**
 * Each element is computed in steps from the first argument's element; the other arguments, and
 * constants in the steps, are scalars, or vectors along an axis.
 */
export interface StepsForm<A = Attrs> {
  readonly _tag: 'Steps';
  readonly axis: (attrs: A) => number;
  /** `undefined` for calls that it does not cover. */
  readonly steps: (site: StepsSite<A>) => Step | undefined;
}

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

/** Absent if no form describes the operator. */
export const formColumn: Column<Form> = defineColumn('form');

/** `undefined` if the operator has another form, or none. */
export function formOf<T extends Form['_tag']>(
  ops: OpTable,
  name: string,
  tag: T,
): Extract<Form, { readonly _tag: T }> | undefined {
  const form = ops.read(formColumn, name);
  return form?._tag === tag ? (form as Extract<Form, { readonly _tag: T }>) : undefined;
}

/** The shapes that an operator can produce if it only reshapes. */
export const reshapingOf = (ops: OpTable, name: string): Reshaping | undefined =>
  formOf(ops, name, 'View')?.reshapes;

/** `undefined` if the operator does not pad. */
export function ownPaddingOf(ops: OpTable, name: string): OwnPadding | undefined {
  const form = ops.read(formColumn, name);
  return form !== undefined && 'ownPadding' in form ? form.ownPadding : undefined;
}
