/** The weights of a model as a file: what lies in memory before the first run. */
import { ALIGNMENT, aligned } from '@baton/lower';
import { cast, dtypeInfo, tensor } from '@baton/tensor';
import { bytesOf, type Compiled } from './compile.ts';

/** How numbers of type float32 are stored. **Units** bits. */
export type WeightBits = 16 | 32;

/** A part of the file, in the order of memory. **Units** bytes of the file. */
export interface WeightPart {
  readonly bytes: number;
  /** Whether the part has numbers of 16 bits, which take 32 in memory. */
  readonly isHalf: boolean;
}

/** The file, and what becomes of it. Its parts fill the memory from `start` to `end`. */
export interface Weights {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly parts: ReadonlyArray<WeightPart>;
  readonly start: number;
  readonly end: number;
}

/**
 * The weights of a compiled region. With 16 bits each number of type float32 is rounded to float16,
 * whose error is at most a part in 2,048 of the number, or 3e-8 if that is more; constants with
 * numbers that float16 does not reach keep 32 bits.
 */
export function weightsOf({ placed }: Compiled, bits: WeightBits): Weights {
  const start = ALIGNMENT;
  const end = placed.reduce(
    (most, { address, bytes }) => Math.max(most, address + aligned(bytes)),
    start,
  );
  const memory = new ArrayBuffer(end);
  for (const { write } of placed) write(memory);
  const pieces: Array<{ bytes: Uint8Array; isHalf: boolean }> = [];
  for (const { address, bytes, dtype } of placed) {
    const length = aligned(bytes);
    const half = bits === 16 && dtype === 'float32' ? halved(memory, address, length) : undefined;
    pieces.push({
      bytes: half ?? new Uint8Array(memory, address, length),
      isHalf: half !== undefined,
    });
  }
  const file = new Uint8Array(pieces.reduce((sum, { bytes }) => sum + bytes.length, 0));
  const parts: WeightPart[] = [];
  let at = 0;
  for (const { bytes, isHalf } of pieces) {
    file.set(bytes, at);
    at += bytes.length;
    // Neighbours of one form are one part.
    const last = parts.at(-1);
    if (last?.isHalf === isHalf)
      parts[parts.length - 1] = { bytes: last.bytes + bytes.length, isHalf };
    else parts.push({ bytes: bytes.length, isHalf });
  }
  return { file, parts, start, end };
}

/** Numbers of 32 bits as numbers of 16; `undefined` if one of them is too large, or no number. */
function halved(memory: ArrayBuffer, address: number, length: number): Uint8Array | undefined {
  const numbers = new Float32Array(memory, address, length / 4);
  const { max } = dtypeInfo('float16');
  if (!numbers.every((x) => Math.abs(x) <= max)) return undefined;
  return bytesOf(cast(tensor(numbers, [numbers.length], 'float32'), 'float16').data);
}
