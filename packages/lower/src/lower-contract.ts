/** Contractions: products by kernels written by hand. */
import { type BlockPacking, type CallForm, type Move, moved } from '@baton/ops';
import { cast, type DType, type Shape, sameShape, type Tensor } from '@baton/tensor';
import { canonicalProduct } from './canonical-product.ts';
import type { BlockOperand, IntegerOperands, Product, SumType } from './element.ts';
import { type Factor, integerFactor, sumMostOf } from './integer-factor.ts';
import { roundedTo, widened } from './lower-half.ts';
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
  type OperandStrides,
  operandStrides,
  type ProductCall,
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
  const factors = factorsOf(step, form, state);
  const found =
    factors &&
    (asItIs(step, form, factors, state) ??
      (factors.blocks ? undefined : canonical(step, form, factors, state)));
  if (found === undefined) return referenced(step, state);
  const [result] = step.results as [number];
  const isNarrow = factors?.dtype === 'float32' && dtypeAt(result, state) !== 'float32';
  return isNarrow ? found.map((sums) => roundedTo(dtypeAt(result, state), sums, state)) : found;
}

/** The operands of a product, and the windows after them: zero points of integers, or what scales blocks. */
interface Factors {
  readonly all: readonly [Factor, Factor];
  readonly others: ReadonlyArray<Window>;
  /** The type of the sums. */
  readonly dtype: SumType;
  readonly integers?: IntegerOperands;
  readonly blocks?: BlockOperand;
}

/** The operands of a call of floats, or of integers in int32; `undefined` if no kernel multiplies them. */
function factorsOf(
  { args: given, results }: RegionStep,
  { zeroPoints, blocks }: ContractCall,
  state: Lowering,
): Factors | undefined {
  const args = given.flatMap(leavesOf);
  const [data, weight] = args as [number, number];
  const types = [...args, results[0] as number].map((at) => dtypeAt(at, state));
  if (blocks !== undefined) return blockFactors(args, types, blocks, state);
  const dtype = FLOATS.find((float) => types.every((type) => type === float));
  if (dtype !== undefined && args.length === 2) {
    return { all: [storedFactor(data, state), storedFactor(weight, state)], others: [], dtype };
  }
  if (types.every((type) => type === 'float16') && args.length === 2) {
    const all = [widenedFactor(data, state), widenedFactor(weight, state)] as const;
    return { all, others: [], dtype: 'float32' };
  }
  if (types.at(-1) !== 'int32' || args.length !== (zeroPoints === undefined ? 2 : 6))
    return undefined;
  const zeroOf = (index: number | undefined): number | undefined =>
    index === undefined ? undefined : args[index];
  const axis = zeroPoints?.axis ?? 0;
  const left = integerFactor(data, zeroOf(zeroPoints?.data), 0, false, state);
  const right = integerFactor(weight, zeroOf(zeroPoints?.weight), axis, true, state);
  if (left === undefined || right === undefined) return undefined;
  const integers: IntegerOperands = {
    data: left.dtype,
    weight: right.dtype,
    dataZero: left.zero?.dtype,
    weightZero: right.zero?.dtype,
    dataMost: left.most,
    weightMost: right.most,
    sumMost: Number.POSITIVE_INFINITY,
  };
  const zeros = [left, right].flatMap(({ zero }) => (zero === undefined ? [] : [zero]));
  return { all: [left, right], others: zeros, dtype: 'int32', integers };
}

/** The types of floats that kernels multiply, with sums of the same type. */
const FLOATS = ['float32', 'float64'] as const;

/** An operand of float16 as float32, which has all of its numbers. */
function widenedFactor(at: number, state: Lowering): Factor {
  const { shape, constant } = storedFactor(at, state);
  const wide = constant && cast(constant, 'float32');
  const window = (): Window =>
    wide === undefined ? widened(at, state) : constantWindow(wide, state);
  return { shape, constant: wide, window };
}

/** Floats and a weight of few bits, which is read as it is; `undefined` if the floats are of other types. */
function blockFactors(
  args: ReadonlyArray<number>,
  types: ReadonlyArray<DType>,
  { bits }: BlockPacking,
  state: Lowering,
): Factors | undefined {
  const [data, weight, scale, zero] = args as [number, number, number, number];
  if (types.some((dtype, i) => dtype !== (i === WEIGHT ? 'uint8' : 'float32'))) return undefined;
  return {
    all: [storedFactor(data, state), { ...storedFactor(weight, state), constant: undefined }],
    others: [rowMajor(scale, state), rowMajor(zero, state)],
    dtype: 'float32',
    blocks: { bits, hasOneZero: shapeAt(zero, state).length === 0 },
  };
}

/** The position of the weight among the operands of a product. */
const WEIGHT = 1;

