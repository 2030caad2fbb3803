/** Classes of UTF-16 code units. Names are ASCII. */

export const isDigit = (c: number): boolean => c >= 48 && c <= 57;

/** A letter or `_`. */
export const isNameStart = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95;

export const isNamePart = (c: number): boolean => isNameStart(c) || isDigit(c);

/** Whether all of `text` is one identifier; a `/` before a letter belongs to it. */
export const isIdentifier = (text: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*(?:\/[A-Za-z_][A-Za-z0-9_]*)*$/.test(text);
