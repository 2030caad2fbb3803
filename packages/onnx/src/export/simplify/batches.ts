/**
 * Products with the operands that ONNX takes. Relay has one axis of batches, of equal sizes, and no
 * vectors: it reshapes, broadcasts and transposes operands, which `MatMul` and `Gemm` take as they are.
 */
import { mergeSpans } from '@baton/base';
import { anyDim, type Dim, dimsEqual, isAnyDim } from '@baton/ir';
import { broadcastShapes } from '@baton/tensor';
import { int } from '../../operator-api/attribute-values.ts';
import type { Operand } from '../../operator-api/exporter.ts';
import type { DraftNode } from '../graph-builder.ts';
import {
  knownSizes,
  type Made,
  numberAttribute,
  numbersOf,
  permOf,
  type Step,
  type Surroundings,
} from './steps.ts';

export const batches: Step = (node, graph) => {
  if (node.opType !== 'Reshape') return undefined;
  const { maker, uses } = graph;
  const [merged, shape] = node.inputs;
  const isOnlyHere = merged !== undefined && uses(merged) === 1 + sizesFrom(merged, shape, graph);
  const product = isOnlyHere ? maker(merged) : undefined;
  const [result] = node.outputs;
  if (product?.opType !== 'MatMul' || result === undefined) return undefined;
  const sides = product.inputs.map(maker);
  const [a, b] = sides.map((side) => (side?.opType === 'Reshape' ? side : undefined));
  const [left, right] = [a?.inputs[0], b?.inputs[0]];
  if (a === undefined || b === undefined || left === undefined || right === undefined) {
    return undefined;
  }
  const lead = dimsOf(result).slice(0, -2);
  const fits =
    mergesBatches(a, lead) && mergesBatches(b, lead) && areSame(ends(result), ends(merged));
  if (!fits) return undefined;
  const span = mergeSpans(a.span, b.span, product.span, node.span);
  return [{ ...product, inputs: [left, right], outputs: node.outputs, span }];
};

export const operands: Step = (node, graph) => {
  if (node.opType === 'Gemm') return untransposed(node, graph);
  if (node.opType === 'MatMul') return unexpanded(node, graph);
  return node.opType === 'Squeeze' ? ofVectors(node, graph) : undefined;
};

/** `Gemm(Transpose(a), b)`: the node transposes. */
function untransposed(node: DraftNode, { maker }: Surroundings): Made | undefined {
  const sides = (['transA', 'transB'] as const).flatMap((flag, place) => {
    const made = maker(node.inputs[place]);
    const isSwap = made?.opType === 'Transpose' && String(permOf(made)) === '1,0';
    return isSwap ? [{ flag, place, source: made.inputs[0] }] : [];
  });
  if (sides.length === 0) return undefined;
  const inputs = [...node.inputs];
  const attributes = { ...node.attributes };
  for (const { flag, place, source } of sides) {
    inputs[place] = source;
    attributes[flag] = int(1 - (numberAttribute(node, flag) ?? 0));
  }
  return [{ ...node, inputs, attributes }];
}

/** `MatMul(Expand(a), b)`: batches broadcast. */
function unexpanded(node: DraftNode, { maker }: Surroundings): Made | undefined {
  const inputs = node.inputs.map((input) => {
    const made = maker(input);
    return made?.opType === 'Expand' ? made.inputs[0] : input;
  });
  const [[result], sizes] = [node.outputs, inputs.map(knownSizes)];
  const [a, b] = sizes;
  const found = result && knownSizes(result);
  const isSame = inputs.every((input, i) => input === node.inputs[i]);
  if (isSame || a === undefined || b === undefined || found === undefined) return undefined;
  if (a.length < 2 || b.length < 2) return undefined;
  const lead = broadcastShapes(a.slice(0, -2), b.slice(0, -2));
  return String(lead) === String(found.slice(0, -2)) ? [{ ...node, inputs }] : undefined;
}

/** A product of a row or a column whose axis is dropped: of a vector. */
function ofVectors(node: DraftNode, { maker, isUsedOnce }: Surroundings): Made | undefined {
  const [data, list] = node.inputs;
  const product = data !== undefined && isUsedOnce(data) ? maker(data) : undefined;
  if (data === undefined || product === undefined || !isPlainProduct(product)) return undefined;
  const rank = dimsOf(data).length;
  const vectors = product.inputs.map((input) => {
    const made = maker(input);
    const [source] = made?.inputs ?? [];
    const isVector = made?.opType === 'Unsqueeze' && source && dimsOf(source).length === 1;
    return isVector ? source : undefined;
  });
  const dropped = numbersOf(list)?.map((axis) => (axis < 0 ? axis + rank : axis));
  const expected = vectors.flatMap((vector, side) => (vector ? [rank - 2 + side] : []));
  if (expected.length === 0 || String(dropped) !== String(expected)) return undefined;
  const inputs = product.inputs.map((input, side) => vectors[side] ?? input);
  const span = mergeSpans(product.span, node.span);
  return [{ ...product, opType: 'MatMul', inputs, outputs: node.outputs, attributes: {}, span }];
}

/** Whether a node is the product of its two inputs. */
const isPlainProduct = (node: DraftNode): boolean =>
  node.opType === 'MatMul' ||
  (node.opType === 'Gemm' &&
    node.inputs.length === 2 &&
    ['transA', 'transB'].every((flag) => (numberAttribute(node, flag) ?? 0) === 0) &&
    (numberAttribute(node, 'alpha') ?? 1) === 1);

/** The number of uses of a tensor for sizes that only this list of sizes contains. */
export function sizesFrom(
  x: Operand,
  list: Operand | undefined,
  { maker, isUsedOnce }: Surroundings,
): number {
  let count = 0;
  const pending = [list];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const made = isUsedOnce(at) ? maker(at) : undefined;
    if (made?.opType === 'Shape' && made.inputs[0] === x) count++;
    else pending.push(...(made?.inputs.filter((input) => input !== undefined) ?? []));
  }
  return count;
}

/** Whether a reshape merges just these axes, and leaves the matrices as they are. */
function mergesBatches(
  { inputs: [x], outputs: [y] }: DraftNode,
  lead: ReadonlyArray<Dim>,
): boolean {
  if (x === undefined || y === undefined || dimsOf(y).length !== 3) return false;
  return areSame(dimsOf(x).slice(0, -2), lead) && areSame(ends(x), ends(y));
}

const dimsOf = ({ type }: Operand): ReadonlyArray<Dim> => ('_tag' in type.shape ? [] : type.shape);

/** The sizes of the matrices. */
const ends = (x: Operand | undefined): ReadonlyArray<Dim> =>
  x === undefined ? [] : dimsOf(x).slice(-2);

/** Whether sizes are the same, by their numbers or their names. */
const areSame = (a: ReadonlyArray<Dim>, b: ReadonlyArray<Dim>): boolean =>
  a.length === b.length && a.every((dim, i) => !isAnyDim(dim) && dimsEqual(dim, b[i] ?? anyDim));
