/** Maps: elementwise calls are computed where they are used. */
import type { CallForm, Scalar } from '@baton/ops';
import {
  broadcastView,
  cast,
  castNumber,
  type DType,
  isBig,
  type Shape,
  sameShape,
  shapeSize,
  stridesInShape,
} from '@baton/tensor';
import {
  apply,
  type Element,
  literal,
  MAX_NODES,
  mapWindows,
  nodesOf,
  type Product,
  productIn,
} from './element.ts';
import type { Mode } from './kernel.ts';
import {
  constantOf,
  constantWindow,
  dtypeAt,
  elementAt,
  isConstant,
  type Lowering,
  shapeAt,
  stored,
  type Value,
} from './lowering.ts';
import { referenced } from './reference.ts';
import type { RegionStep } from './region.ts';
import type { Window } from './window.ts';

type MapCall = Extract<CallForm, { readonly _tag: 'Map' }>;

/** The element as it is: x. */
export const ITSELF: Scalar = { _tag: 'Argument', name: 'x' };
const y: Scalar = { _tag: 'Argument', name: 'y' };

/** x / y. */
export const DIVIDED: Scalar = { _tag: 'Operation', name: 'div', args: [ITSELF, y] };

/** An elementwise call. */
export function mapped(step: RegionStep, form: MapCall, state: Lowering): ReadonlyArray<Value> {
  const { expr, of, vectorAxis } = form;
  const numbers = numbersOf(form);
  const [result] = step.results as [number];
  const shape = shapeAt(result, state);
  if (numbers === undefined) return referenced(step, state);
  return pending(step, step.args as ReadonlyArray<number>, state, (elements) => {
    const args = elements.map(({ element, own }, i) =>
      inShape(element, own, i === 1 ? dimsOf(own, vectorAxis, shape) : own, shape),
    );
    const all = [...args, ...numbers.map((value) => literal(value, of))];
    return apply(expr, dtypeAt(result, state), all, of);
  });
}

/** A call that gives the elements of its first argument in another type. */
export function converted(step: RegionStep, state: Lowering): ReadonlyArray<Value> {
  const [data] = step.args as [number];
  const [result] = step.results as [number];
  const of = dtypeAt(data, state);
  const value = state.values[data];
  if (isConstant(value, state)) {
    const known = constantOf(value as Window, state);
    return [constantWindow(cast(known, dtypeAt(result, state)), state)];
  }
  return pending(step, [data], state, ([given]) =>
    apply(ITSELF, dtypeAt(result, state), [(given as Operand).element], of),
  );
}

/** An argument: its elements, over its own shape. */
export interface Operand {
  readonly own: Shape;
  readonly element: Element;
}

/** The pending element of operands, some of which are stored first. */
export function pending(
  step: RegionStep,
  args: ReadonlyArray<number>,
  state: Lowering,
  elementOf: (operands: ReadonlyArray<Operand>) => Element,
): ReadonlyArray<Value> {
  const shape = shapeAt(step.results[0] as number, state);
  // What is repeated is computed once.
  for (const at of args) if (shapeSize(shapeAt(at, state)) < shapeSize(shape)) stored(at, state);
  for (;;) {
    const element = elementOf(
      args.map((at) => ({ own: shapeAt(at, state), element: elementAt(at, state) })),
    );
    const mode = state.abilities.element(element);
    const apart = args
      .filter((at) => isPending(at, state))
      .filter(apartFrom(element, mode, shape, state));
    for (const at of apart) stored(at, state);
    if (apart.length > 0) continue;
    if (mode === undefined) return referenced(step, state);
    return [{ _tag: 'Pending', shape, element }];
  }
}

const isPending = (at: number, { values }: Lowering): boolean => values[at]?._tag === 'Pending';

/**
 * Whether an argument is stored before the element is computed: its kernel is of another kind, which
 * would slow the chain; or the element has too many nodes, or more products than its own.
 */
function apartFrom(
  element: Element,
  mode: Mode | undefined,
  shape: Shape,
  state: Lowering,
): (at: number) => boolean {
  const nodes = nodesOf(element);
  const products = nodes.filter((node): node is Product => node._tag === 'Product');
  const isMoved = products.some((product) => !sameShape(product.shape, shape));
  const isTooMuch = nodes.length > MAX_NODES || products.length > 1 || isMoved;
  const kept = isMoved ? undefined : products[0];
  return (at) => {
    const own = elementAt(at, state);
    if (state.abilities.element(own) !== mode) return true;
    return isTooMuch && (kept === undefined || productIn(own) !== kept);
  };
}

/** The attributes that are operands, in the type; `undefined` if a number cannot hold one. */
function numbersOf({ numbers, of }: MapCall): ReadonlyArray<number> | undefined {
  const given = numbers.map(Number);
  if (!isBig(of)) return given.map((value) => castNumber(value, of as DType));
  return given.every(Number.isSafeInteger) ? given : undefined;
}

/** The dimensions of a second argument, which is a vector if it lies along an axis of the result. */
const dimsOf = (own: Shape, axis: number | undefined, shape: Shape): Shape =>
  axis === undefined ? own : [...own, ...shape.slice(axis + 1).map(() => 1)];

/** An element in other dimensions of the same elements, broadcast to a shape. */
export const inShape = (element: Element, own: Shape, dims: Shape, shape: Shape): Element =>
  mapWindows(element, (window): Window | undefined => {
    if (dims === own) return broadcastView(window, shape);
    const strides = stridesInShape(window, dims);
    return strides && broadcastView({ ...window, shape: dims, strides }, shape);
  }) as Element;
