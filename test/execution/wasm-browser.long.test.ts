/** The compiled executor and an emitted module in pages of Chromium, under a strict policy. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orThrow } from '@baton/base';
import { type Executor, interpreter } from '@baton/executor';
import { squeezenet } from '@baton/models';
import { standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { optimize } from '@baton/passes';
import { type Tensor, tensor } from '@baton/tensor';
import { compileToModule, makeWasm } from '@baton/wasm';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, inChromium, STRICT_POLICY } from '../../bench/src/modules/chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'baton-browser-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SIZE = 32;
const given = squeezenet({ ops: standardOps, imageSize: SIZE, classes: 10 });
const network = orThrow(runPass(optimize({ level: 3 }))(given)).module;
const data = Float32Array.from({ length: 3 * SIZE * SIZE }, (_, i) => Math.sin(i));

/** Runs the network on the executor and as emitted modules, and posts the results. */
const SCRIPT = `
  import { squeezenet } from '@baton/models';
  import { standardOps } from '@baton/ops';
  import { runPass } from '@baton/pass-manager';
  import { optimize } from '@baton/passes';
  import { tensor } from '@baton/tensor';
  import { makeWasm, simdLevel } from '@baton/wasm';

  const { validate } = WebAssembly;
  // Vector instructions begin with this byte.
  if (location.hash === '#novectors') {
    WebAssembly.validate = (bytes) => !bytes.includes(0xfd) && validate(bytes);
  }

  const data = Float32Array.from({ length: ${3 * SIZE * SIZE} }, (_, i) => Math.sin(i));
  const given = squeezenet({ ops: standardOps, imageSize: ${SIZE}, classes: 10 });
  const m = runPass(optimize({ level: 3 }))(given).right.module;
  const onExecutor = (options) => {
    const { right: executable } = makeWasm(options).prepare(m);
    const { right } = executable.run([tensor(data, [1, 3, ${SIZE}, ${SIZE}], 'float32')]);
    return { warnings: executable.warnings.map(({ code }) => code), output: [...right.data] };
  };
  const asModule = async (name) => {
    try {
      const { run, level } = await import('/' + name + '.mjs');
      return { level, output: [...run({ data }).output] };
    } catch (error) {
      return { error: error.message };
    }
  };
  let evaluates = true;
  try { new Function('return 1')(); } catch { evaluates = false; }
  // Workers load and start while this page waits for them.
  const here = [];
  const start = (work) => {
    const worker = new Worker('/thread.js', { type: 'module' });
    here.push(new Promise((resolve) => worker.addEventListener('message', resolve)));
    worker.postMessage(work);
  };
  const onThreads = async () => {
    const { right: executable } = makeWasm({ level: 'simd', threads: { count: 2, start } }).prepare(m);
    await Promise.all(here);
    const { right } = executable.run([tensor(data, [1, 3, ${SIZE}, ${SIZE}], 'float32')]);
    return { started: here.length, output: [...right.data] };
  };
  const levels = location.hash === '#simd' ? { level: 'simd' } : {};
  const answer = {
    evaluates,
    level: simdLevel(),
    executor: onExecutor(levels),
    simd: await asModule('simd'),
    best: await asModule('best'),
    isIsolated: crossOriginIsolated,
    threads: location.hash === '#threads' ? await onThreads() : undefined,
  };
  await fetch('/answer', { method: 'POST', body: JSON.stringify(answer) });
`;

/** The script of a thread. */
const THREAD = `
  import { serveThread } from '@baton/wasm';
  addEventListener('message', ({ data }) => {
    postMessage('here');
    serveThread(data);
  });
`;

interface Output {
  readonly level?: string;
  readonly error?: string;
  readonly output?: ReadonlyArray<number>;
}

interface Answer {
  readonly evaluates: boolean;
  readonly level?: string;
  readonly executor: { readonly warnings: ReadonlyArray<string>; readonly output: number[] };
  readonly simd: Output;
  readonly best: Output;
  readonly isIsolated: boolean;
  readonly threads?: { readonly started: number; readonly output: ReadonlyArray<number> };
}

