/** The form of a call: the operator's form at these attributes, shapes and types. */
import type { Attrs, OpTable, Type } from '@baton/ir';
import { type DType, isBig, isFloat, type Shape, type Tensor } from '@baton/tensor';
import type { Contraction } from '../kernels/contraction.ts';
import type { Border } from '../kernels/pad.ts';
import type { WindowFold } from '../kernels/pool.ts';
import type { Scanning } from '../kernels/scan.ts';
import type { Shares } from '../kernels/softmax.ts';
import type { Gathering } from '../kernels/take.ts';
import type { Move } from '../moves.ts';
import { arityOf, type Scalar } from '../scalar/expr.ts';
import type { Fold } from '../scalar/folds.ts';
import { staticTensor } from '../value.ts';
import {
  type BlockPacking,
  type ContractForm,
  type Form,
  formColumn,
  type InterpolatedAxis,
  type InterpolateForm,
  type MapForm,
  type Scattering,
  type Taps,
  type View,
  type ViewForm,
} from './form.ts';
import type { Step } from './steps.ts';

export interface TypedCall {
  readonly name: string;
  readonly attrs: Attrs;
  readonly types: ReadonlyArray<Type>;
  readonly result: Type;
}

/** A view of a tensor: which field of which argument, and its moves. */
export interface CallView {
  readonly argument: number;
  readonly field: number;
  readonly moves: ReadonlyArray<Move>;
}

export type CallForm =
  | {
      readonly _tag: 'Map';
      readonly expr: Scalar;
      /**
       * The dtype of the computation: that of the last argument, since a first one may be a
       * condition.
       */
      readonly of: DType;
      readonly numbers: ReadonlyArray<number | bigint>;
      /** The axis of the result along which the second argument, a vector, varies. */
      readonly vectorAxis: number | undefined;
    }
  | { readonly _tag: 'Convert' }
  | {
      readonly _tag: 'Reduce';
      readonly fold: Fold;
      readonly axes: Shape;
      /** The final state is divided by it. */
      readonly divisor: number | undefined;
    }
  | ({ readonly _tag: 'Window' } & WindowFold)
  | { readonly _tag: 'View'; readonly views: ReadonlyArray<CallView> }
  | ({ readonly _tag: 'Gather' } & Gathering)
  | ({ readonly _tag: 'Scatter' } & Scattering)
  | ({ readonly _tag: 'Scan' } & Scanning)
  | ({ readonly _tag: 'Pad' } & Border)
  | { readonly _tag: 'Concat'; readonly axis: number; readonly isNew: boolean }
  | ({
      readonly _tag: 'Contract';
      /** The arguments that are zero points, and the axis along which the weight's may vary. */
      readonly zeroPoints: ZeroPoints | undefined;
      /** How the second operand is packed in blocks, whose scales and zero points are the next arguments. */
      readonly blocks: BlockPacking | undefined;
    } & Contraction)
  | ({ readonly _tag: 'Softmax' } & Shares)
  | { readonly _tag: 'Interpolate'; readonly axes: ReadonlyArray<InterpolatedAxis> }
  | {
      readonly _tag: 'Steps';
      readonly axis: number;
      readonly steps: (constant: (index: number) => Tensor | undefined) => Step | undefined;
    }
  | { readonly _tag: 'Opaque' };

export interface ZeroPoints {
  readonly data: number;
  readonly weight: number;
  readonly axis: number;
}

const OPAQUE: CallForm = { _tag: 'Opaque' };

/** A tensor, or its type. */
export interface Known {
  readonly shape: Shape;
  readonly dtype: DType;
}

/** Opaque if the operator has no form for these attributes and types. */
export function callForm(ops: OpTable, call: TypedCall): CallForm {
  const form = ops.read(formColumn, call.name);
  if (form === undefined) return OPAQUE;
  const args = call.types.map(tensorsOf);
  const results = tensorsOf(call.result);
  if (results === undefined || !args.every((arg) => arg !== undefined)) return OPAQUE;
  const isTuple = call.types[0]?._tag === 'TupleType';
  const known = args as ReadonlyArray<ReadonlyArray<Known>>;
  return formAt(form, { attrs: call.attrs, args: known, results, isTuple }) ?? OPAQUE;
}

/** The tensors of a type or a tuple; `undefined` if a size is unknown. */
function tensorsOf(type: Type): ReadonlyArray<Known> | undefined {
  const known = (type._tag === 'TupleType' ? type.fields : [type]).map(staticTensor);
  return known.every((one) => one !== undefined) ? (known as ReadonlyArray<Known>) : undefined;
}

/** A call of known shapes and dtypes: the tensors of each argument, and those of the result. */
interface KnownCall {
  readonly attrs: Attrs;
  readonly args: ReadonlyArray<ReadonlyArray<Known>>;
  readonly results: ReadonlyArray<Known>;
  /** Whether the first argument is a tuple. */
  readonly isTuple: boolean;
}

