/** Contractions: products by kernels written by hand. */
import { type CallForm, type Move, moved } from '@baton/ops';
import { type Shape, sameShape } from '@baton/tensor';
import { canonicalProduct } from './canonical-product.ts';
import type { Product } from './element.ts';
import { movedWindow } from './lower-view.ts';
import {
  compute,
  constantOf,
  constantWindow,
  contiguous,
  dtypeAt,
  isConstant,
  type Lowering,
  newBuffer,
  type ProductForm,
  rowMajor,
  shapeAt,
  stored,
  type Value,
} from './lowering.ts';
import { referenced } from './reference.ts';
import { leavesOf, type RegionStep } from './region.ts';
import type { Window } from './window.ts';

type ContractCall = Extract<CallForm, { readonly _tag: 'Contract' }>;

/**
 * A product that waits, since its kernel may do elementwise work as well. One that no kernel computes
 * as it is becomes a product of matrices or a convolution in the layout of the kernels.
 */
export function contracted(
  step: RegionStep,
  form: ContractCall,
  state: Lowering,
): ReadonlyArray<Value> {
  const [result] = step.results as [number];
  const args = step.args.flatMap(leavesOf);
  const isFloats = [...args, result].every((at) => dtypeAt(at, state) === 'float32');
  if (!isFloats || args.length !== 2) return referenced(step, state);
  const [data, weight] = args as [number, number];
  const shape = shapeAt(result, state);
  const operator = { name: step.call.name, attrs: step.call.attrs, out: shape };
  const shapes = args.map((at) => shapeAt(at, state));
  const isWeightConstant = isConstant(state.values[weight], state);
  const own = state.abilities.product({ ...operator, shapes, isWeightConstant });
  if (own !== undefined) {
    const first = rowMajor(data, state);
    // A constant weight is packed, or copied, when the region is compiled, from any view.
    const second = isWeightConstant ? (state.values[weight] as Window) : rowMajor(weight, state);
    const operands = [first, second];
    return [waiting({ ...operator, call: step.call, operands, shape }, own, state)];
  }
  return canonical(step, form, [data, weight], state) ?? referenced(step, state);
}

/** A product that waits. */
function waiting(
  parts: Omit<Product, '_tag'>,
  form: ProductForm,
  state: Lowering,
): Extract<Value, { readonly _tag: 'Pending' }> {
  const product: Product = { _tag: 'Product', ...parts };
  state.products.set(product, form);
  return { _tag: 'Pending', shape: product.shape, element: product };
}

/** The contraction as another operator on transposed operands, if there is a kernel for that. */
function canonical(
  { call, results }: RegionStep,
  form: ContractCall,
  args: readonly [number, number],
  state: Lowering,
): ReadonlyArray<Value> | undefined {
  const shape = shapeAt(results[0] as number, state);
  const shapes = args.map((at) => shapeAt(at, state));
  const found = canonicalProduct(form, shapes, shape);
  if (found === undefined) return undefined;
  const { name, attrs, out, operands: moves, result } = found;
  const isWeightConstant = isConstant(state.values[args[1]], state);
  const looked = moves.map((list, i) => shapeAfter(shapes[i] as Shape, list));
  const own = state.abilities.product({ name, attrs, out, shapes: looked, isWeightConstant });
  if (own === undefined) return undefined;
  const operands = args.map((at, i) => operandOf(at, moves[i] as ReadonlyArray<Move>, state));
  // Elementwise work may go along if the channels are the same axis.
  const isInOrder = sameShape(
    out.filter((dim) => dim !== 1),
    shape.filter((dim) => dim !== 1),
  );
  const isSameAxis = shape.at(own.channelAxis) === out.at(own.channelAxis);
  const isIdentity = isUnmoved(result) && isInOrder && isSameAxis;
  const product = { call, name, attrs, out, operands };
  if (isIdentity) return [waiting({ ...product, shape }, own, state)];
  const whole = newBuffer('float32', out, state);
  compute(waiting({ ...product, shape: out }, own, state).element, whole, state);
  const window = movedWindow(whole, result, state);
  return window && [window];
}

/** The shape of a tensor that is looked at. */
const shapeAfter = (shape: Shape, moves: ReadonlyArray<Move>): Shape =>
  moves.reduce<Shape>((now, move) => {
    if (move._tag === 'Transpose') return move.axes.map((axis) => now[axis] as number);
    return move._tag === 'Slice' ? move.size : move.shape;
  }, shape);

/** Whether no move changes the order of the axes. */
const isUnmoved = (moves: ReadonlyArray<Move>): boolean =>
  moves.every(
    (move) => move._tag === 'Reshape' || (move._tag === 'Transpose' && isAscending(move.axes)),
  );

const isAscending = (axes: ReadonlyArray<number>): boolean => axes.every((axis, i) => axis === i);

/** An operand that is looked at, contiguous; a constant is moved now. */
function operandOf(at: number, moves: ReadonlyArray<Move>, state: Lowering): Window {
  const value = state.values[at];
  if (isConstant(value, state)) {
    const constant = moved(constantOf(value as Window, state), moves);
    return constantWindow(constant, state);
  }
  return contiguous(movedWindow(stored(at, state), moves, state) as Window, state);
}
