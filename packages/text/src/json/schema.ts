/** The codec of a module as plain data, checked before anything is read. */
import * as t from 'io-ts';
import {
  FORMAT_VERSION,
  type JsonAtom,
  type JsonAttrValue,
  type JsonDim,
  type JsonModule,
} from './data.ts';

/** A codec from a predicate. */
const guarded = <A>(name: string, is: (value: unknown) => value is A): t.Type<A> =>
  new t.Type<A>(
    name,
    is,
    (u, context) => (is(u) ? t.success(u) : t.failure(u, context)),
    (a) => a,
  );

const isInteger = (u: unknown): u is number => Number.isSafeInteger(u);

const isDigits = (u: unknown): u is string => typeof u === 'string' && /^-?\d{1,20}$/.test(u);

const index = guarded('an index', (u): u is number => isInteger(u) && u >= 0);
const int = guarded('an integer', isInteger);
const text = guarded('a text', (u): u is string => typeof u === 'string');
const flag = guarded('true or false', (u): u is boolean => typeof u === 'boolean');

/** One of these texts. */
const oneOf = <const S extends string>(...options: ReadonlyArray<S>): t.Type<S> =>
  guarded(options.join(' or '), (u): u is S => (options as ReadonlyArray<unknown>).includes(u));

const optional = <A>(codec: t.Type<A>): t.Type<A | undefined> =>
  new t.Type<A | undefined>(
    `${codec.name} or nothing`,
    (u): u is A | undefined => u === undefined || codec.is(u),
    (u, context) => (u === undefined ? t.success(undefined) : codec.validate(u, context)),
    (a) => a,
  );

const list = <A>(codec: t.Type<A>): t.Type<ReadonlyArray<A>> =>
  t.readonlyArray(codec, `a list of ${codec.name}`);

const named = <A>(codec: t.Type<A>): t.Type<readonly [string, A]> =>
  t.tuple([text, codec], 'a pair of a name and a value') as t.Type<unknown> as t.Type<
    readonly [string, A]
  >;

type Variants = Readonly<Record<string, t.Mixed>>;
type Variant<V extends Variants> = {
  readonly [K in keyof V]: { readonly tag: K } & t.TypeOf<V[K]>;
}[keyof V];

/** A record whose `tag` selects one of the codecs. */
function tagged<const V extends Variants>(name: string, variants: V): t.Type<Variant<V>> {
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

const attrValue: t.Type<JsonAttrValue> = t.recursion('an attribute value', (self) =>
  t.union([
    t.number,
    t.boolean,
    t.string,
    t.null,
    t.readonlyArray(self),
    t.type({ number: oneOf('NaN', 'inf', '-inf', '-0') }),
    t.type({ integer: guarded('digits', isDigits) }),
  ]),
);

const attrs = list(named(attrValue));

const dim: t.Type<JsonDim> = t.recursion('a dimension', () =>
  t.union([index, t.literal('?'), t.type({ constant: int, terms: list(term) })]),
);

const atom: t.Type<JsonAtom> = t.recursion('a factor', () =>
  t.union([variable, t.type({ numerator: dim, denominator: dim })]),
);

const term = t.type({ coefficient: int, atoms: list(atom) });
const variable = t.type({ variable: index });
const shape = t.union([list(dim), variable], 'a shape');
const dtypeTerm = t.union([text, variable], 'a dtype');
const kind = oneOf('Type', 'Shape', 'BaseType', 'ShapeVar');
const literal = optional(oneOf('int', 'float'));

const typeArg = tagged('a type argument', {
  Type: t.type({ value: index }),
  Shape: t.type({ value: shape }),
  BaseType: t.type({ value: dtypeTerm }),
  ShapeVar: t.type({ value: dim }),
});

const relation = t.type({
  name: text,
  args: list(index),
  inputCount: index,
  attrs: optional(attrs),
});

const type = tagged('a type', {
  TensorType: t.type({ shape, dtype: dtypeTerm }),
  TupleType: t.type({ fields: list(index) }),
  FuncType: t.type({
    params: list(index),
    result: index,
    typeParams: list(index),
    constraints: list(relation),
  }),
  TypeVar: t.type({ name: text, kind }),
  GlobalTypeVar: t.type({ name: text }),
  TypeCall: t.type({ name: text, args: list(typeArg) }),
  RefType: t.type({ value: index }),
  IncompleteType: t.type({ kind, literal }),
});

const span = tagged('a span', {
  TextSpan: t.type({ source: index, range: t.tuple([int, int, int, int]) }),
  NodeSpan: t.type({ source: text, name: text, op: text }),
  BuilderSpan: t.type({ name: text }),
  MergedSpan: t.type({ parts: list(index) }),
});

const place = { span: optional(index) };

const tensor = t.type({ dtype: text, shape: list(index), data: text, isFilled: optional(flag) });

const constructorRow = t.type({
  name: text,
  inputs: list(index),
  belongTo: text,
  tag: int,
  ...place,
});

const pattern = tagged('a pattern', {
  PatternWildcard: t.type(place),
  PatternVar: t.type({ variable: index, ...place }),
  PatternConstructor: t.type({ ctor: index, patterns: list(index), ...place }),
  PatternTuple: t.type({ patterns: list(index), ...place }),
});

const clause = t.type({ pattern: index, body: index });

const node = tagged('an expression', {
  Var: t.type({ name: text, type: optional(index), ...place }),
  GlobalVar: t.type({ name: text, ...place }),
  Constant: t.type({ tensor: index, literal, ...place }),
  Op: t.type({ name: text, ...place }),
  Constructor: t.type({ ctor: index, ...place }),
  Tuple: t.type({ fields: list(index), ...place }),
  TupleGetItem: t.type({ tuple: index, index, ...place }),
  Function: t.type({
    params: list(index),
    body: index,
    retType: optional(index),
    typeParams: list(index),
    attrs,
    constraints: list(relation),
    ...place,
  }),
  Call: t.type({
    op: index,
    args: list(index),
    attrs: optional(attrs),
    attrsTypeKey: optional(text),
    typeArgs: list(typeArg),
    ...place,
  }),
  Let: t.type({ variable: index, value: index, body: index, ...place }),
  If: t.type({ cond: index, trueBranch: index, falseBranch: index, ...place }),
  Match: t.type({ data: index, clauses: list(clause), complete: flag, ...place }),
  RefCreate: t.type({ value: index, ...place }),
  RefRead: t.type({ ref: index, ...place }),
  RefWrite: t.type({ ref: index, value: index, ...place }),
});

const typeData = t.type({
  name: text,
  typeVars: list(index),
  constructors: list(t.type({ name: text, inputs: list(index) })),
  extern: flag,
});

const moduleCodec = t.type(
  {
    baton: t.literal(FORMAT_VERSION),
    sources: list(named(text)),
    spans: list(span),
    types: list(type),
    tensors: list(tensor),
    constructorRows: list(constructorRow),
    patterns: list(pattern),
    nodes: list(node),
    functions: list(named(index)),
    typeDefinitions: list(typeData),
    constructors: list(named(index)),
    attrs,
    imports: list(text),
  },
  'a module',
);

/** Checks the form of the data, but not the targets of its indexes and names. */
export const checkModule: t.Decode<unknown, JsonModule> = moduleCodec.decode;
