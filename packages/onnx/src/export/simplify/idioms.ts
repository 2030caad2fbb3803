/** Formulas that are one operator of ONNX. */
import { mergeSpans } from '@baton/base';
import { tensorType, typeEqual } from '@baton/ir';
import { isDType, isFloat, scalar } from '@baton/tensor';
import { float, int } from '../../node/attribute-values.ts';
import type { NodeAttributeValues, Operand } from '../../node/writer.ts';
import { elementNumber } from '../../protobuf/element-type.ts';
import type { AttributeValue } from '../../protobuf/messages.ts';
import { constantOperand, type DraftNode } from '../draft.ts';
import { isValid } from '../schemas.ts';
import { having, type Match, matchNode, type NodePattern, node, number } from './match.ts';
import { numbersOf, type Step, sizesOf } from './step.ts';

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
  readonly attributes?: (numbers: Match['numbers']) => NodeAttributeValues;
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

const centred = node('Sub', 'x', having({ keepdims: 1 }, node('ReduceMean', 'x', 'axes')));
const squares = [node('Pow', centred, 2), node('Mul', centred, centred)];

/** The data divided by the deviation, scaled and shifted. */
const normalized = (square: NodePattern): NodePattern => {
  const variance = having({ keepdims: 1 }, node('ReduceMean', square, 'again'));
  const deviation = node('Sqrt', node('Add', variance, number('epsilon')));
  return node('Add', node('Mul', node('Div', centred, deviation), 'scale'), 'shift');
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
    opType: 'LayerNormalization',
    since: 17,
    formulas: squares.map(normalized),
    inputs: ['x', 'scale', 'shift'],
    attributes: ({ epsilon = 0 }) => ({ axis: int(-1), epsilon: float(epsilon) }),
    when: isOverLastAxis,
  },
];

/** Whether both means are over the last axis, with a scale and a shift along it. */
function isOverLastAxis({ tensors: { x, axes, again, scale, shift } }: Match): boolean {
  const sizes = x === undefined ? [] : sizesOf(x);
  const isLast = [axes, again].every((list) => {
    const [axis, ...others] = numbersOf(list) ?? [];
    return others.length === 0 && (axis === -1 || axis === sizes.length - 1);
  });
  const areVectors = [scale, shift].every((vector) => {
    const [size, ...others] = vector === undefined ? [] : sizesOf(vector);
    return size !== undefined && size === sizes.at(-1) && others.length === 0;
  });
  return isLast && areVectors;
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
  const made = attributes?.(match.numbers) ?? {};
  if (!Object.values(made).every((value) => fits(value, result))) return undefined;
  const named = { ...match.tensors, ...others };
  return { ...root, opType, inputs: inputs.map((name) => named[name]), attributes: made };
}

/** Whether an attribute, whose floats are float32, holds a number to the precision of the result. */
const fits = (attribute: AttributeValue, { type }: Operand): boolean =>
  attribute.kind !== 'float' ||
  type.dtype !== 'float64' ||
  Math.fround(attribute.value) === attribute.value;
