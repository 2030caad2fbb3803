/** The attributes of a node, by name and kind. */
import { type Diagnostic, diagnostic, InvariantError, invariant, type Span } from '@baton/base';
import { shown } from '../diagnostics.ts';
import type {
  AttributeKind,
  AttributeProto,
  AttributeValue,
  NodeProto,
  TensorProto,
} from '../protobuf/messages.ts';
import { type DefaultValue, defaultOf } from '../schemas/schemas.ts';

/** The attributes that an operator understands, and their kinds. */
export type AttributeKinds = ReadonlyMap<string, AttributeKind>;

/** Attributes checked against their kinds; an absent one has a default, by default its schema's. */
export interface NodeAttributes {
  readonly has: (name: string) => boolean;
  readonly int: (name: string, defaultValue?: number) => number;
  readonly float: (name: string, defaultValue?: number) => number;
  readonly string: (name: string, defaultValue?: string) => string;
  readonly ints: (name: string) => ReadonlyArray<number> | undefined;
  readonly floats: (name: string) => ReadonlyArray<number> | undefined;
  readonly strings: (name: string) => ReadonlyArray<string> | undefined;
  readonly tensor: (name: string) => TensorProto | undefined;
  /** A number, a text or a list of them, or its schema's default. */
  readonly value: (name: string) => DefaultValue;
  /** The value as in the file: 64-bit integers are exact. */
  readonly raw: (name: string) => AttributeValue | undefined;
  /** The values of all attributes that the node states. */
  readonly given: ReadonlyArray<AttributeValue>;
}

type Values = { readonly [V in AttributeValue as V['kind']]: V['value'] };

/** The attributes of a node at a version of its operator set. */
export function nodeAttributes(node: NodeProto, version: number): NodeAttributes {
  const find = (name: string): AttributeValue | undefined =>
    node.attributes.find((a) => a.name === name)?.value;
  /** The value if it is of this kind. */
  const read = <K extends AttributeKind>(name: string, kind: K): Values[K] | undefined => {
    const value = find(name);
    return value?.kind === kind ? (value.value as Values[K]) : undefined;
  };
  const usualOf = (name: string): DefaultValue => {
    const value = defaultOf(node, version, name);
    invariant(value !== undefined, `the schema of ${node.opType} has no default of ${name}`);
    return value;
  };
  return {
    has: (name) => find(name) !== undefined,
    int: (name, usual) => Number(read(name, 'int') ?? usual ?? usualOf(name)),
    float: (name, usual) => read(name, 'float') ?? usual ?? Number(usualOf(name)),
    string: (name, usual) => read(name, 'string') ?? usual ?? String(usualOf(name)),
    ints: (name) => read(name, 'ints')?.map(Number),
    floats: (name) => read(name, 'floats'),
    strings: (name) => read(name, 'strings'),
    tensor: (name) => read(name, 'tensor'),
    value: (name) => {
      const given = find(name);
      if (given === undefined) return usualOf(name);
      switch (given.kind) {
        case 'int':
          return Number(given.value);
        case 'ints':
          return given.value.map(Number);
        case 'float':
        case 'floats':
        case 'string':
        case 'strings':
          return given.value;
        default:
          throw new InvariantError(`a formula reads no attribute of kind ${given.kind}: ${name}`);
      }
    },
    raw: find,
    given: node.attributes.map(({ value }) => value),
  };
}

/**
 * The mistakes in a node's attributes: unknown names, which might change its meaning, wrong kinds,
 * and repeated names.
 */
export function checkAttributes(
  node: NodeProto,
  kinds: AttributeKinds,
  span: Span,
): ReadonlyArray<Diagnostic> {
  const problems: Diagnostic[] = [];
  const seen = new Set<string>();
  for (const attribute of node.attributes) {
    const problem = attributeProblem(attribute, kinds, seen);
    if (problem !== undefined) problems.push(diagnostic('ONNX_ATTRIBUTE', problem, { span }));
    if (problems.length >= MAX_PROBLEMS) break;
    seen.add(attribute.name);
  }
  return problems;
}

/** At most this many bad attributes of a node are listed. */
const MAX_PROBLEMS = 10;

function attributeProblem(
  { name, value }: AttributeProto,
  kinds: AttributeKinds,
  seen: ReadonlySet<string>,
): string | undefined {
  if (seen.has(name)) return `attribute ${shown(name)} is given twice`;
  const kind = kinds.get(name);
  if (kind === undefined) return `expected an attribute of the operator, found ${shown(name)}`;
  if (kind === value.kind) return undefined;
  return `expected attribute ${shown(name)} of kind ${kind}, found ${value.kind}`;
}
