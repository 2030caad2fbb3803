import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelFile } from '../docs/model-file.ts';
import { root } from '../docs/pages.ts';
import { programs } from '../docs/programs.ts';
import { chromiumPath, launch } from '../report/browser.ts';
import { freshFolder, packAll } from './packed.ts';
import { type Served, serveFolder, serveRegistry } from './registry.ts';

/**
 * The examples in a user's environment: copied out of the repository, installed from the tarballs
 * for npm, by npm and by pnpm, and run by Node.
 */

const run = promisify(execFile);
const examples = join(root, 'examples');
const folder = freshFolder();
const packs = join(folder, 'packs');
let registry: Served;

/** The time limit of removing the installed packages of one manager: many small files. */
const REMOVAL_MS = 180_000;

beforeAll(async () => {
  mkdirSync(packs);
  registry = await serveRegistry(packAll(packs));
}, 60_000);

afterAll(async () => {
  await registry.close();
  await rm(folder, { recursive: true });
}, REMOVAL_MS);

/** The install command of each package manager, from its cache if possible. */
const MANAGERS = {
  npm: ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
  pnpm: ['npx', '-y', 'pnpm@12.21.0', 'install', '--prefer-offline'],
} as const;

type Manager = keyof typeof MANAGERS;

/** A copy of an example, installed. The facade, which has no scope, is its tarball. */
async function install(example: string, manager: Manager): Promise<string> {
  const at = join(folder, manager, example);
  cpSync(join(examples, example), at, { recursive: true });
  const facade = readdirSync(packs).find((name) => name.startsWith('batonjs-'));
  const manifest = readFileSync(join(at, 'package.json'), 'utf8');
  const packed = `"batonjs": "file:${join(packs, facade ?? '')}"`;
  writeFileSync(join(at, 'package.json'), manifest.replace(/"batonjs": "[^"]*"/, packed));
  writeFileSync(join(at, '.npmrc'), `@baton:registry=${registry.url}\n`);
  const [command, ...args] = MANAGERS[manager];
  await run(command, args, { cwd: at });
  return at;
}

const onNode = readdirSync(examples).filter((name) => {
  return !name.includes('.') && readdirSync(join(examples, name)).includes('main.mjs');
});

/** The programs of a README as Node runs them, without their types. */
async function readme(path: string, at: string): Promise<void> {
  writeFileSync(join(at, 'model.onnx'), modelFile());
  for (const [i, { code }] of programs.filter((p) => p.name.startsWith(`${path}:`)).entries()) {
    const plain = await transform(code, { loader: 'ts' });
    writeFileSync(join(at, `readme-${i}.mjs`), plain.code);
    const { stdout } = await run(process.execPath, [`readme-${i}.mjs`], { cwd: at });
    const expected = [...code.matchAll(/\/\/ → (.*)$/gm)].map((match) => match[1]);
    if (expected.length > 0) expect(stdout.trimEnd().split('\n')).toEqual(expected);
  }
}

describe.each(['npm', 'pnpm'] as const)('U.13 installed by %s', (manager) => {
  afterAll(() => rm(join(folder, manager), { recursive: true }), REMOVAL_MS);

  it.each(onNode)('the example %s runs, and prints its output.txt', async (example) => {
    const at = await install(example, manager);
    const { stdout } = await run(process.execPath, ['main.mjs'], { cwd: at });
    const output = join(examples, example, 'output.txt');
    if (process.env.BATON_BLESS === '1') writeFileSync(output, stdout);
    expect(stdout).toBe(readFileSync(output, 'utf8'));
  });

  it('the READMEs of the project and of the facade run', async () => {
    const at = join(folder, manager, 'own-operator');
    await readme('README.md', at);
    await readme('packages/baton/README.md', at);
  });

  it('U.12 the README of the e-graph runs where no other package is installed', async () => {
    await readme('packages/egraph/README.md', join(folder, manager, 'equality-saturation'));
  });

  // Where only declared dependencies can be imported, which an install by npm does not check.
  const executable = manager === 'pnpm' ? chromiumPath() : undefined;
  it.runIf(executable !== undefined)('the page that Vite builds optimizes a program', async () => {
    const at = await install('browser-page', manager);
    await run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--base=./'], {
      cwd: at,
    });
    const server = await serveFolder(join(at, 'dist'));
    const browser = await launch(executable ?? '');
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(server.url);
      const optimized = page.locator('#optimized');
      await expect.poll(() => optimized.textContent()).toContain('multiply(%0, 2f)');
      await page.locator('#program').fill('#[version = "0.0.5"] def @main() { relu(1f) }');
      await expect.poll(() => optimized.textContent()).toContain('nn.relu');
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      await server.close();
    }
  });
});
