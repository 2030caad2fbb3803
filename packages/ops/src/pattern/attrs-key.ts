/** Attributes as text, for keys of maps. */
import { remember } from '@baton/base';

const keys = new WeakMap<object, string>();

/** Equal for equal attributes, and for equal patterns of attributes. */
export const attrsKey = (attrs: object): string =>
  remember(keys, attrs, () =>
    JSON.stringify(attrs, (_, value: unknown) => {
      if (typeof value === 'bigint') return { big: String(value) };
      if (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0)))
        return value;
      return { special: signed(value) };
    }),
  );

/** A number as text that distinguishes the two zeros. */
export const signed = (element: number): string =>
  Object.is(element, -0) ? '-0' : String(element);
