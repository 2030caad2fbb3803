/** The forms of operators that generated code knows, from the columns of the table. */
import type { Attrs, OpTable } from '@baton/ir';
import {
  arityOf,
  convertsColumn,
  joinsColumn,
  type PreparedCall,
  type Scalar,
  type ScalarForm,
  scalarColumn,
} from '@baton/ops';
import {
  broadcastView,
  castNumber,
  type DType,
  isBig,
  reshapeView,
  type Shape,
} from '@baton/tensor';
import { noMemory, withoutElements } from './blank.ts';
import { apply, type Element, literal, mapWindows } from './element.ts';

/** An argument of a call: its elements, over its own shape. */
export interface Operand {
  readonly shape: Shape;
  readonly element: Element;
}

/**
 * The result of an elementwise call as an element over its own shape; `undefined` if the operator is
 * no such operator, or an operand cannot be read in that shape.
 */
export function elementsOf(
  call: PreparedCall,
  operands: ReadonlyArray<Operand>,
  shape: Shape,
  ops: OpTable,
): Element | undefined {
  const form = ops.read(scalarColumn, call.name);
  const [first] = operands;
  if (first === undefined || call.result._tag !== 'TensorType') return undefined;
  const result = call.result.dtype as DType;
  const types = call.types.map((type) => (type._tag === 'TensorType' ? type.dtype : undefined));
  if (form === undefined) {
    const isConverted = ops.read(convertsColumn, call.name) !== undefined;
    return isConverted ? apply(ITSELF, result, [first.element], types[0] as DType) : undefined;
  }
  // The operand of another type is a condition.
  const dtype = types.at(-1) as DType;
  const numbers = numbersOf(form, call.attrs, dtype);
  if (numbers === undefined || operands.length + numbers.length !== arityOf(form.expr)) {
    return undefined;
  }
  const args = operands.map(({ shape: own, element }, i) => {
    const axis = i === 0 ? undefined : form.vectorAlong?.(call.attrs);
    const dims = axis === undefined ? own : alongAxis(own, axis, shape.length);
    return inShape(element, own, dims, shape);
  });
  if (args.includes(undefined)) return undefined;
  const all = [...(args as Element[]), ...numbers.map((value) => literal(value, dtype))];
  return apply(form.expr, result, all, dtype);
}

/** The attributes that are operands, in the type; `undefined` if a number cannot hold one. */
function numbersOf(
  form: ScalarForm,
  attrs: Attrs,
  dtype: DType,
): ReadonlyArray<number> | undefined {
  const given = form.numbers?.(attrs, dtype).map(Number) ?? [];
  if (!isBig(dtype)) return given.map((value) => castNumber(value, dtype));
  return given.every(Number.isSafeInteger) ? given : undefined;
}

/** The element as it is: x. */
export const ITSELF: Scalar = { _tag: 'Argument', name: 'x' };
const y: Scalar = { _tag: 'Argument', name: 'y' };

/** x / y. */
export const DIVIDED: Scalar = { _tag: 'Operation', name: 'div', args: [ITSELF, y] };

/** The axis along which the tensors of a call's argument lie one behind the other in its result. */
export function joinedAlong(call: PreparedCall, rank: number, ops: OpTable): number | undefined {
  const axis = ops.read(joinsColumn, call.name)?.(call.attrs);
  return axis === undefined || axis >= 0 ? axis : axis + rank;
}

/** The dimensions of a vector that lies along an axis. */
const alongAxis = (own: Shape, axis: number, rank: number): Shape => [
  ...own,
  ...new Array<number>(rank - 1 - (axis < 0 ? axis + rank : axis)).fill(1),
];

/** An element of one shape, in other dimensions of the same elements, broadcast to a shape. */
const inShape = (element: Element, own: Shape, dims: Shape, shape: Shape): Element | undefined =>
  mapWindows(element, (window) =>
    withoutElements(() => {
      const reshaped = dims === own ? window : reshapeView(window, dims, noMemory);
      return broadcastView(reshaped, shape);
    }),
  );
