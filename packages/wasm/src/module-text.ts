/** The text of a model's ES module, and of its types. It imports nothing. */
import { scriptText } from '@baton/base';
import type { DType } from '@baton/tensor';
import { BYTES_OF_TEXT, byteText } from './byte-text.ts';
import { pagesOf } from './compile.ts';
import { MEMORY } from './crew.ts';
import { MATH } from './emit/index.ts';
import { probeOf, type SimdLevel } from './level.ts';
import type { Weights } from './module-weights.ts';

/** A named array in the memory of the module. */
export interface Port {
  readonly name: string;
  /** The name of the typed array. */
  readonly type: string;
  /** The type whose numbers the array has as bits. */
  readonly bitsOf?: DType | undefined;
  readonly address: number;
  readonly length: number;
  readonly shape: ReadonlyArray<number>;
}

/** The code for hosts of one level. */
export interface LevelCode {
  readonly level: SimdLevel;
  readonly code: Uint8Array;
}

/** What a module is made of. */
export interface ModuleParts {
  readonly name: string;
  /** The best level first. */
  readonly codes: ReadonlyArray<LevelCode>;
  /** The exported functions of the code, in the order of a run. */
  readonly runs: ReadonlyArray<string>;
  /** All of the memory. */
  readonly bytes: number;
  readonly inputs: ReadonlyArray<Port>;
  readonly results: ReadonlyArray<Port>;
  readonly weights: Weights;
  /** Whether the module loads its weights itself. */
  readonly isLoading: boolean;
}

/** The text of the module. */
export function moduleText(parts: ModuleParts): string {
  const { name, inputs, results, isLoading } = parts;
  return [
    `/** The model ${scriptText(name)} as WebAssembly, compiled by Baton. */\n`,
    codeText(parts),
    weightsText(parts),
    instanceText(parts),
    `/** The shapes of the inputs and outputs. */
export const shapes = Object.fromEntries(${scriptText(shapesOf([...inputs, ...results]))});

/** The model on given weights, in memory of its own. */
export const instantiate = (weights) =>
  make(async (place) => {
    const bytes = ArrayBuffer.isView(weights)
      ? new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength)
      : new Uint8Array(weights);
    if (bytes.length !== place.length) throw new RangeError(sized(bytes.length));
    place.set(bytes);
  });
`,
    isLoading ? besideText(name) : '',
  ]
    .filter((text) => text !== '')
    .join('\n');
}

/** The code of the best level that the host has. */
const codeText = ({ name, codes }: ModuleParts): string => `
const bytesOf = ${BYTES_OF_TEXT};
const found = [
${codes
  .map(
    ({ level, code }) =>
      `  { level: '${level}', probe: '${byteText(probeOf(level))}', code: '${byteText(code)}' },\n`,
  )
  .join('')}].find(({ probe }) => globalThis.WebAssembly?.validate(bytesOf(probe)));
if (found === undefined) {
  throw new Error(${scriptText(`this host has no WebAssembly with vectors of 128 bits (SIMD): ${name} needs them`)});
}

/** The vector instructions that the code uses here. */
export const level = found.level;
`;

/**
 * The weights come to the end of their place, and are spread from there to its start: what is
 * written never reaches what is still to be read.
 */
const weightsText = ({ name, weights: { file, parts, start, end } }: ModuleParts): string => `
const sized = (size) =>
  ${scriptText(`${name}: `)} + \`\${size} bytes of weights, ${file.length} are expected\`;
${
  parts.every(({ isHalf }) => !isHalf)
    ? 'const spread = () => {};'
    : `const spread = (buffer) => {
  const words = new Uint32Array(buffer);
  const floats = new Float32Array(buffer);
  let from = ${end - file.length};
  let to = ${start};
  for (const [bytes, isHalf] of ${JSON.stringify(parts.map((part) => [part.bytes, Number(part.isHalf)]))}) {
    if (isHalf) {
      const halves = new Uint16Array(buffer, from, bytes / 2);
      for (let i = 0, at = to / 4; i < halves.length; i++, at++) {
        const half = halves[i];
        words[at] = (half & 0x7fff) << 13;
        floats[at] *= 2 ** 112;
        words[at] |= (half & 0x8000) << 16;
      }
    } else new Uint8Array(buffer).copyWithin(to, from, from + bytes);
    from += bytes;
    to += isHalf ? 2 * bytes : bytes;
  }
};`
}
`;

