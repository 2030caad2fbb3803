/** Models whose inputs have only ranks: every dimension is free. */

interface Field {
  readonly field: number;
  readonly start: number;
  readonly end: number;
  /** The start of a length-delimited field's payload. */
  readonly payload: number | undefined;
}

/** The fields on the way to a dimension: graph, input, type, tensor, shape, dimension. */
const PATH = [7, 11, 2, 1, 2, 1];

/** The model with inputs of any size; nothing else of the file changes. */
export const withFreeInputs = (model: Uint8Array): Uint8Array =>
  Uint8Array.from(rewritten(model, PATH));

function rewritten(bytes: Uint8Array, [next, ...rest]: ReadonlyArray<number>): number[] {
  // A dimension of no size and no name.
  if (next === undefined) return [];
  return fields(bytes).flatMap(({ field, start, end, payload }) => {
    if (field !== next || payload === undefined) return [...bytes.subarray(start, end)];
    const inner = rewritten(bytes.subarray(payload, end), rest);
    return [...varint(field * 8 + 2), ...varint(inner.length), ...inner];
  });
}

function fields(bytes: Uint8Array): ReadonlyArray<Field> {
  const found: Field[] = [];
  let at = 0;
  const read = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const start = at;
    const tag = read();
    const wire = tag % 8;
    if (wire === 0) read();
    else if (wire !== 2) at += wire === 1 ? 8 : 4;
    const length = wire === 2 ? read() : 0;
    const payload = wire === 2 ? at : undefined;
    at += length;
    found.push({ field: Math.floor(tag / 8), start, end: at, payload });
  }
  return found;
}

function varint(value: number): ReadonlyArray<number> {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
