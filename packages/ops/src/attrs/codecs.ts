/** Codecs of attribute values (io-ts). They validate only: a call holds the values as written. */
import { DTYPES, type DType, isDType } from '@baton/tensor';
import * as t from 'io-ts';

export interface CodecTraits {
  /** The TypeScript type of its values, for the generated builders. */
  readonly typeText: string;
  /** Whether its numbers are floats, which print with a suffix. Default: false. */
  readonly isFloat?: boolean;
  /** Its values, or those of one alternative, if they can be listed. Default: none. */
  readonly options?: ReadonlyArray<string | boolean | null>;
}

export interface AttrCodec<A> extends t.Type<A> {
  readonly traits: CodecTraits;
}

/**
 * A codec from a predicate. `name` describes the expected value in messages: `'an even int'`.
 * `validate` may locate the error within a value; by default the entire value is wrong.
 */
export function codec<A>(
  name: string,
  is: (value: unknown) => value is A,
  traits: CodecTraits,
  validate: t.Validate<unknown, A> = (u, context) => (is(u) ? t.success(u) : t.failure(u, context)),
): AttrCodec<A> {
  return Object.assign(new t.Type<A>(name, is, validate, (a) => a), { traits });
}

/** The traits of a codec; an io-ts codec has none. */
export const traitsOf = (of: t.Mixed): CodecTraits =>
  'traits' in of ? (of as AttrCodec<unknown>).traits : { typeText: 'AttrValue' };

export const isFloatCodec = (of: t.Mixed): boolean => traitsOf(of).isFloat === true;

/** An integer in the exact range of doubles. */
export const int: AttrCodec<number> = codec('an int', (u): u is number => Number.isSafeInteger(u), {
  typeText: 'number',
});

const INT64_MAX = 2n ** 63n - 1n;

/** Any 64-bit integer, also beyond the exact range of doubles. */
export const int64: AttrCodec<number | bigint> = codec(
  'an int',
  (u): u is number | bigint =>
    typeof u === 'bigint' ? u <= INT64_MAX && u >= -INT64_MAX - 1n : Number.isSafeInteger(u),
  { typeText: 'number | bigint' },
);

export const positiveInt: AttrCodec<number> = codec(
  'an int above 0',
  (u): u is number => Number.isSafeInteger(u) && (u as number) > 0,
  { typeText: 'number' },
);

/** An integer of at least 0. */
export const naturalInt: AttrCodec<number> = codec(
  'an int of at least 0',
  (u): u is number => Number.isSafeInteger(u) && (u as number) >= 0,
  { typeText: 'number' },
);

/** Any number, the infinities included; printed with a float suffix. */
export const float: AttrCodec<number> = codec(
  'a float',
  (u): u is number => typeof u === 'number',
  { typeText: 'number', isFloat: true },
);

export const bool: AttrCodec<boolean> = codec(
  'a bool',
  (u): u is boolean => typeof u === 'boolean',
  { typeText: 'boolean', options: [true, false] },
);

export const text: AttrCodec<string> = codec(
  'a string',
  (u): u is string => typeof u === 'string',
  { typeText: 'string' },
);

export const dtype: AttrCodec<DType> = codec('a dtype', isDType, {
  typeText: 'DType',
  options: DTYPES,
});

/** The name of an element type, or the empty text for "as the data". */
export const dtypeOrEmpty: AttrCodec<DType | ''> = codec(
  'a dtype or ""',
  (u): u is DType | '' => u === '' || isDType(u),
  { typeText: "DType | ''", options: ['', ...DTYPES] },
);

export const oneOf = <const S extends string>(...options: ReadonlyArray<S>): AttrCodec<S> =>
  codec(
    options.map((o) => `"${o}"`).join(' or '),
    (u): u is S => (options as ReadonlyArray<unknown>).includes(u),
    { typeText: options.map((o) => `'${o}'`).join(' | '), options },
  );

/** A list of values; `lengths` are the allowed numbers of elements. */
export function list<A>(
  element: t.Type<A>,
  lengths?: ReadonlyArray<number>,
): AttrCodec<ReadonlyArray<A>> {
  const all = t.array(element);
  const count = lengths === undefined ? '' : `${lengths.join(' or ')} `;
  const fits = (value: ReadonlyArray<unknown>) => lengths?.includes(value.length) !== false;
  const { typeText, isFloat = false } = traitsOf(element);
  return codec(
    `a list of ${count}${count === '1 ' ? bare(element.name) : plural(element.name)}`,
    (u): u is ReadonlyArray<A> => all.is(u) && fits(u),
    { typeText: `ReadonlyArray<${typeText}>`, isFloat },
    (u, context) =>
      Array.isArray(u) && fits(u) ? all.validate(u, context) : t.failure(u, context),
  );
}

export const orNone = <A>(value: t.Type<A>): AttrCodec<A | null> =>
  either(
    value,
    codec('None', (u): u is null => u === null, { typeText: 'null', options: [null] }),
  );

export function either<A, B>(a: t.Type<A>, b: t.Type<B>): AttrCodec<A | B> {
  return codec(`${a.name} or ${b.name}`, (u): u is A | B => a.is(u) || b.is(u), {
    typeText: `${traitsOf(a).typeText} | ${traitsOf(b).typeText}`,
    isFloat: isFloatCodec(a) || isFloatCodec(b),
    options: [...(traitsOf(a).options ?? []), ...(traitsOf(b).options ?? [])],
  });
}

const bare = (name: string): string => name.replace(/^an? /, '');

const plural = (name: string): string => bare(name).replace(/^(\w+)/, '$1s');