const outputOn = (executor: Executor): ReadonlyArray<number> => {
  const value = orThrow(
    orThrow(executor.prepare(network)).run([tensor(data, [1, 3, SIZE, SIZE], 'float32')]),
  );
  return [...((value as Tensor).data as Float32Array)];
};

const near = (found: ReadonlyArray<number> | undefined, wanted: ReadonlyArray<number>): boolean =>
  found?.length === wanted.length &&
  wanted.every((value, i) => Math.abs(value - (found[i] ?? Number.NaN)) < 1e-6);

const chromium = chromiumPath();

if (chromium === undefined) {
  it('has no Chromium to run in: it is passed over', () => {
    console.log('no Chromium: set CHROMIUM to run the compiled executor in a browser');
    expect(process.env.CHROMIUM).toBeUndefined();
  });
} else {
  describe('in a page under a Content-Security-Policy', () => {
    beforeAll(async () => {
      for (const [name, contents] of [
        ['page.js', SCRIPT],
        ['thread.js', THREAD],
      ] as const) {
        const { outputFiles } = await build({
          stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
          bundle: true,
          write: false,
          format: 'esm',
          platform: 'browser',
          target: 'es2022',
        });
        writeFileSync(join(folder, name), outputFiles[0]?.text ?? '');
      }
      for (const [name, levels] of [
        ['simd', ['simd']],
        ['best', ['relaxed', 'simd']],
      ] as const) {
        for (const { path, content } of orThrow(compileToModule(network, { name, levels }))) {
          writeFileSync(join(folder, path), content);
        }
      }
    });

    const open = async (hash: string, policy: string, isIsolated = false): Promise<Answer> =>
      JSON.parse(
        await inChromium(chromium, {
          ...{ folders: [folder], script: 'page.js' },
          ...{ hash, policy, isIsolated },
        }),
      );

    it('WebAssembly runs with wasm-unsafe-eval and nothing else, to the bit as in Node', async () => {
      const { evaluates, executor, simd, best } = await open('simd', STRICT_POLICY);
      const wanted = outputOn(makeWasm({ level: 'simd' }));
      expect(evaluates).toBe(false);
      expect(executor).toEqual({ warnings: [], output: wanted });
      expect(simd).toEqual({ level: 'simd', output: wanted });
      expect(['relaxed', 'simd']).toContain(best.level);
      expect(near(best.output, wanted)).toBe(true);
    });

    it('threads share the work if the page is isolated, with the same bits', async () => {
      const { isIsolated, threads } = await open('threads', STRICT_POLICY, true);
      expect(isIsolated).toBe(true);
      expect(threads).toEqual({ started: 1, output: outputOn(makeWasm({ level: 'simd' })) });
    });

    it('a page that is not isolated starts none', async () => {
      const { isIsolated, threads } = await open('threads', STRICT_POLICY);
      expect(isIsolated).toBe(false);
      expect(threads).toEqual({ started: 0, output: outputOn(makeWasm({ level: 'simd' })) });
    });

    it('the executor falls back where there are no vectors, and says so; a module says so too', async () => {
      const { level, executor, simd, best } = await open('novectors', STRICT_POLICY);
      expect(level).toBe('scalar');
      expect(executor).toEqual({ warnings: ['WASM_NO_VECTORS'], output: outputOn(interpreter) });
      for (const [name, { error }] of Object.entries({ simd, best })) {
        expect(error).toContain(
          `this host has no WebAssembly with vectors of 128 bits (SIMD): ${name} needs them`,
        );
      }
    });

    it('the executor falls back where the policy lets nothing be compiled, and says so', async () => {
      const policy = STRICT_POLICY.replace(" 'wasm-unsafe-eval'", '');
      const { level, executor, best } = await open('nothing', policy);
      expect(level).toBeUndefined();
      expect(executor).toEqual({ warnings: ['WASM_NO_COMPILER'], output: outputOn(interpreter) });
      expect(best.error).toContain('Content Security Policy');
    });
  });
}
