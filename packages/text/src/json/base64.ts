/** Bytes as base64 text. **Source** RFC 4648 §4. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The number of characters joined at once: longer argument lists would need a deep stack. */
const CHUNK = 4_096;

const CODES = Uint8Array.from(ALPHABET, (c) => c.charCodeAt(0));
const PADDING = '='.charCodeAt(0);

export function toBase64(bytes: Uint8Array): string {
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let at = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const rest = bytes.length - i;
    const a = bytes[i] as number;
    const b = rest > 1 ? (bytes[i + 1] as number) : 0;
    const c = rest > 2 ? (bytes[i + 2] as number) : 0;
    codes[at++] = CODES[a >> 2] as number;
    codes[at++] = CODES[((a & 3) << 4) | (b >> 4)] as number;
    codes[at++] = rest > 1 ? (CODES[((b & 15) << 2) | (c >> 6)] as number) : PADDING;
    codes[at++] = rest > 2 ? (CODES[c & 63] as number) : PADDING;
  }
  if (codes.length <= CHUNK) return String.fromCharCode(...codes);
  const parts: string[] = [];
  for (let i = 0; i < codes.length; i += CHUNK) {
    parts.push(String.fromCharCode(...codes.subarray(i, i + CHUNK)));
  }
  return parts.join('');
}

const INVALID = 255;

const VALUES = ((): Uint8Array => {
  const values = new Uint8Array(128).fill(INVALID);
  for (const [value, code] of CODES.entries()) values[code] = value;
  return values;
})();

/** The number of bytes that a text of this length and padding encodes. */
export function base64Length(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/** The bytes of a text; `undefined` if it is not base64 with padding. */
export function fromBase64(text: string): Uint8Array | undefined {
  const length = base64Length(text);
  if (!Number.isInteger(length) || length < 0) return undefined;
  const bytes = new Uint8Array(length);
  const full = text.endsWith('=') ? text.length - 4 : text.length;
  let at = 0;
  for (let i = 0; i < text.length; i += 4) {
    const isPadded = i >= full;
    const a = valueAt(text, i);
    const b = valueAt(text, i + 1);
    const c = isPadded && text.endsWith('==') ? 0 : valueAt(text, i + 2);
    const d = isPadded ? 0 : valueAt(text, i + 3);
    if (a === INVALID || b === INVALID || c === INVALID || d === INVALID) return undefined;
    bytes[at++] = (a << 2) | (b >> 4);
    if (at < length) bytes[at++] = ((b & 15) << 4) | (c >> 2);
    if (at < length) bytes[at++] = ((c & 3) << 6) | d;
  }
  return bytes;
}

const valueAt = (text: string, index: number): number => VALUES[text.charCodeAt(index)] ?? INVALID;
