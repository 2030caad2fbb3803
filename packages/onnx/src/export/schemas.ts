/** ONNX's schemas of nodes: the types of inputs and outputs, and the attributes. */
import { type DType, isDType } from '@baton/tensor';
import type { Operand } from '../operator-api/exporter.ts';
import { elementNumber } from '../protobuf/element-type.ts';
import type { DraftNode } from './graph-builder.ts';
import { SCHEMA_TABLE } from './schema-table.ts';

/** A node as its schema sees it. */
export type NodeParts = Omit<DraftNode, 'span'>;

/** An input or an output of an operator. */
interface Parameter {
  /** The type variable: parameters with one variable have one element type. */
  readonly variable: string;
  /** The element types as bits; 0 for a type that is not a tensor, which is not checked. */
  readonly mask: number;
  /** Optional, variadic, or variadic with types that differ. */
  readonly mark: '' | '?' | '*' | '+';
}

/** A version of an operator of ONNX. */
export interface Schema {
  /** The operator set that brought it. */
  readonly since: number;
  readonly inputs: ReadonlyArray<Parameter>;
  readonly outputs: ReadonlyArray<Parameter>;
  /** The attributes by name, and whether they are required. */
  readonly attributes: ReadonlyMap<string, boolean>;
}

/** The versions of an operator of ONNX's own domain, from the last that set 13 knows. */
export const schemasOf = (opType: string): ReadonlyArray<Schema> => {
  const known = read.get(opType);
  if (known !== undefined) return known;
  lines ??= new Map(
    SCHEMA_TABLE.trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
  const versions = lines.get(opType)?.split(';').map(schemaIn) ?? [];
  read.set(opType, versions);
  return versions;
};

/** The table, taken apart at its first use, and the operators that were asked for. */
let lines: ReadonlyMap<string, string> | undefined;
const read = new Map<string, ReadonlyArray<Schema>>();

function schemaIn(text: string): Schema {
  const [since, inputs = '-', outputs = '-', masks = '-', attributes = '-'] = text.split(' ');
  const bits = masks.split(',').map((mask) => Number.parseInt(mask, 16) || 0);
  const parameters = (list: string): ReadonlyArray<Parameter> =>
    [...list.matchAll(/([a-z])([?*+]?)/g)].map(([, variable = 'a', mark]) => ({
      variable,
      mask: bits[variable.charCodeAt(0) - 97] ?? 0,
      mark: (mark ?? '') as Parameter['mark'],
    }));
  const names = attributes === '-' ? [] : attributes.split(',');
  return {
    since: Number(since),
    inputs: parameters(inputs),
    outputs: parameters(outputs),
    attributes: new Map(names.map((name) => [name.replace('!', ''), name.endsWith('!')])),
  };
}

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
  const missing = [...schema.attributes].find(([name, must]) => must && !given.includes(name));
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
  schemasOf(opType).findLast(({ since }) => since <= opset);

/** Whether a node is one of its operator set; nodes of other domains are not checked. */
export function isValid(node: NodeParts, opset: number): boolean {
  if ((node.domain ?? '') !== '') return true;
  const schema = schemaAt(node.opType, opset);
  return schema !== undefined && misfit(node, schema) === undefined;
}
