/**
 * X6: spellings that onnxruntime fuses, of as many nodes: passes move numbers to where they cost less,
 * and hide the form that the runtime computes as one kernel.
 */
import { tensorType } from '@baton/ir';
import { broadcastShapes, isDType, scalar, shapeSize } from '@baton/tensor';
import type { Operand } from '../../operator-api/exporter.ts';
import { constantOperand, type DraftNode, operand } from '../graph-builder.ts';
import { matchNode, node } from './match.ts';
import { knownSizes, numberAttribute, numbersOf, type Step, type Surroundings } from './steps.ts';

/** The nodes of a spelling; the last has the results of the root. */
type Spelling = (root: DraftNode, graph: Surroundings) => ReadonlyArray<DraftNode> | undefined;

export const fusible: Step = (root, graph) => {
  for (const spelling of SPELLINGS) {
    const made = spelling(root, graph);
    if (made !== undefined) return made;
  }
  return undefined;
};

const SCALED = node('Erf', node('Mul', 'x', Math.SQRT1_2));

/** erf(x / √2), as it is in a Gelu. */
const gelu: Spelling = (root, graph) => {
  const { x } = matchNode(SCALED, root, graph)?.tensors ?? {};
  const inner = graph.maker(root.inputs[0]);
  const root2 = x && numberLike(x, Math.SQRT2);
  if (x === undefined || inner?.opType !== 'Mul' || root2 === undefined) return undefined;
  return respelled(root, { ...inner, opType: 'Div', inputs: [x, root2] });
};

const ERFS = [SCALED, node('Erf', node('Div', 'x', Math.SQRT2))];

/** x (1 + erf) / 2 in other orders. */
const GELUS = ERFS.flatMap((erf) => [
  node('Mul', 'x', node('Add', node('Mul', erf, 0.5), 0.5)),
  node('Mul', 'x', node('Mul', node('Add', erf, 1), 0.5)),
  node('Mul', node('Mul', 'x', 0.5), node('Add', erf, 1)),
]);

/**
 * A Gelu in the order of its definition: the data times the sum, and half of that. It goes before the other
 * spellings, which would hide it.
 */
export const gelus: Step = (root, graph) => {
  if (root.opType !== 'Mul') return undefined;
  const [x] = GELUS.flatMap((pattern) => matchNode(pattern, root, graph)?.tensors.x ?? []);
  const [root2, one, half] = [Math.SQRT2, 1, 0.5].map((value) => x && numberLike(x, value));
  if (x === undefined || root2 === undefined || one === undefined || half === undefined) {
    return undefined;
  }
  const nodes: DraftNode[] = [];
  const add = (opType: string, ...inputs: ReadonlyArray<Operand>): Operand => {
    const result = operand(x.type);
    nodes.push({ ...root, opType, inputs, outputs: [result], attributes: {} });
    return result;
  };
  const sum = add('Add', add('Erf', add('Div', x, root2)), one);
  const product = add('Mul', x, sum);
  return [...nodes, { ...root, inputs: [product, half] }];
};

/** A node after its first input in another spelling. */
function respelled(root: DraftNode, inner: DraftNode): ReadonlyArray<DraftNode> {
  const outputs = inner.outputs.map(({ type, hint }) => operand(type, { hint }));
  return [
    { ...inner, outputs },
    { ...root, inputs: [...outputs, ...root.inputs.slice(1)] },
  ];
}

/** The mean of x² with a power, as it is in a normalization by the root of the mean square. */
const meanSquare: Spelling = (root, { maker, isUsedOnce }) => {
  const [square] = root.inputs;
  const inner = maker(square);
  const [x, y] = inner?.inputs ?? [];
  const isSquare = inner?.opType === 'Mul' && x !== undefined && x === y;
  if (root.opType !== 'ReduceMean' || square === undefined || inner === undefined) return undefined;
  if (!isSquare || !isUsedOnce(square) || !isOverLastAxis(root, square)) return undefined;
  const two = numberLike(x, 2);
  return two && respelled(root, { ...inner, opType: 'Pow', inputs: [x, two] });
};

/** Whether a mean over the last axis keeps it. */
function isOverLastAxis(root: DraftNode, { type: { shape } }: Operand): boolean {
  const { axes } = root.attributes;
  const given = axes?.kind === 'ints' ? axes.value.map(Number) : numbersOf(root.inputs[1]);
  const [axis, ...others] = given ?? [];
  const last = '_tag' in shape ? -1 : shape.length - 1;
  const isLast = others.length === 0 && (axis === -1 || axis === last);
  return isLast && numberAttribute(root, 'keepdims') === 1;
}

/** f (s w) of the sums f of a product of integers, with the scale s of the data and w of the weight. */
const scaledProduct: Spelling = (root, { maker, isUsedOnce }) => {
  const [scaled, factor] = withConstantLast(root);
  const inner = scaled === undefined || !isUsedOnce(scaled) ? undefined : maker(scaled);
  if (root.opType !== 'Mul' || factor === undefined || inner?.opType !== 'Mul') return undefined;
  const isSum = (of: Operand | undefined): boolean => {
    const cast = maker(of);
    return cast?.opType === 'Cast' && maker(cast.inputs[0])?.opType === 'MatMulInteger';
  };
  const [f, s] = isSum(inner.inputs[0]) ? inner.inputs : inner.inputs.toReversed();
  const sizes = s && knownSizes(s);
  if (f === undefined || s === undefined || sizes === undefined || !isSum(f)) return undefined;
  if (shapeSize(sizes) !== 1 || s.constant !== undefined || factor.constant === undefined) {
    return undefined;
  }
  const shape = broadcastShapes(sizes, factor.constant.shape);
  const both = shape && operand(tensorType(shape, s.type.dtype));
  return (
    both && [
      { ...inner, inputs: [s, factor], outputs: [both] },
      { ...root, inputs: [f, both] },
    ]
  );
};

const withConstantLast = ({ inputs: [a, b] }: DraftNode): ReadonlyArray<Operand | undefined> =>
  a?.constant === undefined ? [a, b] : [b, a];

/** A number of the type of a tensor. */
const numberLike = ({ type: { dtype } }: Operand, value: number): Operand | undefined =>
  isDType(dtype) ? constantOperand(scalar(value, dtype)) : undefined;

const SPELLINGS: ReadonlyArray<Spelling> = [gelu, meanSquare, scaledProduct];
