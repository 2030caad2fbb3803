import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { isLeft, orThrow } from '@baton/base';
import {
  constant,
  type Expr,
  func,
  type IRModule,
  irModule,
  tensorType,
  variable,
} from '@baton/ir';
import { squeezenet } from '@baton/models';
import { callOp, standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { optimize } from '@baton/passes';
import { cast, type Tensor, tensor } from '@baton/tensor';
import {
  compileToModule,
  hostWebAssembly,
  type ModuleOptions,
  makeWasm,
  simdLevel,
} from '@baton/wasm';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'baton-wasm-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The codes of the problems. */
const codesOf = (m: IRModule): ReadonlyArray<string> => {
  const found = compileToModule(m, { name: 'm' });
  return isLeft(found) ? found.left.map(({ code }) => code) : [];
};

/** Writes the module of a program. */
function written(m: IRModule, name: string, options: Partial<ModuleOptions> = {}): void {
  for (const { path, content } of orThrow(compileToModule(m, { name, ...options }))) {
    writeFileSync(join(folder, path), content);
  }
}

const hrefOf = (name: string): string => pathToFileURL(join(folder, `${name}.mjs`)).href;

/** The module of a program, as a file that was written and imported. */
async function imported(m: IRModule, name: string, options: Partial<ModuleOptions> = {}) {
  written(m, name, options);
  return import(hrefOf(name));
}

/** Imports under another name a module that was written, where the host knows no module it is asked about. */
async function importedWhere(validate: (bytes: Uint8Array) => boolean, name: string) {
  const given = Object.getOwnPropertyDescriptor(globalThis, 'WebAssembly') as PropertyDescriptor;
  const host = Object.create(given.value, { validate: { value: validate } });
  Object.defineProperty(globalThis, 'WebAssembly', { ...given, value: host });
  try {
    return await import(`${hrefOf(name)}?${Math.random()}`);
  } finally {
    Object.defineProperty(globalThis, 'WebAssembly', given);
  }
}

/** A product with weights, shifts, and factors that float16 does not reach. */
function products(round: (t: Tensor) => Tensor): IRModule {
  const values = (shape: ReadonlyArray<number>, most: number): Tensor => {
    const length = shape.reduce((a, b) => a * b);
    const data = Float32Array.from({ length }, (_, i) => most * Math.sin(7 * i + 1));
    return tensor(data, shape, 'float32');
  };
  const use = (name: string, ...args: ReadonlyArray<Expr>): Expr => callOp(standardOps, name, args);
  const x = variable('x', tensorType([5, 9], 'float32'));
  const sums = use('nn.dense', x, constant(round(values([12, 9], 0.3))));
  const shifted = use('add', sums, constant(round(values([12], 0.01))));
  const body = use('multiply', use('nn.relu', shifted), constant(values([12], 1e6)));
  return irModule({ functions: new Map([['main', func([x], body)]]), ops: standardOps });
}

const halved = (t: Tensor): Tensor => cast(cast(t, 'float16'), 'float32');

describe('a model as an ES module', () => {
  it('gives what the executor gives, each time', async () => {
    const m = orThrow(
      runPass(optimize({ level: 3 }))(squeezenet({ ops: standardOps, imageSize: 64, classes: 10 })),
    ).module;
    const { run, shapes, level } = await imported(m, 'squeezenet');
    expect(level).toBe(simdLevel());
    expect(shapes).toEqual({ data: [1, 3, 64, 64], output: [1, 10] });
    for (const phase of [0, 1]) {
      const data = Float32Array.from({ length: 3 * 64 * 64 }, (_, i) => Math.sin(i + phase));
      const wanted = orThrow(
        orThrow(makeWasm({ level, transforms: false }).prepare(m)).run([
          tensor(data, [1, 3, 64, 64], 'float32'),
        ]),
      );
      expect(run({ data })).toEqual({ output: (wanted as Tensor).data });
    }
    const code = readFileSync(join(folder, 'squeezenet.mjs'));
    expect(gzipSync(code).length).toBeLessThan(40_000);
    expect(code.toString()).not.toMatch(/from '/);
  });

  it('takes tuples, gives results by name, and refuses what does not fit', async () => {
    const m = parse(`
      def @main(%a: Tensor[(2, 3), float32], %b: (Tensor[(3), float32], Tensor[(3), float32])) {
        (transpose(multiply(%a, %b.0)), add(%b.0, %b.1)) }`);
    const { run } = await imported(m, 'tuples');
    const [a, b0, b1] = [
      [1, 2, 3, 4, 5, 6],
      [1, 10, 100],
      [1, 1, 1],
    ].map((l) => Float32Array.from(l));
    expect(run({ a, b0, b1 })).toEqual({
      output0: Float32Array.of(1, 4, 20, 50, 300, 600),
      output1: Float32Array.of(2, 11, 101),
    });
    expect(() => run({ a: b0, b0, b1 })).toThrow('a expects a Float32Array of 6 elements');
    expect(() => run({ a, b0 })).toThrow('b1 expects a Float32Array of 3 elements');
    const types = readFileSync(join(folder, 'tuples.d.mts'), 'utf8');
    expect(types).toContain('readonly "b1": Float32Array;');
    const [declared] = orThrow(compileToModule(m, { name: 'named', outputs: ['x', 'y'] }));
    expect(declared?.content).toContain('["x", new Float32Array');
  });

  it('takes and gives float16 as bits', async () => {
    const m = parse(`
      def @main(%x: Tensor[(1, 3), float16], %w: Tensor[(2, 3), float16]) {
        nn.softmax(nn.dense(%x, %w)) }`);
    const { run } = await imported(m, 'halves');
    const bitsOf = (numbers: ReadonlyArray<number>): Uint16Array =>
      cast(tensor(Float64Array.from(numbers), [numbers.length], 'float64'), 'float16')
        .data as Uint16Array;
    const [x, w] = [bitsOf([1, -2, 0.5]), bitsOf([1, 0.25, -1, 1, 0.25, -1])];
    expect(run({ x, w })).toEqual({ output: bitsOf([0.5, 0.5]) });
    const types = readFileSync(join(folder, 'halves.d.mts'), 'utf8');
    expect(types).toContain('/** (1, 3), the bits of float16 */');
  });

  it('keeps weights of 16 bits, as far as they fit, and computes as with these', async () => {
    const half = await imported(
      products((t) => t),
      'half',
      { weightBits: 16 },
    );
    const rounded = await imported(products(halved), 'rounded');
    const whole = await imported(
      products((t) => t),
      'whole',
    );
    const x = Float32Array.from({ length: 45 }, (_, i) => Math.cos(i));
    expect(half.run({ x })).toEqual(rounded.run({ x }));
    expect(half.run({ x })).not.toEqual(whole.run({ x }));
    const size = (name: string): number => readFileSync(join(folder, `${name}.bin`)).length;
    expect(size('half')).toBeLessThan(0.6 * size('whole'));
  });

  it('takes weights as bytes, of the right number, as often as it is asked', async () => {
    const m = products((t) => t);
    const given = await imported(m, 'given', { weights: 'given' });
    expect(given.run).toBeUndefined();
    const bytes = readFileSync(join(folder, 'given.bin'));
    rmSync(join(folder, 'given.bin'));
    const x = new Float32Array(45).fill(1);
    const { run } = await imported(m, 'loaded');
    const one = await given.instantiate(bytes);
    const other = await given.instantiate(
      bytes.buffer.slice(bytes.byteOffset).slice(0, bytes.length),
    );
    expect(one.run({ x })).toEqual(run({ x }));
    one.run({ x: x.map(() => 2) });
    expect(other.run({ x })).toEqual(run({ x }));
    const short = given.instantiate(bytes.subarray(1));
    await expect(short).rejects.toThrow(
      `${bytes.length - 1} bytes of weights, ${bytes.length} are`,
    );
    writeFileSync(join(folder, 'loaded.bin'), bytes.subarray(1));
    await expect(import(`${hrefOf('loaded')}?again`)).rejects.toThrow('bytes of weights');
  });

  it('uses the vectors that its host knows, and says so if there are none', async () => {
    written(
      products((t) => t),
      'levels',
    );
    const host = hostWebAssembly();
    const x = new Float32Array(45).fill(1);
    const without = (level: 'relaxed' | 'simd') => {
      const probes = readFileSync(join(folder, 'levels.mjs'), 'utf8').matchAll(
        /level: '(\w+)', probe: '([^']+)'/g,
      );
      const refused = new Map(
        [...probes].map(([, name, probe = '']) => [
          name,
          Buffer.from(Array.from(probe, (c) => c.charCodeAt(0) & 255)),
        ]),
      );
      return (bytes: Uint8Array) =>
        !refused.get(level)?.equals(bytes) && host?.validate(Uint8Array.from(bytes)) === true;
    };
    const simd = await importedWhere(without('relaxed'), 'levels');
    expect(simd.level).toBe('simd');
    const wanted = orThrow(
      orThrow(makeWasm({ level: 'simd' }).prepare(products((t) => t))).run([
        tensor(x, [5, 9], 'float32'),
      ]),
    );
    expect(simd.run({ x })).toEqual({ output: (wanted as Tensor).data });
    await expect(importedWhere(() => false, 'levels')).rejects.toThrow(
      'this host has no WebAssembly with vectors of 128 bits (SIMD): levels needs them',
    );
  });

  it('has types, which the compiler reads', () => {
    written(
      products((t) => t),
      'typed',
      { outputs: ['prob'] },
    );
    const use = `import { instantiate, level, run, shapes } from './typed.mjs';
      const { prob }: { prob: Float32Array } = run({ x: new Float32Array(45) });
      const rank: number = shapes.x.length + shapes.prob.length;
      const name: 'relaxed' | 'simd' = level;
      export const again = async () => (await instantiate(new ArrayBuffer(3))).run({ x: prob });
      // @ts-expect-error The input is missing.
      run({});
      console.log(rank, name);`;
    writeFileSync(join(folder, 'use.mts'), use);
    const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', '--ignoreConfig'];
    const { stdout, status } = spawnSync(
      process.execPath,
      [tsc, ...flags, join(folder, 'use.mts')],
      {
        encoding: 'utf8',
      },
    );
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });

  it('is refused where code is missing, at its place', () => {
    const sorted = parse('def @main(%x: Tensor[(5), float32]) { sort(add(%x, 1f)) }');
    expect(codesOf(sorted)).toEqual(['WASM_NO_CODE']);
    const flow = parse(
      'def @main(%c: bool, %x: Tensor[(5), float32]) { if (%c) { %x } else { exp(%x) } }',
    );
    expect(codesOf(flow)).toEqual(['WASM_NO_DATAFLOW']);
  });
});