/** An operand as it is: it is stored, and made contiguous, when a kernel is sure to read it. */
function storedFactor(at: number, state: Lowering): Factor {
  const value = state.values[at];
  return {
    shape: shapeAt(at, state),
    constant: isConstant(value, state) ? constantOf(value as Window, state) : undefined,
    window: () => stored(at, state),
  };
}

/** The call as it is, if there is a kernel for it. */
function asItIs(
  { call: prepared, results }: RegionStep,
  { zeroPoints }: ContractCall,
  { all, others, dtype, integers, blocks }: Factors,
  state: Lowering,
): ReadonlyArray<Value> | undefined {
  if (zeroPoints !== undefined) return undefined;
  const shape = shapeAt(results[0] as number, state);
  const operator = { name: prepared.name, attrs: prepared.attrs, out: shape };
  const shapes = all.map((factor) => factor.shape);
  const isWeightConstant = all[1].constant !== undefined;
  const bounded = withBound(integers, operator.name, all[1].constant);
  const asked = { ...operator, dtype, shapes, isWeightConstant, integers: bounded, blocks };
  const own = state.abilities.product(asked);
  if (own === undefined) return undefined;
  const laid = asRead(asked, own, [all[0].window(), all[1].window()], state);
  const operands = [...laid.operands, ...others];
  const parts = { ...operator, dtype, call: prepared, operands, shape, integers: bounded, blocks };
  return [waiting(parts, laid.form, state)];
}

/**
 * The operands as a kernel reads them, and its form: views, if it can read those, else contiguous. A constant
 * weight is packed, or copied, when the region is compiled, from any view.
 */
function asRead(
  asked: ProductCall,
  own: ProductForm,
  windows: readonly [Window, Window],
  state: Lowering,
): { readonly operands: ReadonlyArray<Window>; readonly form: ProductForm } {
  const made = (window: Window, i: number): Window =>
    i === WEIGHT && asked.isWeightConstant ? window : contiguous(window, state);
  const strides = operandStrides(windows, asked.isWeightConstant);
  const [data, weight] = strides ?? [];
  const choices: ReadonlyArray<OperandStrides> = [
    [data, weight],
    [data, undefined],
    [undefined, weight],
  ];
  for (const choice of strides === undefined ? [] : choices) {
    if (choice.every((it) => it === undefined)) continue;
    const form = state.abilities.product({ ...asked, strides: choice });
    if (form === undefined) continue;
    const isView = (i: number): boolean => choice[i] !== undefined;
    return { operands: windows.map((it, i) => (isView(i) ? it : made(it, i))), form };
  }
  return { operands: windows.map(made), form: own };
}

/** The operands of a product, with a bound of the sums of a convolution of a constant weight. */
function withBound(
  integers: IntegerOperands | undefined,
  name: string,
  weight: Tensor | undefined,
): IntegerOperands | undefined {
  if (integers === undefined || weight === undefined || name !== 'nn.conv2d') return integers;
  return { ...integers, sumMost: sumMostOf(weight, integers.dataMost) };
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
  { all, others, dtype, integers }: Factors,
  state: Lowering,
): ReadonlyArray<Value> | undefined {
  const shape = shapeAt(results[0] as number, state);
  const shapes = all.map((factor) => factor.shape);
  const found = canonicalProduct(form, shapes, shape);
  if (found === undefined) return undefined;
  const { name, attrs, out, operands: moves, result } = found;
  const isWeightConstant = all[1].constant !== undefined;
  const looked = moves.map((list, i) => shapeAfter(shapes[i] as Shape, list));
  const weight = all[1].constant && moved(all[1].constant, moves[1] as ReadonlyArray<Move>);
  const bounded = withBound(integers, name, weight);
  const asked = { name, attrs, out, dtype, shapes: looked, isWeightConstant, integers: bounded };
  const own = state.abilities.product(asked);
  if (own === undefined) return undefined;
  const views = all.map((it, i) => operandOf(it, moves[i] as ReadonlyArray<Move>, state));
  const laid = asRead(asked, own, views as [Window, Window], state);
  const operands = [...laid.operands, ...others];
  // Elementwise work may go along if the channels are the same axis.
  const isInOrder = sameShape(
    out.filter((dim) => dim !== 1),
    shape.filter((dim) => dim !== 1),
  );
  const isSameAxis = shape.at(own.channelAxis) === out.at(own.channelAxis);
  const isIdentity = isUnmoved(result) && isInOrder && isSameAxis;
  const product = { call, name, attrs, out, dtype, operands, integers: bounded };
  if (isIdentity) return [waiting({ ...product, shape }, laid.form, state)];
  const whole = newBuffer(dtype, out, state);
  compute(waiting({ ...product, shape: out }, laid.form, state).element, whole, state);
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

/** An operand that is looked at; a constant is moved now. */
function operandOf(
  { constant, window }: Factor,
  moves: ReadonlyArray<Move>,
  state: Lowering,
): Window {
  if (constant !== undefined) return constantWindow(moved(constant, moves), state);
  return movedWindow(window(), moves, state) as Window;
}
