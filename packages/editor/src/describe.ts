/** Describes operators, attributes, types and dtypes in words. */
import {
  type AttrField,
  attrText,
  type Call,
  describeShape,
  noAttrs,
  type OpInfo,
  type OpTable,
  type Type,
} from '@baton/ir';
import { boundsColumn, costColumn, fusionColumn, kindColumn } from '@baton/ops';
import { attributeDoc } from '@baton/ops/attribute-docs';
import { dtypeInfo, isDType } from '@baton/tensor';
import { shortened } from './range.ts';

const MAX_VALUE = 240;

export interface Fact {
  readonly label: string;
  readonly value: string;
}

export interface AttributeFact {
  readonly name: string;
  /** Its values in words: `a list of 2 or 4 ints`. */
  readonly expects: string;
  /** The default as written in programs; absent if the attribute is required. */
  readonly defaultValue: string | undefined;
  readonly doc: string | undefined;
}

export const attributeFact = (field: AttrField): AttributeFact => ({
  name: field.name,
  expects: field.expects ?? 'a value',
  defaultValue:
    field.defaultValue === undefined ? undefined : attrText(field.defaultValue, field.isFloat),
  doc: attributeDoc(field),
});

export function headOf({ name, inputs, attrs }: OpInfo): string {
  const attributes = attrs.fields.map((field) => {
    const { defaultValue } = attributeFact(field);
    return `${field.name}=${defaultValue ?? '..'}`;
  });
  return `${name}(${[...inputs.map((input) => input.name), ...attributes].join(', ')})`;
}

/** The facts about an operator that hold for all calls. */
export function operatorFacts(op: OpInfo, ops: OpTable): ReadonlyArray<Fact> {
  const kind = ops.read(kindColumn, op.name);
  const fusion = ops.read(fusionColumn, op.name);
  return [
    ...(kind === undefined ? [] : [{ label: 'kind', value: kind }]),
    ...(fusion === undefined ? [] : [{ label: 'fusion pattern', value: fusion }]),
    ...(op.effect === 'total' ? [] : [{ label: 'effect', value: op.effect }]),
    { label: 'source', value: op.source },
  ];
}

/** The facts about a call of an operator: its range of values, its cost. */
export function callFacts(
  { op, args, attrs = noAttrs }: Call,
  ops: OpTable,
  typeOf: (node: Call['args'][number]) => Type | undefined,
  result: Type | undefined,
): ReadonlyArray<Fact> {
  if (op._tag !== 'Op') return [];
  const range = ops.read(boundsColumn, op.name)?.range?.(attrs);
  const cost = ops.read(costColumn, op.name);
  const types = args.map(typeOf).filter((type) => type !== undefined);
  const facts: Fact[] = [];
  if (range !== undefined) facts.push({ label: 'values', value: `${range[0]} to ${range[1]}` });
  if (cost === undefined || result === undefined || types.length < args.length) return facts;
  if (![...types, result].every(isTensors)) return facts;
  const { flops, bytesRead, bytesWritten } = cost(types, result, attrs);
  // An open dimension counts as 1.
  const least = [...types, result].every(isStatic) ? '' : 'at least ';
  return [
    ...facts,
    { label: 'work', value: `${least}${amount(flops)} operations` },
    { label: 'memory', value: `${least}${bytes(bytesRead)} read, ${bytes(bytesWritten)} written` },
  ];
}

/** Whether a type consists of tensors with known ranks and dtypes. */
const isTensors = (type: Type): boolean =>
  type._tag === 'TupleType' ? type.fields.every(isTensor) : isTensor(type);

const isTensor = (type: Type): boolean =>
  type._tag === 'TensorType' && !('_tag' in type.shape) && isDType(type.dtype);

const isStatic = (type: Type): boolean =>
  type._tag === 'TupleType' ? type.fields.every(hasSizes) : hasSizes(type);

const hasSizes = (type: Type): boolean =>
  type._tag === 'TensorType' &&
  !('_tag' in type.shape) &&
  type.shape.every((dim) => typeof dim === 'number');

const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P'];

function amount(value: number): string {
  let [scaled, step] = [value, 0];
  for (; scaled >= 1000 && step < PREFIXES.length - 1; step++) scaled /= 1000;
  const shown = step === 0 ? String(scaled) : String(Number(scaled.toPrecision(3)));
  return step === 0 ? shown : `${shown} ${PREFIXES[step]}`;
}

const bytes = (value: number): string => `${amount(value)}${value < 1000 ? ' ' : ''}B`;

/** The facts about a type: the shape and the dtype of a tensor. */
export function typeFacts(type: Type): ReadonlyArray<Fact> {
  if (type._tag !== 'TensorType') return [];
  const { shape, dtype } = type;
  const facts = [{ label: 'shape', value: shortened(describeShape(shape), MAX_VALUE) }];
  return typeof dtype === 'string' ? [...facts, { label: 'dtype', value: dtype }] : facts;
}

/** The facts about a dtype: its size and its range; none if it is not the name of one. */
export function dtypeFacts(name: string): ReadonlyArray<Fact> {
  if (!isDType(name)) return [];
  const { bytes: size, min, max } = dtypeInfo(name);
  return [
    { label: 'size', value: `${size} ${size === 1 ? 'byte' : 'bytes'}` },
    { label: 'values', value: `${min} to ${max}` },
  ];
}
