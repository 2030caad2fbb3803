/** `batonjs` and the command as users get them: from their tarballs, with no other package. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { programOf } from '@baton/testing';
import { printModule } from '@baton/text';
import { unpack } from '@publint/pack';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launch } from '../report/browser.ts';
import { freshFolder, packAll } from './packed.ts';
import { serveFolder } from './registry.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = freshFolder();
const installed = (name: string): string => join(folder, 'node_modules', name);

/** Bytes of each package, unpacked. */
const sizes = new Map<string, number>();

beforeAll(async () => {
  const packs = join(folder, 'packs');
  mkdirSync(packs);
  for (const { bytes } of packAll(packs)) {
    const { files, rootDir } = await unpack(bytes);
    const manifest = files.find((file) => file.name === `${rootDir}/package.json`)?.data;
    const { name } = JSON.parse(new TextDecoder().decode(manifest));
    sizes.set(
      name,
      files.reduce((sum, { data }) => sum + data.length, 0),
    );
    for (const file of files) {
      const path = join(installed(name), file.name.slice(rootDir.length + 1));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, file.data);
    }
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
}, 120_000);
afterAll(() => rm(folder, { recursive: true }), 120_000);

/** Runs a module in the folder where the packages are installed. */
async function inNode(program: string, flags: ReadonlyArray<string> = []): Promise<string> {
  writeFileSync(join(folder, 'main.mjs'), program);
  const { stdout } = await run(process.execPath, [...flags, 'main.mjs'], { cwd: folder });
  return stdout.trim();
}

