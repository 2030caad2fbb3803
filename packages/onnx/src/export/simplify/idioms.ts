/** Formulas that are one operator of ONNX. */
import { mergeSpans } from '@baton/base';
import { tensorType, typeEqual } from '@baton/ir';
import { full, isDType, isFloat, reshapeView, scalar } from '@baton/tensor';
import { float, holdsFloat, int, ints } from '../../operator-api/attribute-values.ts';
import type { NodeAttributeValues, Operand } from '../../operator-api/exporter.ts';
import { elementNumber } from '../../protobuf/element-type.ts';
import type { AttributeValue } from '../../protobuf/messages.ts';
import { constantOperand, type DraftNode } from '../graph-builder.ts';
import { isValid } from '../misfit.ts';
import { having, type Match, matchNode, type NodePattern, node, number } from './match.ts';
import { numbersOf, type Step, sizesOf } from './steps.ts';

/** A formula, and the operator that it is. */
export interface Idiom {
  readonly opType: string;
  /** The operator set with the operator. */
  readonly since: number;
  readonly formulas: ReadonlyArray<NodePattern>;
  /** The names of the inputs. An `x` has the type of the result. */
  readonly inputs: ReadonlyArray<string>;
  /** Inputs that the formula has as numbers; `undefined` where they do not fit. */
  readonly constants?: (match: Match, result: Operand) => Constants | undefined;
  readonly attributes?: (numbers: Match['numbers'], match: Match) => NodeAttributeValues;
  readonly when?: (match: Match) => boolean;
  /** Whether other nodes may use what is computed inside the formula. */
  readonly shares?: boolean;
}

type Constants = Readonly<Record<string, Operand>>;

const upTo = (most: number, x: NodePattern): NodePattern => node('Clip', x, 0, most);

const FLOATS = having({ to: elementNumber('float32') }, node('Cast', 'q'));

const SIXTH = 1 / 6;
const plusThree = upTo(6, node('Add', 'x', 3));

/** Operators that no other idiom contains. */
export const BASIC: ReadonlyArray<Idiom> = [
  {
    opType: 'Div',
    since: 7,
    formulas: [node('Mul', 'n', node('Reciprocal', 'd'))],
    inputs: ['n', 'd'],
  },
  {
    opType: 'DequantizeLinear',
    since: 10,
    formulas: [
      node('Mul', node('Sub', FLOATS, number('zero')), number('scale')),
      node('Mul', FLOATS, number('scale')),
    ],
    inputs: ['q', 'scale', 'zero'],
    constants: quantization,
  },
  {
    opType: 'PRelu',
    since: 7,
    formulas: [node('Where', node('Less', 'x', 0), node('Mul', 'x', 's'), 'x')],
    inputs: ['x', 's'],
  },
  {
    opType: 'HardSwish',
    since: 14,
    formulas: [
      node('Div', node('Mul', 'x', plusThree), 6),
      node('Mul', node('Mul', 'x', plusThree), SIXTH),
      node('Mul', 'x', node('Div', plusThree, 6)),
      node('Mul', 'x', node('Mul', plusThree, SIXTH)),
      node('Mul', 'x', upTo(1, node('Add', node('Mul', 'x', SIXTH), 0.5))),
    ],
    inputs: ['x'],
  },
];

const mean = (x: NodePattern | string, axes: string): NodePattern =>
  having({ keepdims: 1 }, node('ReduceMean', x, axes));
const centred = node('Sub', 'x', mean('x', 'axes'));
const squaresOf = (x: NodePattern | string): ReadonlyArray<NodePattern> => [
  node('Pow', x, 2),
  node('Mul', x, x),
];

/** The root of a mean square, with a number inside. */
const rootOf = (square: NodePattern): NodePattern =>
  node('Sqrt', node('Add', mean(square, 'again'), number('epsilon')));

/** The data divided by the deviation. */
const normalized = (square: NodePattern): NodePattern => node('Div', centred, rootOf(square));

const scaled = (square: NodePattern): NodePattern => node('Mul', normalized(square), 'scale');

const layerNormalization: Omit<Idiom, 'formulas' | 'inputs'> = {
  opType: 'LayerNormalization',
  since: 17,
  constants: vectors,
  attributes: normalizedFrom,
  when: isOverLastAxes,
};

