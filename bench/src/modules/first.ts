/** How soon the first result of an emitted module is there. Runs in Node and in browsers. */

/** The values of an input. */
export interface InputValues {
  readonly type: 'Float32Array' | 'Int32Array' | 'BigInt64Array';
  readonly values: ReadonlyArray<number | string>;
}

/** **Units** ms. */
export interface FirstTimes {
  /** Until the module is imported, its weights with it. */
  readonly importMs: number;
  /** From the start of the import to the first result. */
  readonly firstMs: number;
  /** The next run. */
  readonly nextMs: number;
  /** The vector instructions that the module found. */
  readonly level: string;
}

/** Imports a module and runs it twice. */
export async function firstTimes(
  url: string,
  given: Readonly<Record<string, InputValues>>,
): Promise<FirstTimes> {
  const inputs = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, arrayOf(value)]),
  );
  const start = performance.now();
  const { run, level } = await import(url);
  const imported = performance.now();
  run(inputs);
  const first = performance.now();
  run(inputs);
  const next = performance.now();
  return { importMs: imported - start, firstMs: first - start, nextMs: next - first, level };
}

/** The typed array of an input. */
export function arrayOf({ type, values }: InputValues): Float32Array | Int32Array | BigInt64Array {
  switch (type) {
    case 'Float32Array':
      return Float32Array.from(values, Number);
    case 'Int32Array':
      return Int32Array.from(values, Number);
    case 'BigInt64Array':
      return BigInt64Array.from(values, BigInt);
  }
}
