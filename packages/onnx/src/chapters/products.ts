/** Products of matrices. */

import type { Expr } from '@baton/ir';
import { type Equation, expandEllipsis, parseEquation } from '@baton/ops';
import { isFloat } from '@baton/tensor';
import { int, text } from '../operator-api/attribute-values.ts';
import type { CallContext, Operand, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { castTo, fromFront, resultDType } from '../shared/element-types.ts';
import { matrixProduct } from '../shared/matrix-product.ts';
import { alongAxis } from '../shared/reshaping.ts';
import { type Chapter, type Operands, reads, writes } from '../shared/rows.ts';
import { inputsOf } from '../shared/sequences.ts';
import { exchanged, transpose } from '../shared/words.ts';

export const productOperators: Chapter = [
  reads('Einsum', 'einsum(?parts, equation=?equation)', {
    let: { parts: inputsOf, equation: ({ attributes }) => attributes.string('equation', '') },
  }),
  reads('Gemm', readGemm, { since: 7 }),
  // `MatMul`: NumPy's, with vectors and with batches that broadcast.
  reads('MatMul', (context) => matrixProduct(context, context.input(0), context.input(1))),
  writes('nn.batch_matmul', writeProduct),
  writes('nn.bias_add', writeBiasAdd),
  writes('nn.dense', (context, [x, weight]) => product(context, x, weight, { a: false, b: true })),
  writes('einsum', writeEinsum),
  writes('nn.matmul', writeProduct),
];

function writeProduct(context: CallContext, [a, b]: Operands): Written {
  const { attrs } = context;
  return product(context, a, b, { a: attrs.bool('transpose_a'), b: attrs.bool('transpose_b') });
}

/** `Gemm`: alpha · A · B + beta · C, where A and B may be transposed and C broadcasts. */
export function readGemm(context: NodeContext): Converted {
  const { attributes } = context;
  const swapped = (x: Expr): Expr => transpose(context, x, [1, 0]);
  const [a, b, c] = [context.input(0), context.input(1), context.optional(2)];
  const data = attributes.int('transA') === 0 ? a : swapped(a);
  // `nn.dense` takes its weight transposed.
  const weight = attributes.int('transB') === 0 ? swapped(b) : b;
  const product = context.call('nn.dense', [data, weight]);
  const scaled = multiplied(context, product, attributes.float('alpha'));
  if (c === undefined || context.hasFailed()) return scaled;
  const addend = multiplied(context, c, attributes.float('beta'));
  const addendDims = context.dimsOf(addend);
  const units = context.dimsOf(product)[1];
  // Two unknown sizes may be 1 and another.
  const isBias = addendDims.length === 1 && typeof units === 'number' && addendDims[0] === units;
  return isBias
    ? context.call('nn.bias_add', [scaled, addend], { axis: 1 })
    : context.call('add', [scaled, addend]);
}

function multiplied(context: NodeContext, x: Expr, factor: number): Expr {
  if (factor === 1) return x;
  const dtype = context.dtypeOf(x);
  if (!isFloat(dtype) && !Number.isInteger(factor)) {
    context.fail('ONNX_ATTRIBUTE', `expected a whole factor of integers, found ${factor}`);
    return x;
  }
  return context.call('multiply', [x, factor]);
}

/** `nn.bias_add`: a product before it takes the bias later. */
function writeBiasAdd(context: CallContext, [x, bias]: Operands): Written {
  const rank = context.dims(x).length;
  const axis = fromFront(context.attrs.int('axis'), rank);
  return context.call('add', [x, alongAxis(context, bias, axis, rank)]);
}

/** `einsum`: a product of batches of matrices is `MatMul`, which broadcasts batches of any rank. */
function writeEinsum(context: CallContext): Written {
  const operands = context.fields(0);
  const parsed = parseEquation(context.attrs.text('equation'));
  const ranks = operands.map((operand) => context.dims(operand).length);
  const labels = parsed && expandEllipsis(parsed, ranks);
  if (labels === undefined) return context.fail('expected an equation that fits its operands');
  const [a, b] = operands;
  const sides = asProduct(labels);
  if (a !== undefined && b !== undefined && sides !== undefined) {
    const inner = [context.dims(a).at(sides.a ? -2 : -1), context.dims(b).at(sides.b ? -1 : -2)];
    // An equation stretches a size of 1, and a product does not.
    const isStretched = inner.filter((dim) => dim === 1).length === 1;
    if (!isStretched) return product(context, a, b, sides);
  }
  const parts = operands.map((x, i) => withoutStretched(context, x, i, labels));
  const equation = inLetters({
    operands: parts.map((part) => part.labels),
    result: labels.result,
  });
  if (equation === undefined) return context.fail(`expected at most ${LETTERS.length} labels`);
  const inputs = parts.map((part) => part.operand);
  return context.node('Einsum', inputs, { equation: text(equation) });
}

interface Part {
  readonly operand: Operand;
  readonly labels: ReadonlyArray<string>;
}

/**
 * An operand without the axes of size 1 that other operands stretch: ONNX says so of ellipses only.
 */
function withoutStretched(
  context: CallContext,
  operand: Operand,
  index: number,
  { operands }: Equation,
): Part {
  const labels = operands[index] ?? [];
  const dims = context.dims(operand);
  const others = context.fields(0).map(context.dims);
  const isStretched = (label: string, axis: number): boolean =>
    dims[axis] === 1 &&
    operands.some((own, i) => own.some((other, at) => other === label && others[i]?.[at] !== 1));
  const axis = labels.flatMap((label, at) => (isStretched(label, at) ? [at] : []));
  if (axis.length === 0) return { operand, labels };
  const kept = labels.filter((_, at) => !axis.includes(at));
  return { operand: context.call('squeeze', [operand], { axis }), labels: kept };
}

function asProduct({ operands: [a, b, ...others], result }: Equation): Transposed | undefined {
  if (a === undefined || b === undefined || others.length > 0) return undefined;
  if (a.length < 2 || b.length < 2 || result.length < 2) return undefined;
  const [row, column] = result.slice(-2);
  const batch = result.slice(0, -2);
  const [left, right] = [a.slice(-2), b.slice(-2)];
  const inner = left.find((label) => label !== row);
  const isPair = (pair: ReadonlyArray<string>, x = '', y = ''): boolean =>
    pair[0] === x && pair[1] === y;
  const transposed = { a: isPair(left, inner, row), b: isPair(right, column, inner) };
  const areMatrices =
    (transposed.a || isPair(left, row, inner)) && (transposed.b || isPair(right, inner, column));
  const ends = [row, column, inner];
  const isBatch = (labels: ReadonlyArray<string>): boolean =>
    labels.every((label, i) => label === batch[batch.length - labels.length + i]);
  const [before, beforeToo] = [a.slice(0, -2), b.slice(0, -2)];
  const areBatches =
    isBatch(before) &&
    isBatch(beforeToo) &&
    Math.max(before.length, beforeToo.length) === batch.length;
  const areDistinct =
    new Set(ends).size === ends.length && !batch.some((label) => ends.includes(label));
  return areMatrices && areBatches && areDistinct ? transposed : undefined;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * The equation with a letter for each label. ONNX wants ellipses of one rank: here each of their
 * axes is a letter of its own.
 */
function inLetters({ operands, result }: Equation): string | undefined {
  const labels = [...new Set([...operands.flat(), ...result])];
  if (labels.length > LETTERS.length) return undefined;
  const own = new Set(labels);
  const free = [...LETTERS].filter((letter) => !own.has(letter));
  const letters = new Map(
    labels.map((label) => [label, label.length === 1 ? label : (free.shift() ?? label)]),
  );
  const written = (list: ReadonlyArray<string>): string =>
    list.map((label) => letters.get(label)).join('');
  return `${operands.map(written).join(',')}->${written(result)}`;
}

interface Transposed {
  readonly a: boolean;
  readonly b: boolean;
}

/**
 * The product of two sides: `Gemm`, which takes a bias, of two matrices of floats, else `MatMul`.
 * The product has the dtype of the result.
 */
function product(context: CallContext, a: Operand, b: Operand, transposed: Transposed): Operand {
  const dtype = resultDType(context);
  const [left, right] = [castTo(context, a, dtype), castTo(context, b, dtype)];
  const areMatrices = context.dims(a).length === 2 && context.dims(b).length === 2;
  if (areMatrices && isFloat(dtype)) {
    const flags = { transA: int(transposed.a), transB: int(transposed.b) };
    return context.node('Gemm', [left, right], flags);
  }
  return context.node('MatMul', [
    transposed.a ? withSwappedEnd(context, left) : left,
    transposed.b ? withSwappedEnd(context, right) : right,
  ]);
}

function withSwappedEnd(context: CallContext, x: Operand): Operand {
  const rank = context.dims(x).length;
  return transpose(context, x, exchanged(rank, rank - 2, rank - 1));
}