/** The scale and the zero of bytes as ONNX wants them. */
function quantization({ tensors: { q }, numbers }: Match, result: Operand): Constants | undefined {
  const { scale = 1, zero = 0 } = numbers;
  const dtype = q?.type.dtype;
  if (q === undefined || (dtype !== 'int8' && dtype !== 'uint8')) return undefined;
  const least = dtype === 'int8' ? -128 : 0;
  const fits = Number.isInteger(zero) && zero >= least && zero < least + 256;
  if (!fits || !typeEqual(tensorType(q.type.shape, result.type.dtype), result.type)) {
    return undefined;
  }
  return {
    scale: constantOperand(scalar(scale, 'float32')),
    zero: constantOperand(scalar(zero, dtype)),
  };
}

/** Operators that contain others. */
export const LARGER: ReadonlyArray<Idiom> = [
  {
    opType: 'HardSigmoid',
    since: 6,
    formulas: [
      upTo(1, node('Add', node('Mul', 'x', number('alpha')), number('beta'))),
      upTo(1, node('Add', 'x', number('beta'))),
    ],
    inputs: ['x'],
    attributes: ({ alpha = 1, beta = 0 }) => ({ alpha: float(alpha), beta: float(beta) }),
  },
  {
    opType: 'HardSigmoid',
    since: 6,
    formulas: [node('Div', plusThree, 6), node('Mul', plusThree, SIXTH)],
    inputs: ['x'],
    attributes: () => ({ alpha: float(SIXTH), beta: float(0.5) }),
  },
  {
    ...layerNormalization,
    formulas: squaresOf(centred).map((square) => node('Add', scaled(square), 'shift')),
    inputs: ['x', 'scale', 'shift'],
  },
  {
    opType: 'RMSNormalization',
    since: 23,
    formulas: squaresOf('x').map((square) =>
      node('Mul', node('Div', 'x', rootOf(square)), 'scale'),
    ),
    inputs: ['x', 'scale'],
    constants: vectors,
    attributes: normalizedFrom,
    when: isOverLastAxes,
  },
  {
    opType: 'MeanVarianceNormalization',
    since: 13,
    formulas: squaresOf(centred).map((square) =>
      node('Div', centred, node('Add', node('Sqrt', mean(square, 'again')), 1e-9)),
    ),
    inputs: ['x'],
    attributes: (_, { tensors: { axes } }) => ({ axes: ints(numbersOf(axes) ?? []) }),
    when: ({ tensors: { axes, again } }) => String(numbersOf(axes)) === String(numbersOf(again)),
  },
  ...[1, 2].map((p): Idiom => {
    const parts = p === 1 ? node('Abs', 'x') : node('Mul', 'x', 'x');
    const total = having({ keepdims: 1 }, node('ReduceSum', parts, 'axes'));
    const norm = p === 1 ? total : node('Sqrt', total);
    return {
      opType: 'LpNormalization',
      since: 1,
      formulas: [node('Div', 'x', node('Where', node('Equal', norm, 0), 1, norm))],
      inputs: ['x'],
      attributes: (_, { tensors: { axes } }) => ({
        axis: int(numbersOf(axes)?.[0] ?? -1),
        p: int(p),
      }),
      when: ({ tensors: { axes } }) => numbersOf(axes)?.length === 1,
    };
  }),
];

/** Normalizations without a shift, which are within those that have one. */
export const WITHOUT_SHIFT: ReadonlyArray<Idiom> = [
  { ...layerNormalization, formulas: squaresOf(centred).map(scaled), inputs: ['x', 'scale'] },
];

/** Normalizations whose scale is within another operand: `LayerNormalization` wants one, of ones. */
export const WITHOUT_SCALE: ReadonlyArray<Idiom> = [
  {
    ...layerNormalization,
    formulas: squaresOf(centred).map((square) => node('Add', normalized(square), 'shift')),
    inputs: ['x', 'scale', 'shift'],
    constants: ones,
  },
];

/** Normalizations alone, which are within those that have more. */
export const ALONE: ReadonlyArray<Idiom> = [
  {
    ...layerNormalization,
    formulas: squaresOf(centred).map(normalized),
    inputs: ['x', 'scale'],
    constants: ones,
  },
];

/** A constant without axes of one place in front of the last ones. */
function ofRank(rank: number, vector: Operand): Operand {
  const { constant, hint } = vector;
  const shape = constant?.shape ?? [];
  const front = shape.slice(0, Math.max(0, shape.length - rank));
  if (constant === undefined || front.length === 0 || front.some((size) => size !== 1))
    return vector;
  return constantOperand(reshapeView(constant, shape.slice(front.length)), hint);
}

