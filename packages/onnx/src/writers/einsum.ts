/** `einsum`: a product of batches of matrices is `MatMul`, which broadcasts batches of any rank. */
import { type Equation, expandEllipsis, parseEquation } from '@baton/ops';
import { product, type Transposed } from '../forms/product.ts';
import { text } from '../operator-api/attribute-values.ts';
import type { CallContext, OnnxExporter, Operand } from '../operator-api/exporter.ts';

export const einsum: OnnxExporter = {
  op: 'einsum',
  write: (context) => {
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
  },
};

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

/** The product of matrices that an equation describes, if it is one. */
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
