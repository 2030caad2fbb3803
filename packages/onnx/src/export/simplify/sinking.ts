/**
 * Views after which elements change one by one: the view comes after that, too, and so meets other
 * views, and the change meets the product before the view.
 */
import { tensorType } from '@baton/ir';
import { reshapeView, shapeSize } from '@baton/tensor';
import type { Operand } from '../../operator-api/exporter.ts';
import { constantOperand, type DraftNode, operand } from '../graph-builder.ts';
import { knownSizes, type Step, type Surroundings } from './steps.ts';
import { shapeOf, sourceOf } from './views.ts';

export const sinking: Step = (node, graph) => {
  const [result] = node.outputs;
  const place = node.inputs.findIndex((input) => input !== undefined && !input.constant);
  const view = node.inputs[place];
  if (result === undefined || view === undefined || !ELEMENTWISE.has(node.opType)) return undefined;
  const x = viewed(view, graph);
  const shape = shapeOf(result);
  const from = knownSizes(x);
  if (x === undefined || shape === undefined || from === undefined) return undefined;
  if (String(knownSizes(view)) !== String(knownSizes(result))) return undefined;
  const inputs = node.inputs.map((input, i) => {
    if (i === place || input === undefined) return x;
    return input.constant && alike(input, view, from);
  });
  const isWhole = inputs.every((input, i) => input !== undefined && node.inputs[i] !== undefined);
  if (!isWhole) return undefined;
  const changed = operand(tensorType(from, result.type.dtype));
  const made: DraftNode = { ...node, inputs, outputs: [changed] };
  const attributes = {};
  return [made, { ...node, opType: 'Reshape', inputs: [changed, shape], attributes }];
};

/** Operators of one tensor and constants that take the elements one by one. */
const ELEMENTWISE: ReadonlySet<string> = new Set([
  'Add',
  'Clip',
  'Div',
  'Elu',
  'HardSigmoid',
  'HardSwish',
  'LeakyRelu',
  'Mul',
  'Neg',
  'Relu',
  'Sigmoid',
  'Sub',
  'Tanh',
]);

/** The tensor that is viewed, through views that nothing else uses. */
function viewed(view: Operand, { maker, isUsedOnce }: Surroundings): Operand | undefined {
  let source: Operand | undefined;
  for (let at: Operand | undefined = view; at !== undefined && isUsedOnce(at); ) {
    const made = maker(at);
    at = made && sourceOf(made);
    source = at ?? source;
  }
  return source;
}

/**
 * The constant that is combined with a view, as one for the viewed tensor: any of one element, else one whose axes
 * keep their order where the view only adds or drops axes of one place.
 */
function alike(given: Operand, view: Operand, from: ReadonlyArray<number>): Operand | undefined {
  const { constant, hint } = given;
  const to = knownSizes(view) ?? [];
  if (constant === undefined) return undefined;
  if (shapeSize(constant.shape) === 1) return constantOperand(reshapeView(constant, []), hint);
  const large = (sizes: ReadonlyArray<number>) => sizes.filter((size) => size !== 1);
  if (String(large(from)) !== String(large(to))) return undefined;
  const ahead = to.length - constant.shape.length;
  const kept = to.flatMap((size, axis) => (size === 1 ? [] : [constant.shape[axis - ahead] ?? 1]));
  const shape = from.map((size) => (size === 1 ? 1 : (kept.shift() ?? 1)));
  return constantOperand(reshapeView(constant, shape), hint);
}