/** What a module in a page says, which has `baton` from one file. */
async function inPage(program: string) {
  const site = join(folder, 'site');
  mkdirSync(site, { recursive: true });
  copyFileSync(join(installed('batonjs'), 'lib/browser.js'), join(site, 'baton.js'));
  const script = `import * as baton from './baton.js';${program}document.body.textContent = told;`;
  const page = `<!doctype html><meta charset="utf-8"><body><script type="module">${script}</script>`;
  writeFileSync(join(site, 'index.html'), page);
  const server = await serveFolder(site);
  const browser = await launch(chromiumPath() ?? '');
  try {
    const tab = await browser.newPage();
    const complaints: string[] = [];
    const asked: string[] = [];
    tab.on('pageerror', (error) => complaints.push(error.message));
    tab.on('request', (request) => asked.push(request.url().replace(server.url, '')));
    await tab.goto(server.url);
    await expect
      .poll(() => tab.evaluate('document.body.textContent.length'), { timeout: 120_000 })
      .toBeGreaterThan(100);
    const told = String(await tab.evaluate('document.body.textContent'));
    return { told, complaints, asked: asked.filter((one) => one !== 'favicon.ico') };
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Whatever a page or a program does with Baton first: read, optimize, run. */
const USE = `
  const text = '#[version = "0.0.5"]\\ndef @main(%x: Tensor[(2), float32]) { exp(%x + 0f) * 2f }';
  const { module } = baton.orThrow(baton.runPass(baton.optimize({ level: 3 }))(baton.orThrow(baton.parseModule(text))));
  const bytes = baton.orThrow(baton.exportOnnx(module));
  const again = baton.orThrow(baton.importOnnx(bytes));
  const compiled = baton.orThrow(baton.wasm.prepare(again)).run([[0, 0]]);
  const { verdict } = baton.orThrow(baton.checkEquivalent(module, again));
  const mistake = baton.parseModule('def @main() { ');
  const told = JSON.stringify({
    printed: baton.printModule(module),
    values: baton.toData(baton.orThrow(baton.evaluate(module, [[0, 0]]))),
    compiled: baton.toData(baton.orThrow(compiled)),
    verdict,
    mistake: baton.isLeft(mistake) && baton.renderDiagnostics(mistake.left),
    names: Object.keys(baton).sort(),
    namespaces: Object.keys(baton.passes).length + Object.keys(baton.ir).length,
  });`;

/** The number of programs whose results are compared to the byte. */
const PROGRAMS = 200;

/** Operators whose last bit is the host's: ECMAScript leaves sines open, and engines differ. */
const OF_SINES = /\b(a?sinh?|a?cosh?|a?tan|dft|stft)\(/;

/** Everything that becomes of each program of `texts`, as one number: its text at level 3, its file in ONNX form, and the bits of its results in each executor. */
const DIGESTS = `
  // NaN has many patterns of bits: which one the processor chooses is not told.
  const bytesOf = (value) => {
    if (value._tag !== 'Tensor') return (value.fields ?? []).flatMap(bytesOf);
    const data = value.data.map((x) => (x === x ? x : NaN));
    return [new Uint8Array(data.buffer, data.byteOffset, data.byteLength)];
  };
  const digest = (parts) => {
    let hash = 0x811c9dc5;
    for (const bytes of parts) for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
    return hash >>> 0;
  };
  const inputsOf = ({ functions }) =>
    functions.get('main').params.map(({ typeAnnotation: { shape, dtype } }, at) => {
      const count = shape.reduce((product, dim) => product * dim, 1);
      const numbers = Array.from({ length: count }, (_, i) => ((i * 7 + at * 5) % 13) / 4 - 1);
      const whole = numbers.map((x) => (dtype === 'bool' ? Number(x > 0) : Math.abs(Math.round(x))));
      return baton.tensor(/float/.test(dtype) ? numbers : whole, shape, dtype);
    });
  const results = (executor, module, inputs) => {
    const value = baton.evaluate(module, inputs, { executor });
    return baton.isLeft(value) ? [new TextEncoder().encode(value.left[0].code)] : bytesOf(value.right);
  };
  const told = JSON.stringify(texts.map((text) => {
    const given = baton.orThrow(baton.parseModule(text));
    const { module } = baton.orThrow(baton.runPass(baton.optimize({ level: 3 }))(given));
    const inputs = inputsOf(given);
    const file = baton.exportOnnx(module);
    return [
      digest([new TextEncoder().encode(baton.printModule(module))]),
      digest(baton.isLeft(file) ? [] : [file.right]),
      digest(results(baton.interpreter, module, inputs)),
      digest(results(baton.makeWasm({ level: 'simd', isExact: true }), module, inputs)),
    ];
  }));`;

/** Bytes: half of what \`npm install batonjs\` brought when it brought 17 packages, and less for the command. */
const LIMITS = { batonjs: 10_764_000, '@baton/cli': 4_000_000, '@baton/report': 4_000_000 };

describe('batonjs in one file', () => {
  it.each(Object.entries(LIMITS))(
    '%s brings no other package, and at most %i bytes',
    (name, limit) => {
      const manifest = JSON.parse(readFileSync(join(installed(name), 'package.json'), 'utf8'));
      expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined]);
      expect(sizes.get(name)).toBeLessThan(limit);
      expect(readFileSync(join(installed(name), 'lib/LICENSES.txt'), 'utf8')).toContain('io-ts 2');
    },
  );

  it('is one file in Node, with nothing beside it', async () => {
    const told = await inNode(
      "import * as baton from 'batonjs'; console.log(import.meta.resolve('batonjs'));",
    );
    expect(told).toMatch(/node_modules\/batonjs\/lib\/node\.js$/);
    for (const file of ['node', 'browser']) {
      const { metafile } = await build({
        entryPoints: [join(installed('batonjs'), `lib/${file}.js`)],
        write: false,
        metafile: true,
        bundle: true,
        platform: 'browser',
      });
      expect(Object.keys(metafile.inputs)).toHaveLength(1);
    }
  });

  it('names places in the sources of the repository where Node reads maps', async () => {
    const program =
      "import { tensor } from 'batonjs'; try { tensor([1], [2], 'float32') } catch (e) { console.log(e.stack) }";
    const stack = await inNode(program, ['--enable-source-maps']);
    const [, path, line] = /\/v[\d.]+\/(packages\/baton\/src\/tensor\.ts):(\d+)/.exec(stack) ?? [];
    const source = readFileSync(join(root, path ?? ''), 'utf8').split('\n');
    expect(source[Number(line) - 1]).toContain('orThrow(wrong)');
    expect(stack).toContain('makeTensor');
  });

  const executable = chromiumPath();
  it.runIf(executable !== undefined)(
    'loads in a page by one script, and computes what Node does',
    async () => {
      const expected = JSON.parse(
        await inNode(`import * as baton from 'batonjs';${USE}console.log(told);`),
      );
      expect(expected).toMatchObject({ values: [2, 2], verdict: 'equal' });
      const { told, complaints, asked } = await inPage(USE);
      expect(JSON.parse(told)).toEqual(expected);
      expect(complaints).toEqual([]);
      expect(asked).toEqual(['', 'baton.js']);
    },
  );

  it.runIf(executable !== undefined)(
    `gives the bytes in a page that it gives in Node, on ${PROGRAMS} programs`,
    async () => {
      const texts = Array.from({ length: PROGRAMS }, (_, seed) =>
        printModule(programOf(34_000 + seed).module),
      );
      const work = `const texts = ${JSON.stringify(texts).replaceAll('<', '\\u003c')};${DIGESTS}`;
      const expected = JSON.parse(
        await inNode(`import * as baton from 'batonjs';${work}console.log(told);`),
      );
      expect(new Set(expected.map(String)).size).toBeGreaterThan(PROGRAMS * 0.9);
      const { told, complaints } = await inPage(work);
      const comparable = (all: ReadonlyArray<ReadonlyArray<number>>) =>
        all.map((digests, i) =>
          OF_SINES.test(texts[i] as string) ? digests.slice(0, 2) : digests,
        );
      expect(comparable(JSON.parse(told))).toEqual(comparable(expected));
      expect(texts.filter((text) => !OF_SINES.test(text)).length).toBeGreaterThan(PROGRAMS * 0.8);
      expect(complaints).toEqual([]);
    },
    300_000,
  );

  it('gives bundlers modules, of which they drop what is not used', async () => {
    const { metafile } = await build({
      stdin: {
        contents:
          "import { parseModule, printModule, passes } from 'batonjs'; console.log(parseModule, printModule, passes.foldConstant);",
        resolveDir: folder,
      },
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
    });
    const [output] = Object.values(metafile.outputs);
    const kept = Object.entries(output?.inputs ?? {}).filter(
      ([, { bytesInOutput }]) => bytesInOutput > 0,
    );
    const places = kept.map(([path]) => /lib\/modules\/([^/]+)\//.exec(path)?.[1]);
    for (const unused of ['onnx', 'wasm', 'egraph', 'models', 'equivalence']) {
      expect(places, unused).not.toContain(unused);
    }
    expect(places).toContain('text');
  });

  it('has types that fit those of the packages beside it', async () => {
    writeFileSync(
      join(folder, 'mixed.ts'),
      `import { EGraph, rewrite, run } from '@baton/egraph';
import type { Pass } from '@baton/pass-manager';
import { foldConstant } from './passes.ts';
import { rule as ruleOf } from '@baton/rewrites';
import { defineConfig } from '@baton/cli';
import { type MeasuredModel, measureModel } from '@baton/report';
import * as baton from 'batonjs';

const pass: Pass = baton.passes.foldConstant;
const theirs: baton.Pass = foldConstant;
const config = defineConfig({ passes: [pass, theirs] });
const program = baton.orThrow(baton.parseModule('def @main() { 1f }'));
baton.runPass(theirs)(program);
baton.greedy([ruleOf('zero', 'add(?x, 0)', '?x'), baton.rule('one', 'multiply(?x, 1)', '?x')]);
const graph = new EGraph();
run(graph, [rewrite('a', '(f ?x)', '?x')]);
const measured: (typeof measureModel) | MeasuredModel | undefined = undefined;
console.log(config, measured);
// @ts-expect-error a text is no level
baton.optimize({ level: 'high' });
`,
    );
    writeFileSync(
      join(folder, 'passes.ts'),
      "import { passes } from '@baton/passes';\nexport const { foldConstant } = passes;\n",
    );
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    // What npm would install of others for these packages.
    for (const name of ['fp-ts', 'io-ts']) {
      symlinkSync(join(root, 'node_modules/.pnpm/node_modules', name), installed(name));
    }
    mkdirSync(installed('@types'));
    symlinkSync(join(root, 'node_modules/@types/node'), installed('@types/node'));
    const types = ['--allowImportingTsExtensions', '--types', 'node'];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, ...options, ...types, 'mixed.ts'], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });

  it('the command runs, with rules and settings of the user', async () => {
    const command = join(installed('@baton/cli'), 'bin/baton.js');
    writeFileSync(
      join(folder, 'in.relay'),
      '#[version = "0.0.5"]\ndef @main(%x: float32) { tanh(tanh(%x)) }',
    );
    writeFileSync(
      join(folder, 'mine.mjs'),
      "import { rule, ruleSet } from 'batonjs'; export const mine = ruleSet('mine', rule('two', 'tanh(tanh(?x))', 'tanh(?x)', { needs: ['reassoc'] }));",
    );
    writeFileSync(
      join(folder, 'baton.config.mjs'),
      "import { defineConfig } from '@baton/cli'; import { passes } from 'batonjs'; export default defineConfig({ passes: [passes.foldConstant] });",
    );
    const argv = [
      'optimize',
      'in.relay',
      '-o',
      'out.relay',
      '--rules',
      'mine.mjs',
      '--unchecked',
      '--report',
      'r.html',
    ];
    await run(process.execPath, [command, ...argv], { cwd: folder });
    expect(readFileSync(join(folder, 'out.relay'), 'utf8').match(/tanh/g)).toHaveLength(1);
    expect(readFileSync(join(folder, 'r.html'), 'utf8')).toContain('<title>Baton');
    const benched = await run(
      process.execPath,
      [command, 'bench', 'in.relay', '--random', '--json'],
      {
        cwd: folder,
      },
    );
    expect(JSON.parse(benched.stdout)).toBeTypeOf('object');
    const told = await inNode(
      "import { main, EXIT } from '@baton/cli'; console.log(typeof main, EXIT.ok);",
    );
    expect(told).toBe('function 0');
  });
});
