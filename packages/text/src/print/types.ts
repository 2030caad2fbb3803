/** Types as text: [language §8](https://batonjs.github.io/baton/spec/language#8). */
import { type Type, typeText } from '@baton/ir';
import { makeNames } from './names.ts';

/**
 * A type in the text format.
 *
 * **Complexity** linear in the text, which may be much longer than a type that shares its parts.
 */
export const printType = (type: Type): string => typeText(type, makeNames([], []));
