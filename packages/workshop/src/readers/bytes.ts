/** Corruption of bytes, whatever they mean. */
import { joinedBytes } from '@baton/base';
import type { Draw } from './draw.ts';

/** Bytes that are cut short, or have some changed, deleted, doubled or added. */
export function corruptedBytes(bytes: Uint8Array, draw: Draw): Uint8Array {
  if (bytes.length === 0) return Uint8Array.of(draw.below(256));
  const at = draw.below(bytes.length);
  const end = Math.min(bytes.length, at + 1 + draw.below(16));
  switch (draw.below(6)) {
    case 0:
      return bytes.slice(0, at);
    case 1: {
      const copy = bytes.slice();
      for (let i = 1 + draw.below(4); i > 0; i--) {
        const place = draw.below(copy.length);
        copy[place] = (copy[place] ?? 0) ^ (1 << draw.below(8));
      }
      return copy;
    }
    case 2:
      return bytes.slice().fill(draw.pick([0, 1, 0x7f, 0x80, 0xff]), at, end);
    case 3:
      return joinedBytes([bytes.subarray(0, at), bytes.subarray(end)]);
    case 4:
      return joinedBytes([bytes.subarray(0, end), bytes.subarray(at)]);
    default:
      return joinedBytes([bytes, bytes.subarray(at, end)]);
  }
}
