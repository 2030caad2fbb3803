/**
 * What the parts of a module are as plain data, as codecs: what is checked before anything is read,
 * and the types of it. Everything that may be shared or nested stands in a table, and is referred to
 * by its index; in each table a row refers to earlier rows of the same table only, so that neither
 * the data nor who reads it nests with the depth of the program.
 */
import type { ParamKind } from '@baton/ir';
import * as t from 'io-ts';

/** A record: keys that may be undefined may be left out. */
export type Row<P extends t.Props> = {
  readonly [K in keyof P as undefined extends t.TypeOf<P[K]> ? never : K]: t.TypeOf<P[K]>;
} & {
  readonly [K in keyof P as undefined extends t.TypeOf<P[K]> ? K : never]?: t.TypeOf<P[K]>;
};

export const record = <P extends t.Props>(props: P, name?: string): t.Type<Row<P>> =>
  t.type(props, name) as t.Type<unknown> as t.Type<Row<P>>;

const guarded = <A>(name: string, is: (value: unknown) => value is A): t.Type<A> =>
  new t.Type<A>(
    name,
    is,
    (u, context) => (is(u) ? t.success(u) : t.failure(u, context)),
    (a) => a,
  );

const isInteger = (u: unknown): u is number => Number.isSafeInteger(u);

const isDigits = (u: unknown): u is string => typeof u === 'string' && /^-?\d{1,20}$/.test(u);

export const index = guarded('an index', (u): u is number => isInteger(u) && u >= 0);
export const int = guarded('an integer', isInteger);
export const text = guarded('a text', (u): u is string => typeof u === 'string');
export const flag = guarded('true or false', (u): u is boolean => typeof u === 'boolean');

const oneOf = <const S extends string>(...options: ReadonlyArray<S>): t.Type<S> =>
  guarded(options.join(' or '), (u): u is S => (options as ReadonlyArray<unknown>).includes(u));

export const optional = <A>(codec: t.Type<A>): t.Type<A | undefined> =>
  new t.Type<A | undefined>(
    `${codec.name} or nothing`,
    (u): u is A | undefined => u === undefined || codec.is(u),
    (u, context) => (u === undefined ? t.success(undefined) : codec.validate(u, context)),
    (a) => a,
  );

export const list = <A>(codec: t.Type<A>): t.Type<ReadonlyArray<A>> =>
  t.readonlyArray(codec, `a list of ${codec.name}`);

export const named = <A>(codec: t.Type<A>): t.Type<readonly [string, A]> =>
  t.tuple([text, codec], 'a pair of a name and a value') as t.Type<unknown> as t.Type<
    readonly [string, A]
  >;

type Variants = Readonly<Record<string, t.Mixed>>;
type Variant<V extends Variants> = {
  readonly [K in keyof V]: { readonly tag: K } & t.TypeOf<V[K]>;
}[keyof V];

/** A record whose `tag` selects one of the codecs. */
export function tagged<const V extends Variants>(name: string, variants: V): t.Type<Variant<V>> {
  const codecOf = (u: unknown): t.Mixed | undefined => {
    const tag = typeof u === 'object' && u !== null && 'tag' in u ? u.tag : undefined;
    return typeof tag === 'string' && Object.hasOwn(variants, tag) ? variants[tag] : undefined;
  };
  return new t.Type<Variant<V>>(
    name,
    (u): u is Variant<V> => codecOf(u)?.is(u) === true,
    // The codec checks all fields but the tag, which chose it.
    (u, context) =>
      (codecOf(u)?.validate(u, context) ?? t.failure(u, context)) as t.Validation<Variant<V>>,
    (a) => a,
  );
}

/** A number that JSON does not have. */
const special = oneOf('NaN', 'inf', '-inf', '-0');
export type SpecialNumber = t.TypeOf<typeof special>;

export type JsonAttrValue =
  | number
  | boolean
  | string
  | null
  | ReadonlyArray<JsonAttrValue>
  | { readonly number: SpecialNumber }
  /** The digits of an integer that a number does not hold. */
  | { readonly integer: string };

const attrValue: t.Type<JsonAttrValue> = t.recursion('an attribute value', (self) =>
  t.union([
    t.number,
    t.boolean,
    t.string,
    t.null,
    t.readonlyArray(self),
    t.type({ number: special }),
    t.type({ integer: guarded('digits', isDigits) }),
  ]),
);

/** Attributes as pairs, so that no name can be a property of the data. */
export const attrs = list(named(attrValue));
export type JsonAttrs = t.TypeOf<typeof attrs>;

/** A variable or a hole, by the row of it among the types. */
const variable = record({ variable: index });

/** A dimension: a size, `?`, or a sum of products. */
export type JsonDim =
  | number
  | '?'
  | { readonly constant: number; readonly terms: ReadonlyArray<t.TypeOf<typeof term>> };

/** A factor of a product: a variable or a division. */
export type JsonAtom =
  | t.TypeOf<typeof variable>
  | { readonly numerator: JsonDim; readonly denominator: JsonDim };

const dim: t.Type<JsonDim> = t.recursion('a dimension', () =>
  t.union([index, t.literal('?'), t.type({ constant: int, terms: list(term) })]),
);

const atom: t.Type<JsonAtom> = t.recursion('a factor', () =>
  t.union([variable, t.type({ numerator: dim, denominator: dim })]),
);

const term: t.Type<{ readonly coefficient: number; readonly atoms: ReadonlyArray<JsonAtom> }> =
  t.type({ coefficient: int, atoms: list(atom) });
const shape = t.union([list(dim), variable], 'a shape');
export type JsonShape = t.TypeOf<typeof shape>;
const dtypeTerm = t.union([text, variable], 'a dtype');
export type JsonDTypeTerm = t.TypeOf<typeof dtypeTerm>;
const kind: t.Type<ParamKind> = oneOf('Type', 'Shape', 'BaseType', 'ShapeVar');
export const literal = optional(oneOf('int', 'float'));

export const typeArg = tagged('a type argument', {
  Type: record({ value: index }),
  Shape: record({ value: shape }),
  BaseType: record({ value: dtypeTerm }),
  ShapeVar: record({ value: dim }),
});

export const relation = record({
  name: text,
  args: list(index),
  inputCount: index,
  attrs: optional(attrs),
});

export const type = tagged('a type', {
  TensorType: record({ shape, dtype: dtypeTerm }),
  TupleType: record({ fields: list(index) }),
  FuncType: record({
    params: list(index),
    result: index,
    typeParams: list(index),
    constraints: list(relation),
  }),
  TypeVar: record({ name: text, kind }),
  GlobalTypeVar: record({ name: text }),
  TypeCall: record({ name: text, args: list(typeArg) }),
  RefType: record({ value: index }),
  IncompleteType: record({ kind, literal }),
});

/** A range is a line, a column, the line and the column of its end. */
export const span = tagged('a span', {
  TextSpan: record({ source: index, range: t.tuple([int, int, int, int]) }),
  NodeSpan: record({ source: text, name: text, op: text }),
  BuilderSpan: record({ name: text }),
  MergedSpan: record({ parts: list(index) }),
});

/** Where a row comes from. */
export const place = { span: optional(index) };

export const clause = record({ pattern: index, body: index });

export type JsonTypeArg = t.TypeOf<typeof typeArg>;
export type JsonRelation = t.TypeOf<typeof relation>;
export type JsonType = t.TypeOf<typeof type>;
export type JsonSpan = t.TypeOf<typeof span>;
export type JsonClause = t.TypeOf<typeof clause>;