/** The number of axes that are normalized: the last ones. */
function normalizedRank({ tensors: { x, axes, again } }: Match): number {
  const [first = -1] = numbersOf(axes ?? again) ?? [];
  return first < 0 ? -first : (x === undefined ? 0 : sizesOf(x).length) - first;
}

/** The scale and the shift over the normalized axes. */
function vectors(match: Match): Constants {
  const { scale, shift } = match.tensors;
  const rank = normalizedRank(match);
  return {
    ...(scale && { scale: ofRank(rank, scale) }),
    ...(shift && { shift: ofRank(rank, shift) }),
  };
}

/** A scale of ones over the normalized axes, if their sizes are known, and the shift. */
function ones(match: Match, { type: { dtype } }: Operand): Constants | undefined {
  const { x } = match.tensors;
  const sizes = x === undefined ? [] : sizesOf(x).slice(-normalizedRank(match));
  const known = sizes.filter((size) => size !== undefined);
  if (known.length === 0 || known.length < sizes.length || !isDType(dtype)) return undefined;
  return { ...vectors(match), scale: constantOperand(full(known, dtype, 1)) };
}

/** The attributes of a normalization over the axes from the first of them on. */
function normalizedFrom({ epsilon = 0 }: Match['numbers'], match: Match): NodeAttributeValues {
  const { x, axes, again } = match.tensors;
  const [first = -1] = numbersOf(axes ?? again) ?? [];
  const rank = x === undefined ? 0 : sizesOf(x).length;
  const axis = first === rank - 1 ? -1 : first;
  return { axis: int(axis), epsilon: float(epsilon) };
}

/** Whether all means are over the last axes, with a scale and a shift of their sizes. */
function isOverLastAxes({ tensors: { x, axes, again, scale, shift } }: Match): boolean {
  const sizes = x === undefined ? [] : sizesOf(x);
  const lists = [axes ?? again, again].map((list) =>
    (numbersOf(list) ?? []).map((axis) => (axis < 0 ? axis + sizes.length : axis)),
  );
  const [first = sizes.length] = lists[0] ?? [];
  const last = sizes.flatMap((_, axis) => (axis >= first ? [axis] : []));
  const own = sizes.slice(first);
  const fits = (vector: Operand | undefined): boolean =>
    vector === undefined ||
    (own.every((size) => size !== undefined) &&
      String(sizesOf(ofRank(own.length, vector))) === String(own));
  return (
    last.length > 0 && lists.every((list) => `${list}` === `${last}`) && [scale, shift].every(fits)
  );
}

/** The step that writes formulas as the operators that they are. */
export const idioms =
  (rows: ReadonlyArray<Idiom>): Step =>
  (root, graph) => {
    const [result] = root.outputs;
    if (result === undefined || !isDType(result.type.dtype) || !isFloat(result.type.dtype)) {
      return undefined;
    }
    for (const row of rows) {
      if (row.since > graph.opset) continue;
      for (const formula of row.formulas) {
        const match = matchNode(formula, root, graph, row);
        const made = match && written(row, match, root, result);
        if (match === undefined || made === undefined || !isValid(made, graph.opset)) continue;
        const inside = [...match.inside.values()].map(([at]) => graph.maker(at)?.span);
        return [{ ...made, span: mergeSpans(...inside, root.span) }];
      }
    }
    return undefined;
  };

/** The node of a match, if all fits. */
function written(
  { opType, inputs, attributes, constants, when }: Idiom,
  match: Match,
  root: DraftNode,
  result: Operand,
): DraftNode | undefined {
  const { x } = match.tensors;
  const others = constants?.(match, result);
  const isTyped = x === undefined || typeEqual(x.type, result.type);
  if (!isTyped || (constants && others === undefined) || when?.(match) === false) return undefined;
  const made = attributes?.(match.numbers, match) ?? {};
  if (!Object.values(made).every((value) => fits(value, result))) return undefined;
  const named = { ...match.tensors, ...others };
  return { ...root, opType, inputs: inputs.map((name) => named[name]), attributes: made };
}

const fits = (attribute: AttributeValue, { type }: Operand): boolean =>
  attribute.kind !== 'float' || holdsFloat(attribute.value, type.dtype);
