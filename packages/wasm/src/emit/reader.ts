/** Reading the binary format of WebAssembly. */

/** Reads a module from its start. */
export interface Reader {
  readonly position: () => number;
  readonly byte: () => number;
  /** An unsigned integer in LEB128. */
  readonly unsigned: () => number;
  /** Skips a signed or unsigned integer of any size. */
  readonly skipNumber: () => void;
  readonly skip: (bytes: number) => void;
}

/** A reader of bytes. */
export function makeReader(bytes: Uint8Array, start = 0): Reader {
  let at = start;
  const byte = (): number => bytes[at++] as number;
  return {
    position: () => at,
    byte,
    unsigned: () => {
      let [value, factor] = [0, 1];
      for (;;) {
        const next = byte();
        value += (next & 0x7f) * factor;
        if (next < 0x80) return value;
        factor *= 128;
      }
    },
    skipNumber: () => {
      while (byte() >= 0x80);
    },
    skip: (count) => {
      at += count;
    },
  };
}
