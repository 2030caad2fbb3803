import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** The part of the facade that a bundler keeps, from the built files, which are published. */

const here = fileURLToPath(new URL('.', import.meta.url));

async function bundle(contents: string): Promise<{ text: string; inputs: Metafile['inputs'] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: here },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
  });
  const [file] = outputFiles;
  const [output] = Object.values(metafile.outputs);
  if (file === undefined || output === undefined) throw new Error('a bundle is one file');
  const kept = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const inputs = Object.fromEntries(kept.map(([path]) => [path, metafile.inputs[path]]));
  return { text: file.text, inputs: inputs as Metafile['inputs'] };
}

/** A program that parses, optimizes and prints. */
const OPTIMIZES = `
  import { optimize, orThrow, parseModule, printModule, runPass } from 'batonjs';
  globalThis.run = (text) =>
    printModule(orThrow(runPass(optimize({ level: 3 }))(orThrow(parseModule(text)))).module);`;

const compressed = (text: string): number => gzipSync(text, { level: 9 }).length;

describe('U.13 a bundle drops what it does not use', () => {
  it('of a program that parses, optimizes and prints', async () => {
    const { text, inputs } = await bundle(OPTIMIZES);
    const packages = new Set(
      Object.keys(inputs).map((path) => /packages\/([\w-]+)\//.exec(path)?.[1] ?? 'library'),
    );
    for (const unused of ['executor', 'equivalence', 'onnx', 'models', 'egraph', 'wasm']) {
      expect(packages, unused).not.toContain(unused);
    }
    const builders = Object.keys(inputs).filter((path) => path.includes('/builders/'));
    expect(builders).toEqual([]);
    expect(text.length).toBeLessThan(LIMIT);
  });

  it('of the compiled executor with all its kernels and the compiler to modules, which adds little', async () => {
    const optimizer = await bundle(OPTIMIZES);
    const all = await bundle(
      `${OPTIMIZES} import * as compiled from '@baton/wasm'; globalThis.compiled = compiled;`,
    );
    const added = compressed(all.text) - compressed(optimizer.text);
    expect(added).toBeLessThanOrEqual(WASM_LIMIT);
    expect(added).toBeGreaterThan(20_000);
  });

  it('and takes nothing of fp-ts as CommonJS', async () => {
    const { inputs } = await bundle("import * as baton from 'batonjs'; globalThis.baton = baton;");
    const commonJs = Object.keys(inputs).filter((path) => /fp-ts\/(?!es6\/)/.test(path));
    expect(commonJs).toEqual([]);
  });
});

/**
 * Bytes, minified and not compressed: 457,000, the four operators of shapes of the run, the element
 * types of a byte and less, the precisions of operators, the gradients that operators state (18,000),
 * the operators of sizes of the run (11,000), how layouts pass through operators (5,000), those of
 * transforms, windows and distinct elements (6,000), those on quantized integers (14,000), and the gradients
 * of pools, dilation and crops (8,000), boxes and regions (13,000), random numbers (5,000), sparse matrices and the rest of Relay (40,000); differentiation, with which `optimize` begins (25,000);
 * the checks that rules keep constants in range and quotients before steps (8,000); what is noted for
 * editors, and the values of attributes (2,000); rules that are read when they are used, and errors known
 * by their names (600); forms, and the choice of kernels (5,000); forms of scans, scatters and
 * interpolations, and operators of indices in others (3,400); transposed convolutions as products (700);
 * products on integers (7,500); weights of few bits (2,000); the parts of values that slices take (10,800);
 * the choice of kernels by measured times (1,200).
 */
const LIMIT = 693_000;

/**
 * Bytes, minified and compressed, of `@baton/wasm` and the interpreter that it stands on; 8,000 of them for
 * loops, scans, scatters, interpolations and functions of `Math`, 7,800 for products and vectors of integers, 3,000
 * for weights of few bits, 1,500 for float64 in vectors and float16.
 */
const WASM_LIMIT = 94_000;
