/** ONNX's schemas of nodes: the types of inputs and outputs, and the attributes. */
import { type DType, isDType } from '@baton/tensor';
import type { Operand } from '../operator-api/exporter.ts';
import { elementNumber } from '../protobuf/element-type.ts';
import { type Parameter, type Schema, schemasOf } from '../schemas/schemas.ts';
import type { DraftNode } from './graph-builder.ts';

/** A node as its schema sees it. */
export type NodeParts = Omit<DraftNode, 'span'>;

/** An operand and its parameter; one that is absent has no operand. */
export interface Bound {
  readonly operand: Operand;
  readonly parameter: Parameter;
}

/** The operands of one side with their parameters; `undefined` if their number is wrong. */
export function bound(
  operands: ReadonlyArray<Operand | undefined>,
  parameters: ReadonlyArray<Parameter>,
): ReadonlyArray<Bound> | undefined {
  const last = parameters.at(-1);
  const rest = last?.mark === '*' || last?.mark === '+' ? last : undefined;
  const pairs: Bound[] = [];
  for (const [i, operand] of operands.entries()) {
    const parameter = parameters[i] ?? rest;
    if (parameter === undefined) return undefined;
    if (operand !== undefined) pairs.push({ operand, parameter });
    else if (parameter.mark === '') return undefined;
  }
  return parameters.slice(operands.length).some(({ mark }) => mark === '') ? undefined : pairs;
}

/** Whether a parameter has the element type. */
export const takes = ({ mask }: Parameter, dtype: DType): boolean =>
  mask === 0 || Math.floor(mask / 2 ** elementNumber(dtype)) % 2 === 1;

/** The first reason why a node does not match a schema. */
export type Misfit =
  | { readonly _tag: 'Type'; readonly dtype: string }
  | { readonly _tag: 'Form'; readonly what: string };

/** The first part of a node that its schema does not allow. */
export function misfit(node: NodeParts, schema: Schema): Misfit | undefined {
  const sides = [bound(node.inputs, schema.inputs), bound(node.outputs, schema.outputs)];
  const [inputs, outputs] = sides;
  if (inputs === undefined) return { _tag: 'Form', what: `${node.inputs.length} inputs` };
  if (outputs === undefined) return { _tag: 'Form', what: `${node.outputs.length} outputs` };
  const given = [...Object.keys(node.attributes), ...Object.keys(node.graphs)];
  const unknown = given.find((name) => !schema.attributes.has(name));
  if (unknown !== undefined) return { _tag: 'Form', what: `an attribute ${unknown}` };
  const missing = [...schema.attributes].find(
    ([name, { isRequired }]) => isRequired && !given.includes(name),
  );
  if (missing !== undefined) return { _tag: 'Form', what: `no attribute ${missing[0]}` };
  const types = new Map<string, string>();
  for (const { operand, parameter } of [...inputs, ...outputs]) {
    const { dtype } = operand.type;
    const { variable, mark } = parameter;
    if (!isDType(dtype) || !takes(parameter, dtype)) return { _tag: 'Type', dtype: String(dtype) };
    const isFree = mark === '+' || parameter.mask === 0;
    if (!isFree && (types.get(variable) ?? dtype) !== dtype) return { _tag: 'Type', dtype };
    if (!isFree) types.set(variable, dtype);
  }
  return undefined;
}

/** The version of an operator in an operator set. */
export const schemaAt = (opType: string, opset: number): Schema | undefined =>
  schemasOf(opType).findLast(({ since, isDeprecated }) => !isDeprecated && since <= opset);

/** Whether a node is one of its operator set; nodes of other domains are not checked. */
export function isValid(node: NodeParts, opset: number): boolean {
  if ((node.domain ?? '') !== '') return true;
  const schema = schemaAt(node.opType, opset);
  return schema !== undefined && misfit(node, schema) === undefined;
}
