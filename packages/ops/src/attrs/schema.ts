/** The attributes of an operator: codecs by name, their defaults, and the static type of the record. */
import { type Diagnostic, didYouMean, failure, isLeft, type Result, right } from '@baton/base';
import { type Attrs, type AttrsSchema, type AttrValue, noAttrs } from '@baton/ir';
import type * as t from 'io-ts';
import { attrType, missingAttr, unknownAttr } from '../diagnostics.ts';
import { isFloatCodec, traitsOf } from './codecs.ts';

export interface Defaulted<C extends t.Mixed> {
  readonly _tag: 'Defaulted';
  readonly codec: C;
  readonly defaultValue: t.TypeOf<C>;
}

/** Codecs by name, in declared order; a bare codec is a required attribute. */
export type AttrProps = Readonly<Record<string, t.Mixed | Defaulted<t.Mixed>>>;

export type AttrsOf<P extends AttrProps> = {
  readonly [K in keyof P]: P[K] extends Defaulted<infer C>
    ? t.TypeOf<C>
    : P[K] extends t.Mixed
      ? t.TypeOf<P[K]>
      : never;
};

/** A schema that carries the static type of its record. */
export interface TypedAttrs<out A> extends AttrsSchema {
  /** The properties of the schema, from which the builders are generated. */
  readonly props: AttrProps;
  /** Carries `A`; never read. */
  readonly witness?: A;
}

/** An attribute with a default. */
export const withDefault = <C extends t.Mixed>(
  codec: C,
  defaultValue: t.TypeOf<C>,
): Defaulted<C> => ({ _tag: 'Defaulted', codec, defaultValue });

/**
 * The schema of a record of attributes.
 *
 * **Errors** of `decode`: `ATTR_UNKNOWN`, `ATTR_MISSING`, `ATTR_TYPE`, all that apply.
 */
export function attrs<P extends AttrProps>(props: P): TypedAttrs<AttrsOf<P>> {
  const columns = Object.entries(props).map(([name, prop]) =>
    '_tag' in prop && prop._tag === 'Defaulted'
      ? { name, codec: prop.codec, defaultValue: prop.defaultValue as AttrValue }
      : { name, codec: prop as t.Mixed, defaultValue: undefined },
  );
  const names = columns.map((c) => c.name);
  const decode = (given: Attrs): Result<Attrs> => {
    const problems: Diagnostic[] = Object.keys(given)
      .filter((name) => !names.includes(name))
      .map((name) => unknownAttr(name, didYouMean(name, names) ?? listed(names)));
    const record: Record<string, AttrValue> = {};
    for (const { name, codec, defaultValue } of columns) {
      const value = Object.hasOwn(given, name) ? given[name] : defaultValue;
      if (value === undefined) problems.push(missingAttr(name, codec.name));
      else {
        problems.push(...invalid(name, codec, value, defaultValue));
        record[name] = value;
      }
    }
    return failure(problems) ?? right(record);
  };
  return {
    props,
    fields: columns.map(({ name, codec, defaultValue }) => ({
      name,
      defaultValue,
      isFloat: isFloatCodec(codec),
      expects: codec.name,
      options: traitsOf(codec).options ?? [],
    })),
    decode: names.length === 0 ? decodeNothing(decode) : decode,
  };
}

/** The schema of an operator without attributes. */
export const noAttributes: TypedAttrs<Readonly<Record<never, never>>> = attrs({});

/** Every empty record is the same object. */
function decodeNothing(decode: (given: Attrs) => Result<Attrs>): AttrsSchema['decode'] {
  return (given) => (Object.keys(given).length === 0 ? right(noAttrs) : decode(given));
}

const listed = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? 'the operator has no attributes' : `it has ${names.join(', ')}`;

/** The errors of one attribute, each with its path: `strides[1]`. */
function invalid(
  name: string,
  codec: t.Mixed,
  value: AttrValue,
  defaultValue: AttrValue | undefined,
): ReadonlyArray<Diagnostic> {
  // Nearly all values are valid; errors are located only in the others.
  if (codec.is(value)) return [];
  const decoded = codec.decode(value);
  if (!isLeft(decoded)) return [];
  return decoded.left.map((error) => {
    const keys = error.context.slice(1).map((entry) => `[${entry.key}]`);
    const innermost = error.context[error.context.length - 1];
    const expected = innermost?.type.name ?? codec.name;
    const hint =
      defaultValue === undefined ? undefined : `its default is ${showDefault(defaultValue)}`;
    return attrType(`${name}${keys.join('')}`, expected, showValue(error.value), hint);
  });
}

/** Lists of defaults are short. */
const showDefault = (value: AttrValue): string =>
  Array.isArray(value) ? `[${value.map(showValue).join(', ')}]` : showValue(value);

function showValue(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return String(value);
}
