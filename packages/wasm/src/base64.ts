/** Bytes in base 64, as text that needs no escapes: no host that this runs on need have it built in. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The text of some bytes. */
export function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(i, i + 3);
    const word = (a << 16) | (b << 8) | c;
    const digits = [18, 12, 6, 0].map((shift) => DIGITS[(word >> shift) & 63]).join('');
    const missing = Math.max(0, i + 3 - bytes.length);
    parts.push(digits.slice(0, 4 - missing) + '='.repeat(missing));
  }
  return parts.join('');
}
