import { existsSync, readFileSync, rmSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { unpack } from '@publint/pack';
import { publint } from 'publint';
import { afterAll, describe, expect, it } from 'vitest';
import { freshFolder, packAll } from './packed.ts';

/** The contents of the tarballs for npm: U.13. */

const folder = freshFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const packages = await Promise.all(
  packAll(folder).map(async ({ bytes }) => {
    const { files, rootDir } = await unpack(bytes);
    const named = files.map((f) => [f.name.slice(rootDir.length + 1), f.data] as const);
    const contents = new Map(named.map(([name, data]) => [name, new TextDecoder().decode(data)]));
    const manifest = JSON.parse(contents.get('package.json') ?? '{}') as Record<string, unknown>;
    return { name: String(manifest.name), bytes, contents, manifest };
  }),
);

/** The output of the script that writes all package.json. */
const facade = packages.find((p) => p.name === 'batonjs')?.manifest;

const root = new URL('../../', import.meta.url);

interface SourceMap {
  readonly sources: ReadonlyArray<string>;
  readonly sourcesContent?: ReadonlyArray<string>;
  readonly sourceRoot?: string;
}

const license = readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8');

it('U.13 packs every package', () => {
  expect(packages.map((p) => p.name)).toContain('batonjs');
  expect(packages.length).toBeGreaterThan(12);
});

/** What some packages have bundled for those who run them. */
const BUNDLES: Readonly<Record<string, ReadonlyArray<string>>> = {
  batonjs: ['lib/LICENSES.txt'],
  '@baton/cli': [
    'bin/baton.js',
    'bin/bench-worker.js',
    'dist/baton.cjs',
    'dist/page.json',
    'lib/LICENSES.txt',
  ],
  '@baton/report': ['dist/page.json', 'lib/LICENSES.txt'],
  '@baton/playground': [
    'dist/baton-playground.html',
    'dist/site/index.html',
    'dist/site/style.css',
  ],
};

describe.each(packages)('U.13 the tarball of $name', ({ name, bytes, contents, manifest }) => {
  it('has the licence, a README, and built files with their maps alone', () => {
    expect(contents.get('LICENSE')).toBe(license);
    const others = [...contents.keys()].filter(
      (f) => !/^(dist|lib)\/.*\.(js|js\.map|d\.ts)$/.test(f),
    );
    expect(others.sort()).toEqual(
      ['LICENSE', 'README.md', 'package.json', ...(BUNDLES[name] ?? [])].sort(),
    );
  });

  it('states author, addresses and purpose', () => {
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      homepage: expect.stringMatching(/^https:/),
      bugs: facade?.bugs,
      repository: { type: 'git', url: expect.stringMatching(/^git\+https:.*\.git$/) },
      engines: { node: '>=20.19.0' },
    });
    expect(manifest.homepage).toBe(facade?.homepage);
    expect(manifest.author).toMatch(/./);
    expect(manifest.description).toMatch(/./);
    expect((manifest.keywords as string[]).length).toBeGreaterThan(4);
  });

  it('has no export that only the workspace can follow', () => {
    expect(JSON.stringify(manifest.exports)).not.toContain('src');
    expect(JSON.stringify(manifest.dependencies ?? {})).not.toContain('workspace:');
  });

  it('has source maps that hold their sources, or lead to those of the repository', () => {
    for (const [name, text] of contents) {
      if (!name.endsWith('.js.map')) continue;
      const { sources, sourcesContent, sourceRoot } = JSON.parse(text) as SourceMap;
      if (sourceRoot === undefined || sourceRoot === '')
        expect([name, sourcesContent?.length]).toEqual([name, sources.length]);
      else {
        expect(sourceRoot).toMatch(/^https:.*\/v\d+\.\d+\.\d+\/$/);
        const own = sources.filter((path) => !path.startsWith('node_modules/'));
        expect(own.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
      }
    }
  });

  it('has nothing that publint complains of', async () => {
    const tarball = new Uint8Array(bytes).buffer;
    const { messages } = await publint({ pack: { tarball }, level: 'suggestion', strict: true });
    expect(messages).toEqual([]);
  });

  it('has types that ES modules and bundlers resolve', async () => {
    const result = await checkPackage(createPackageFromTarballData(bytes));
    // The packages are only ES modules: CommonJS and the resolution of Node 10 are not promised.
    const esm = (problem: object) =>
      !('resolutionKind' in problem) ||
      problem.resolutionKind === 'bundler' ||
      problem.resolutionKind === 'node16-esm';
    expect(result.types && 'problems' in result ? result.problems.filter(esm) : result).toEqual([]);
  });
});
