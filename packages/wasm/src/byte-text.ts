/**
 * Bytes as text for a string literal, a character each: printable ones of ASCII are themselves, the
 * others stand 256 places further, among letters. What repeats in the bytes repeats in the text, which
 * so compresses to half of what base 64 does: there a byte is written in three ways.
 */

/** Characters of ASCII that a literal between single quotes cannot hold as they are. */
const ESCAPED = "'\\";

const CHARACTERS: ReadonlyArray<string> = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  const isPlain = byte >= 0x20 && byte < 0x7f && !ESCAPED.includes(character);
  return isPlain ? character : String.fromCharCode(0x100 + byte);
});

/** The text of some bytes. */
export const byteText = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => CHARACTERS[byte]).join('');

/** A function in JavaScript that gives the bytes of a text: storage of bytes drops the 256. */
export const BYTES_OF_TEXT = `(text) => {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}`;