/** The function that makes an instance. */
function instanceText({ runs, bytes, inputs, results, weights }: ModuleParts): string {
  const [module, memory] = MEMORY;
  const { file, end } = weights;
  return `
const make = async (load) => {
  const memory = new WebAssembly.Memory({ initial: ${pagesOf(bytes)} });
  const { buffer } = memory;
  const [, { instance }] = await Promise.all([
    load(new Uint8Array(buffer, ${end - file.length}, ${file.length})),
    WebAssembly.instantiate(bytesOf(found.code), { ${module}: { ${memory}: memory }, ${MATH}: Math }),
  ]);
  spread(buffer);
  const exported = instance.exports;
  const inputs = [
${inputs.map(portText).join('')}  ];
  const outputs = [
${results.map(portText).join('')}  ];
  const run = (given) => {
    for (const [name, place] of inputs) {
      const value = given[name];
      if (value?.constructor !== place.constructor || value.length !== place.length) {
        throw new TypeError(\`\${name} expects a \${place.constructor.name} of \${place.length} elements\`);
      }
      place.set(value);
    }
${runs.map((run) => `    exported.${run}();\n`).join('')}    return Object.fromEntries(outputs.map(([name, place]) => [name, place.slice()]));
  };
  return { run };
};
`;
}

const portText = ({ name, type, address, length }: Port): string =>
  `    [${scriptText(name)}, new ${type}(buffer, ${address}, ${length})],\n`;

/** The part that loads the weights from the module's folder. */
const besideText = (name: string): string => `
const beside = async (place) => {
  const url = new URL(\`\${encodeURIComponent(${scriptText(fileOf(name))})}.bin\`, import.meta.url);
  let size = 0;
  if (url.protocol === 'file:') {
    const { open } = await import(/* @vite-ignore */ /* webpackIgnore: true */ 'node:fs/promises');
    const file = await open(url);
    try {
      const stat = await file.stat();
      if (stat.size !== place.length) throw new RangeError(sized(stat.size));
      while (size < place.length) {
        const { bytesRead } = await file.read(place, size);
        if (bytesRead === 0) throw new RangeError(sized(size));
        size += bytesRead;
      }
    } finally {
      await file.close();
    }
    return;
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(\`\${url} cannot be loaded: \${response.status}\`);
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const { length } = part.value;
    if (size + length <= place.length) place.set(part.value, size);
    size += length;
  }
  if (size !== place.length) throw new RangeError(sized(size));
};

/** Runs the model. The arrays of the result are new. */
export const { run } = await make(beside);
`;

/** The last part of a path: the weights are in the module's folder. */
const fileOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const shapesOf = (ports: ReadonlyArray<Port>): ReadonlyArray<unknown> =>
  ports.map(({ name, shape }) => [name, shape]);

/** The declarations of the module. */
export function typesText({ name, codes, inputs, results, isLoading }: ModuleParts): string {
  const fields = (ports: ReadonlyArray<Port>): string =>
    ports
      .map(
        ({ name: own, type, bitsOf, shape }) =>
          `  /** (${shape.join(', ')})${bitsOf ? `, the bits of ${bitsOf}` : ''} */\n  readonly ${scriptText(own)}: ${type};\n`,
      )
      .join('');
  return `/** The model ${scriptText(name)} as WebAssembly, compiled by Baton. */

/** The inputs, dense and row-major. */
export interface Inputs {
${fields(inputs)}}

/** The outputs, dense and row-major. */
export interface Outputs {
${fields(results)}}

/** The shapes of the inputs and outputs. */
export declare const shapes: Readonly<Record<keyof Inputs | keyof Outputs, ReadonlyArray<number>>>;

/** The vector instructions that the code uses here. */
export declare const level: ${codes.map((one) => `'${one.level}'`).join(' | ')};

/** Runs the model. The arrays of the result are new. */
export type Run = (given: Inputs) => Outputs;

/** The model on given weights, in memory of its own. */
export declare const instantiate: (
  weights: ArrayBuffer | ArrayBufferView,
) => Promise<{ readonly run: Run }>;
${
  isLoading
    ? `
/** Runs the model on the weights in the module's folder. */
export declare const run: Run;
`
    : ''
}`;
}
