/** ONNX's schemas of operators: their versions, inputs, outputs and attributes. */
import type { AttributeKind } from '../protobuf/messages.ts';
import { SCHEMA_TABLE } from './schema-table.ts';

/** An input or an output of an operator. */
export interface Parameter {
  /** The type variable: parameters with one variable have one element type. */
  readonly variable: string;
  /** The element types as bits; 0 for a type that is not checked, such as one that is no tensor. */
  readonly mask: number;
  /** Optional, variadic, or variadic with types that differ. */
  readonly mark: '' | '?' | '*' | '+';
  /** How many there are at least. */
  readonly least: number;
}

/** An attribute of an operator. */
export interface AttributeSchema {
  readonly kind: AttributeKind;
  readonly isRequired: boolean;
  readonly defaultValue: DefaultValue | undefined;
}

/** The default of an attribute: floats are float32, strings and numbers may be lists. */
export type DefaultValue = number | string | ReadonlyArray<number> | ReadonlyArray<string>;

/** A version of an operator. */
export interface Schema {
  /** The operator set that brought it. */
  readonly since: number;
  /** Whether it says that the operator is no longer one. */
  readonly isDeprecated: boolean;
  readonly inputs: ReadonlyArray<Parameter>;
  readonly outputs: ReadonlyArray<Parameter>;
  readonly attributes: ReadonlyMap<string, AttributeSchema>;
}

/** All versions of an operator, in order; none of an operator that is not in the table. */
export function schemasOf(opType: string, domain = ''): ReadonlyArray<Schema> {
  const name = domain === '' || domain === 'ai.onnx' ? opType : `${domain}.${opType}`;
  const known = read.get(name);
  if (known !== undefined) return known;
  lines ??= new Map(
    SCHEMA_TABLE.trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
  const versions = versionsIn(lines.get(name) ?? '');
  read.set(name, versions);
  return versions;
}

/** The table, taken apart at its first use, and the operators that were asked for. */
let lines: ReadonlyMap<string, string> | undefined;
const read = new Map<string, ReadonlyArray<Schema>>();

function versionsIn(line: string): ReadonlyArray<Schema> {
  let before: ReadonlyArray<string> = [];
  return (line === '' ? [] : line.split(';')).map((text) => {
    const [set = '', ...told] = text.split(' ');
    const fields = told.map((field, at) => (field === '~' ? (before[at] ?? '-') : field));
    before = fields;
    const [inputs = '-', outputs = '-', masks = '-', attributes = '-'] = fields;
    const bits = masks.split(',').map((mask) => Number.parseInt(mask, 16) || 0);
    return {
      since: Number.parseInt(set, 10),
      isDeprecated: set.endsWith('!'),
      inputs: parametersIn(inputs, bits),
      outputs: parametersIn(outputs, bits),
      attributes: new Map(attributes === '-' ? [] : attributes.split(',').map(attributeIn)),
    };
  });
}

const parametersIn = (text: string, bits: ReadonlyArray<number>): ReadonlyArray<Parameter> =>
  [...text.matchAll(/([a-z])([?*+]?)(\d*)/g)].map(([, variable = 'a', mark = '', least]) => ({
    variable,
    mask: bits[variable.charCodeAt(0) - 97] ?? 0,
    mark: mark as Parameter['mark'],
    least: mark === '?' ? 0 : Number(least || 1),
  }));

function attributeIn(text: string): [name: string, attribute: AttributeSchema] {
  const [, name = '', letter = '', sign, value = ''] = /^(\w+):(\w)([!=]?)(.*)$/.exec(text) ?? [];
  const isRequired = sign === '!';
  const defaultValue = sign === '=' ? DEFAULTS[letter]?.(value) : undefined;
  return [name, { kind: KINDS[letter] ?? 'opaque', isRequired, defaultValue }];
}

/** The kinds of attributes by their letters. */
const KINDS: Readonly<Partial<Record<string, AttributeKind>>> = {
  i: 'int',
  f: 'float',
  s: 'string',
  I: 'ints',
  F: 'floats',
  S: 'strings',
  t: 'tensor',
  p: 'sparse_tensor',
  g: 'graph',
};

const float32 = (text: string): number => Math.fround(Number(text));

/** Defaults from their texts, by the letters of their kinds. */
const DEFAULTS: Readonly<Partial<Record<string, (text: string) => DefaultValue>>> = {
  i: Number,
  f: float32,
  s: (text) => text,
  I: (text) => text.split('|').map(Number),
  F: (text) => text.split('|').map(float32),
  S: (text) => text.split('|'),
};

/** An operator that is read. */
export interface Described {
  readonly domain?: string;
  readonly opType: string;
  /** The first version that is supported, if not all are. */
  readonly since?: number;
  /** Attributes that are not supported. */
  readonly lacks?: ReadonlyArray<string>;
}

/** What the schemas of the supported versions say of the nodes of an operator. */
export interface NodeFacts {
  /** The supported versions, those that say that the operator is no longer one among them. */
  readonly versions: ReadonlyArray<number>;
  /** The least and the greatest number of inputs. */
  readonly inputs: readonly [number, number];
  /** The places that may be empty, before others that must not be. */
  readonly gaps: ReadonlySet<number>;
  readonly attributes: ReadonlyMap<string, AttributeKind>;
}

/** The facts of an operator. */
export function factsOf(operator: Described): NodeFacts {
  const known = facts.get(operator);
  if (known !== undefined) return known;
  const { opType, domain, since = 1, lacks = [] } = operator;
  const schemas = schemasOf(opType, domain).filter((schema) => schema.since >= since);
  const kinds = schemas.flatMap(({ attributes }) =>
    [...attributes].map(([name, { kind }]) => [name, kind] as const),
  );
  const found: NodeFacts = {
    versions: schemas.map((schema) => schema.since),
    inputs: [
      Math.min(...schemas.map(({ inputs }) => leastOf(inputs))),
      Math.max(...schemas.map(({ inputs }) => mostOf(inputs))),
    ],
    gaps: new Set(
      schemas.flatMap(({ inputs }) => inputs.flatMap(({ mark }, i) => (mark === '?' ? [i] : []))),
    ),
    attributes: new Map(kinds.filter(([name]) => !lacks.includes(name))),
  };
  facts.set(operator, found);
  return found;
}

const facts = new WeakMap<Described, NodeFacts>();

/** The number of parameters up to the last that must be there. */
const leastOf = (parameters: ReadonlyArray<Parameter>): number =>
  parameters.reduce((count, { least }, i) => (least === 0 ? count : i + least), 0);

const mostOf = (parameters: ReadonlyArray<Parameter>): number =>
  /[*+]/.test(parameters.at(-1)?.mark ?? '') ? Number.POSITIVE_INFINITY : parameters.length;

/** The schema of an operator at a version of its operator set. */
export const schemaOf = ({ opType, domain }: Described, version: number): Schema | undefined =>
  schemasOf(opType, domain).findLast(({ since }) => since <= version);

/**
 * The default of an attribute at a version of an operator set; of one that came later, its first. Without
 * it a node means what it meant before.
 */
export function defaultOf(
  { opType, domain }: Described,
  version: number,
  name: string,
): DefaultValue | undefined {
  const having = schemasOf(opType, domain).filter(({ attributes }) => attributes.has(name));
  const schema = having.findLast(({ since }) => since <= version) ?? having[0];
  return schema?.attributes.get(name)?.defaultValue;
}
