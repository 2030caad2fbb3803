/** Names that come from files are data in emitted modules: no code, no merged ports, no lost ones. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isLeft, orThrow } from '@baton/base';
import { func, type IRModule, irModule, tensorType, variable } from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { compileToModule } from '@baton/wasm';
import { afterAll, describe, expect, it } from 'vitest';
import { HOSTILE, twice } from './hostile.ts';
import { parse } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'baton-names-'));
afterAll(() => rmSync(folder, { recursive: true }));

const F4 = tensorType([4], 'float32');

let count = 0;

/** The module with its files under names that the file system takes, imported. */
async function imported(m: IRModule, name: string, outputs?: ReadonlyArray<string>) {
  const files = orThrow(compileToModule(m, { name, ...(outputs && { outputs }) }));
  count += 1;
  for (const { path, content } of files) {
    // The weights are asked for under the module's name; slashes in it are folders.
    const file = path.slice(path.lastIndexOf('/') + 1);
    writeFileSync(join(folder, file.endsWith('.mjs') ? `${count}.mjs` : file), content);
  }
  const types = String(files.find(({ path }) => path.endsWith('.d.mts'))?.content);
  const outside = types.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  expect(outside).not.toContain('PWNED');
  const found = await import(pathToFileURL(join(folder, `${count}.mjs`)).href);
  expect('PWNED' in globalThis).toBe(false);
  return found;
}

describe.each(HOSTILE)('%j', (name) => {
  const given = { [name]: Float32Array.of(1, 2, 3, 4) };
  const values = [
    [2, 4, 6, 8],
    [1, 4, 9, 16],
  ];

  it('is an input of a module', async () => {
    const module = await imported(twice(name), `input${count}`);
    expect(Object.values(module.run(given)).map((t) => [...(t as Float32Array)])).toEqual(values);
    expect(Object.keys(module.shapes)).toEqual([name, 'output0', 'output1']);
    expect(() => module.run({})).toThrow(TypeError);
  });

  it('is an output of a module', async () => {
    const module = await imported(twice('x'), `output${count}`, [name, 'other']);
    const found = module.run({ x: given[name] });
    expect(Object.keys(found)).toEqual([name, 'other']);
    expect(Object.values(found).map((t) => [...(t as Float32Array)])).toEqual(values);
  });

  it.skipIf(name.includes('/'))('is the name of a module', async () => {
    const module = await imported(twice('x'), name);
    expect(Object.keys(module.run({ x: given[name] }))).toEqual(['output0', 'output1']);
    await expect(module.instantiate(new Uint8Array(12345))).rejects.toThrow(`${name}: 12345 bytes`);
  });
});

describe('ports of one name are refused', () => {
  const codes = (m: IRModule, outputs?: ReadonlyArray<string>): ReadonlyArray<string> => {
    const made = compileToModule(m, { name: 'm', ...(outputs && { outputs }) });
    return isLeft(made) ? made.left.map(({ code }) => code) : [];
  };
  const REFUSED = ['WASM_AMBIGUOUS_PORT'];

  it('two inputs', () => {
    const [x, y] = [variable('x', F4), variable('x', F4)];
    const main = func([x, y], callOp(standardOps, 'add', [x, y]));
    expect(codes(irModule({ ops: standardOps, functions: new Map([['main', main]]) }))).toEqual(
      REFUSED,
    );
  });

  it('a part of a tuple and an input', () => {
    const m =
      parse(`def @main(%x: (Tensor[(4,), float32], Tensor[(4,), float32]), %x0: Tensor[(4,), float32]) {
      %x.0 + %x.1 * %x0 }`);
    expect(codes(m)).toEqual(REFUSED);
  });

  it('two outputs', () => expect(codes(twice('x'), ['y', 'y'])).toEqual(REFUSED));

  it('an input and an output of other sizes; of the same they may share it', () => {
    const wide = parse(
      'def @main(%output: Tensor[(2, 1), float32]) { %output + ones(shape=[2, 3], dtype="float32") }',
    );
    expect(codes(wide)).toEqual(REFUSED);
    expect(codes(parse('def @main(%output: Tensor[(4,), float32]) { %output + %output }'))).toEqual(
      [],
    );
  });
});
