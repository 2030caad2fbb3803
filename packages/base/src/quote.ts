/**
 * Strings that come from files, quoted for each language that Baton writes. What is quoted is data
 * there: it ends no literal, no comment and no tag, and moves no cursor.
 */

/** Controls, and marks that reorder, hide or join the text around them. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

/** The escape of JavaScript and JSON for each code unit: `\u001b`. */
const escaped = (text: string): string =>
  text.replace(/./gs, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * JSON data as JavaScript or TypeScript: an expression, or the inside of a comment, in a file of its
 * own or in an HTML page. A key `__proto__` would set a prototype: data with keys from files are
 * lists of pairs for `Object.fromEntries`, or a quoted text for `JSON.parse`.
 */
export const scriptText = (data: unknown): string =>
  JSON.stringify(data)
    .replace(/<|\*\//g, escaped)
    .replace(CONTROL, escaped);

/** Text in HTML, SVG or XML: between tags, or in the quotes of an attribute. */
export const markupText = (text: string): string =>
  text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

export const dotText = (text: string): string =>
  text.replace(/["\\]/g, '\\$&').replace(/\r?\n/g, '\\n').replace(CONTROL, ' ');

/** Lines for a terminal: control characters become escapes, `\u001b`, valid in strings of JSON. */
export const terminalText = (text: string): string =>
  text.replace(CONTROL, (c) => (c === '\n' || c === '\t' ? c : escaped(c)));

/** A part of a line in which each character takes one column; those that control it are blanks. */
export const columnText = (text: string): string => text.replace(CONTROL, ' ');
