import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { isLeft, orThrow } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { squeezenet } from '@baton/models';
import { standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { optimize } from '@baton/passes';
import { type Tensor, tensor } from '@baton/tensor';
import { compileToModule, makeWasm } from '@baton/wasm';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'baton-wasm-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The codes of the problems. */
const codesOf = (m: IRModule): ReadonlyArray<string> => {
  const found = compileToModule(m, { name: 'm' });
  return isLeft(found) ? found.left.map(({ code }) => code) : [];
};

/** The module of a program, as a file that was written and imported. */
async function imported(m: IRModule, name: string) {
  for (const { path, content } of orThrow(compileToModule(m, { name }))) {
    writeFileSync(join(folder, path), content);
  }
  return import(pathToFileURL(join(folder, `${name}.mjs`)).href);
}

describe('a model as an ES module', () => {
  it('gives what the executor gives, each time', async () => {
    const m = orThrow(
      runPass(optimize({ level: 3 }))(squeezenet({ ops: standardOps, imageSize: 64, classes: 10 })),
    ).module;
    const { run, shapes } = await imported(m, 'squeezenet');
    expect(shapes).toEqual({ data: [1, 3, 64, 64], output: [1, 10] });
    for (const phase of [0, 1]) {
      const data = Float32Array.from({ length: 3 * 64 * 64 }, (_, i) => Math.sin(i + phase));
      const wanted = orThrow(
        orThrow(makeWasm({ level: 'simd' }).prepare(m)).run([
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
    expect(declared?.content).toContain('"x": new Float32Array');
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
