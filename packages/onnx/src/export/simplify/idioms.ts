/** Formulas that are one operator of ONNX. */
import { invariant, mergeSpans } from '@baton/base';
import { tensorType, typeEqual } from '@baton/ir';
import { definitionColumn, type Formula, type FormulaCase, formula, standardOps } from '@baton/ops';
import { full, isDType, isFloat, reshapeView, scalar } from '@baton/tensor';
import {
  LP_NORMALIZED,
  MEAN_VARIANCE_NORMALIZED,
  ROOT_NORMALIZED,
} from '../../chapters/normalizations.ts';
import { float, holdsFloat, int, ints } from '../../operator-api/attribute-values.ts';
import type { NodeAttributeValues, Operand } from '../../operator-api/exporter.ts';
import { elementNumber } from '../../protobuf/element-type.ts';
import type { AttributeValue } from '../../protobuf/messages.ts';
import { constantOperand, type DraftNode } from '../graph-builder.ts';
import { isValid } from '../misfit.ts';
import { having, type Match, matchNode, type NodePattern, node, nodesOf, number } from './match.ts';
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
];

/** The patterns of a formula, with squares as products or as powers. */
const bothSquares = (
  given: Formula,
  names: Readonly<Record<string, string>> = {},
): ReadonlyArray<NodePattern> =>
  (['Pow', 'Mul'] as const).map((square) =>
    nodesOf(given, { names, numbers: ['epsilon'], square }),
  );

/** `nn.layer_norm` as its definition says it, with a scale and a shift or without. */
function layerNorms(scale: boolean, center: boolean): ReadonlyArray<NodePattern> {
  const cases = standardOps.read(definitionColumn, 'nn.layer_norm');
  invariant(Array.isArray(cases), 'layer normalization is defined by formulas');
  return (cases as ReadonlyArray<FormulaCase>)
    .filter(({ where }) => where.scale === scale && where.center === center)
    .flatMap((one) => bothSquares(one.formula, { data: 'x', gamma: 'scale', beta: 'shift' }));
}

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
  { ...layerNormalization, formulas: layerNorms(true, true), inputs: ['x', 'scale', 'shift'] },
  {
    opType: 'RMSNormalization',
    since: 23,
    formulas: bothSquares(formula(`${ROOT_NORMALIZED} * ?scale`)),
    inputs: ['x', 'scale'],
    constants: vectors,
    attributes: normalizedFrom,
    when: isOverLastAxes,
  },
  {
    opType: 'MeanVarianceNormalization',
    since: 13,
    formulas: bothSquares(formula(MEAN_VARIANCE_NORMALIZED)),
    inputs: ['x'],
    attributes: (_, { tensors: { axes } }) => ({ axes: ints(numbersOf(axes) ?? []) }),
    when: ({ tensors: { axes, again } }) => String(numbersOf(axes)) === String(numbersOf(again)),
  },
  ...LP_NORMALIZED.map(
    (text, i): Idiom => ({
      opType: 'LpNormalization',
      since: 1,
      formulas: [nodesOf(formula<string>(text), {})],
      inputs: ['x'],
      attributes: (_, { tensors: { axes } }) => ({
        axis: int(numbersOf(axes)?.[0] ?? -1),
        p: int(i + 1),
      }),
      when: ({ tensors: { axes } }) => numbersOf(axes)?.length === 1,
    }),
  ),
];

/** Normalizations without a shift, which are within those that have one. */
export const WITHOUT_SHIFT: ReadonlyArray<Idiom> = [
  { ...layerNormalization, formulas: layerNorms(true, false), inputs: ['x', 'scale'] },
];

/** Normalizations whose scale is within another operand: `LayerNormalization` wants one, of ones. */
export const WITHOUT_SCALE: ReadonlyArray<Idiom> = [
  {
    ...layerNormalization,
    formulas: layerNorms(false, true),
    inputs: ['x', 'scale', 'shift'],
    constants: ones,
  },
];

/** Normalizations alone, which are within those that have more. */
export const ALONE: ReadonlyArray<Idiom> = [
  {
    ...layerNormalization,
    formulas: layerNorms(false, false),
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
  const lists = [axes, again ?? axes].map((list) =>
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
