/** UTF-8 without the globals of a browser or of Node. */

/** `String.fromCharCode` takes this many arguments at a time. */
const CHUNK_UNITS = 4096;

/** The replacement for bytes that are not UTF-8. */
const REPLACEMENT = 0xfffd;

/** The text of `bytes[start .. end)`. Invalid UTF-8 becomes U+FFFD, as in a browser. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  const units: number[] = [];
  let at = start;
  while (at < end) {
    const { codePoint, length } = codePointAt(bytes, at, end);
    at += length;
    if (codePoint < 0x10000) units.push(codePoint);
    else units.push(0xd7c0 + (codePoint >> 10), 0xdc00 + (codePoint & 0x3ff));
    if (units.length >= CHUNK_UNITS - 1) text += String.fromCharCode(...units.splice(0));
  }
  return text + String.fromCharCode(...units);
}

interface CodePoint {
  readonly codePoint: number;
  readonly length: number;
}

const broken = (length: number): CodePoint => ({ codePoint: REPLACEMENT, length });

function codePointAt(bytes: Uint8Array, at: number, end: number): CodePoint {
  const lead = bytes[at] as number;
  if (lead < 0x80) return { codePoint: lead, length: 1 };
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return broken(1);
  let codePoint = lead & (0x7f >> length);
  for (let i = 1; i < length; i++) {
    const next = at + i < end ? (bytes[at + i] as number) : 0;
    if ((next & 0xc0) !== 0x80 || (i === 1 && !plausible(lead, next))) return broken(i);
    codePoint = (codePoint << 6) | (next & 0x3f);
  }
  return { codePoint, length };
}

/** Rules out overlong forms, surrogates, and code points beyond U+10FFFF. */
function plausible(lead: number, second: number): boolean {
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second < 0xa0;
  if (lead === 0xf0) return second >= 0x90;
  if (lead === 0xf4) return second < 0x90;
  return true;
}

/** The bytes of a text. Half of a surrogate pair becomes U+FFFD, as in a browser. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const found = character.codePointAt(0) as number;
    const codePoint = found >= 0xd800 && found <= 0xdfff ? REPLACEMENT : found;
    if (codePoint < 0x80) bytes.push(codePoint);
    else pushLong(bytes, codePoint);
  }
  return Uint8Array.from(bytes);
}

/** The two to four bytes of a code point that is not ASCII. */
function pushLong(bytes: number[], codePoint: number): void {
  const length = codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  const lead = (0xf00 >> length) & 0xff;
  bytes.push(lead | (codePoint >> (6 * (length - 1))));
  for (let i = length - 2; i >= 0; i--) bytes.push(0x80 | ((codePoint >> (6 * i)) & 0x3f));
}
