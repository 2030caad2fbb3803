/**
 * Codecs of attribute values (io-ts). They validate and never transform: what is written is what
 * the call holds.
 */
import { type DType, isDType } from '@baton/tensor';
import * as t from 'io-ts';

/** A codec from a predicate; `name` is how messages call what is expected. */
const guarded = <A>(name: string, is: (value: unknown) => value is A): t.Type<A> =>
  new t.Type<A>(
    name,
    is,
    (u, context) => (is(u) ? t.success(u) : t.failure(u, context)),
    (a) => a,
  );

/** An integer within what a double holds exactly. */
export const int: t.Type<number> = guarded('an int', (u): u is number => Number.isSafeInteger(u));

const INT64_MAX = 2n ** 63n - 1n;

/** Any integer of 64 bits, where even those are of use that no number holds exactly. */
export const int64: t.Type<number | bigint> = guarded('an int', (u): u is number | bigint =>
  typeof u === 'bigint' ? u <= INT64_MAX && u >= -INT64_MAX - 1n : Number.isSafeInteger(u),
);

/** An integer above 0. */
export const positiveInt: t.Type<number> = guarded(
  'an int above 0',
  (u): u is number => Number.isSafeInteger(u) && (u as number) > 0,
);

/** An integer of at least 0. */
export const naturalInt: t.Type<number> = guarded(
  'an int of at least 0',
  (u): u is number => Number.isSafeInteger(u) && (u as number) >= 0,
);

/** Any number, the infinities included; printed with a float suffix. */
export const float: t.Type<number> = guarded('a float', (u): u is number => typeof u === 'number');

/** `True` or `False`. */
export const bool: t.Type<boolean> = guarded('a bool', (u): u is boolean => typeof u === 'boolean');

/** A text. */
export const text: t.Type<string> = guarded('a string', (u): u is string => typeof u === 'string');

/** The name of an element type. */
export const dtype: t.Type<DType> = guarded(
  'a dtype',
  (u): u is DType => typeof u === 'string' && isDType(u),
);

/** The name of an element type, or the empty text for "as the data". */
export const dtypeOrEmpty: t.Type<DType | ''> = guarded(
  'a dtype or ""',
  (u): u is DType | '' => typeof u === 'string' && (u === '' || isDType(u)),
);

/** One of these texts. */
export const oneOf = <const S extends string>(...options: ReadonlyArray<S>): t.Type<S> =>
  guarded(options.map((o) => `"${o}"`).join(' or '), (u): u is S =>
    (options as ReadonlyArray<unknown>).includes(u),
  );

/** A list of values; `lengths`, if given, are the numbers of elements that it may have. */
export function list<A>(
  element: t.Type<A>,
  lengths?: ReadonlyArray<number>,
): t.Type<ReadonlyArray<A>> {
  const all = t.array(element);
  const count = lengths === undefined ? '' : `${lengths.join(' or ')} `;
  const name = `a list of ${count}${plural(element.name)}`;
  const fits = (value: ReadonlyArray<unknown>) => lengths?.includes(value.length) !== false;
  return new t.Type<ReadonlyArray<A>>(
    name,
    (u): u is ReadonlyArray<A> => all.is(u) && fits(u),
    (u, context) => {
      if (!Array.isArray(u) || !fits(u)) return t.failure(u, context);
      return all.validate(u, context);
    },
    (a) => a,
  );
}

/** `None` or a value. */
export const orNone = <A>(codec: t.Type<A>): t.Type<A | null> =>
  either(
    codec,
    guarded('None', (u): u is null => u === null),
  );

/** A value of either codec. */
export function either<A, B>(a: t.Type<A>, b: t.Type<B>): t.Type<A | B> {
  return new t.Type<A | B>(
    `${a.name} or ${b.name}`,
    (u): u is A | B => a.is(u) || b.is(u),
    (u, context) => (a.is(u) || b.is(u) ? t.success(u) : t.failure(u, context)),
    (value) => value,
  );
}

/** Whether the numbers of an attribute are floats: by the codec's own name for itself. */
export const isFloatCodec = (codec: t.Mixed): boolean => /\bfloats?\b/.test(codec.name);

const plural = (name: string): string => {
  const bare = name.replace(/^an? /, '');
  return bare.replace(/^(\w+)/, '$1s');
};