/** `undefined` if the form does not cover these attributes and types. */
export function formAt(
  form: Form,
  { attrs, args, results, isTuple }: KnownCall,
): CallForm | undefined {
  const [data] = args[0] ?? [];
  const [result] = results;
  if (data === undefined || result === undefined) return undefined;
  const rank = data.shape.length;
  switch (form._tag) {
    case 'Map':
      return isTuple ? undefined : mapOf(form, attrs, args, rank);
    case 'Convert':
      return { _tag: 'Convert' };
    case 'Reduce': {
      const axes = form.axes(attrs, rank);
      if (axes === undefined) return undefined;
      const count = axes.reduce((product, axis) => product * (data.shape[axis] as number), 1);
      const divisor = form.isMean === true ? count : undefined;
      return { _tag: 'Reduce', fold: form.fold(data.dtype, attrs), axes, divisor };
    }
    case 'Window': {
      const windows = form.windows(attrs, data.shape, data.dtype);
      return windows && { _tag: 'Window', ...windows };
    }
    case 'View':
      return viewsOf(form, attrs, args, results);
    case 'Gather': {
      const { axis, ...rest } = form.gathering(attrs);
      return { _tag: 'Gather', ...rest, axis: axis && fromFront(axis, rank) };
    }
    case 'Scatter': {
      const { axis, mode } = form.scattering(attrs);
      return { _tag: 'Scatter', mode, axis: axis && fromFront(axis, rank) };
    }
    case 'Scan': {
      const { axis, ...rest } = form.scanning(attrs);
      return { _tag: 'Scan', ...rest, axis: axis && fromFront(axis, rank) };
    }
    case 'Pad': {
      const border = form.border(attrs);
      return border && { _tag: 'Pad', ...border };
    }
    case 'Concat':
      return {
        _tag: 'Concat',
        axis: fromFront(form.axis(attrs), result.shape.length),
        isNew: form.isNew === true,
      };
    case 'Contract':
      return contractionOf(form, attrs, args, result);
    case 'Interpolate':
      return interpolation(form, attrs, data, result);
    case 'Softmax':
      return {
        _tag: 'Softmax',
        axis: fromFront(form.axis(attrs), rank),
        term: form.term,
        share: form.share,
      };
    case 'Steps': {
      const dtypes = args.map(([arg]) => arg?.dtype as DType);
      return {
        _tag: 'Steps',
        axis: fromFront(form.axis(attrs), rank),
        steps: (constant) => form.steps({ attrs, dtypes, result: result.dtype, constant }),
      };
    }
  }
}

function mapOf(
  { expr, numbers: numbersOf, vectorAlong }: MapForm,
  attrs: Attrs,
  args: ReadonlyArray<ReadonlyArray<Known>>,
  rank: number,
): CallForm | undefined {
  const of = args.at(-1)?.[0]?.dtype as DType;
  const numbers = numbersOf?.(attrs, of) ?? [];
  if (args.length + numbers.length !== arityOf(expr)) return undefined;
  const axis = vectorAlong?.(attrs);
  return { _tag: 'Map', expr, of, numbers, vectorAxis: axis && fromFront(axis, rank) };
}

function contractionOf(
  { contraction, zeroPoints, blocks }: ContractForm,
  attrs: Attrs,
  args: ReadonlyArray<ReadonlyArray<Known>>,
  result: Known,
): CallForm | undefined {
  const all = args.flat().map(({ shape }) => shape);
  const shapes = zeroPoints === undefined ? all : all.slice(0, zeroPoints.data);
  const found = contraction(attrs, shapes, result.shape);
  const zeros = zeroPoints && { ...zeroPoints, axis: zeroPoints.axis(attrs) };
  return found && { _tag: 'Contract', ...found, zeroPoints: zeros, blocks: blocks?.(attrs) };
}

function viewsOf(
  { views: viewsIn, argument = 0 }: ViewForm,
  attrs: Attrs,
  args: ReadonlyArray<ReadonlyArray<Known>>,
  results: ReadonlyArray<Known>,
): CallForm | undefined {
  const given = args[argument] ?? [];
  const shapes = (all: ReadonlyArray<Known>) => all.map(({ shape }) => shape);
  const views = viewsIn({ attrs, given: shapes(given), results: shapes(results) });
  const isSame = views?.every(({ of }, i) => given[of]?.dtype === results[i]?.dtype);
  if (views === undefined || isSame === false || views.length !== results.length) {
    return undefined;
  }
  // If the sizes are numbers, so are the moves.
  const numbers = (moves: View['moves']): CallView['moves'] => moves as ReadonlyArray<Move>;
  const call = views.map(({ of, moves }) => ({ argument, field: of, moves: numbers(moves) }));
  return { _tag: 'View', views: call };
}

/** An interpolation of floats; of other dtypes if it only moves elements. */
function interpolation(
  form: InterpolateForm,
  attrs: Attrs,
  data: Known,
  result: Known,
): CallForm | undefined {
  if (data.dtype !== result.dtype) return undefined;
  const axes = form.axes(attrs, data.shape, result.shape);
  const isMoved = !isBig(data.dtype) && axes?.every(({ taps }) => taps.every(isOne)) === true;
  return axes && (isMoved || isFloat(data.dtype)) ? { _tag: 'Interpolate', axes } : undefined;
}

const isOne = ({ weights }: Taps): boolean => weights.length === 1 && weights[0] === 1;

/** An axis counted from the front. */
export const fromFront = (axis: number, rank: number): number => (axis < 0 ? axis + rank : axis);
