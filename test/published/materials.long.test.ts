/** The bill of materials and the provenance that are packed with the tarballs (S18). */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshFolder, packAll, type Tarball } from './packed.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

interface Bill {
  readonly bomFormat: string;
  readonly components: ReadonlyArray<{
    readonly name: string;
    readonly purl: string;
    readonly hashes: ReadonlyArray<{ readonly content: string }>;
    readonly licenses: ReadonlyArray<{ readonly license: { readonly id: string } }>;
  }>;
  readonly dependencies: ReadonlyArray<{
    readonly ref: string;
    readonly dependsOn: ReadonlyArray<string>;
  }>;
}

let folder = '';
let tarballs: ReadonlyArray<Tarball> = [];
beforeAll(() => {
  folder = freshFolder();
  tarballs = packAll(folder);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const sha512 = ({ bytes }: Tarball): string => createHash('sha512').update(bytes).digest('hex');

it('S18: the bill names every package with its digest, its licence and what it needs', () => {
  const bill: Bill = read('sbom.cdx.json');
  expect(bill.bomFormat).toBe('CycloneDX');
  const digests = bill.components.map(({ hashes }) => hashes[0]?.content);
  expect(digests).toEqual(expect.arrayContaining(tarballs.map(sha512)));
  const others = bill.components.filter(({ name }) => !/^(@baton\/|batonjs$)/.test(name));
  expect(others.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['fast-check', 'fflate', 'fp-ts', 'io-ts', 'pure-rand']),
  );
  expect(others.filter(({ licenses }) => !/^[\w.-]+$/.test(licenses[0]?.license.id ?? ''))).toEqual(
    [],
  );
  const known = new Set(bill.components.map(({ purl }) => purl));
  const needed = bill.dependencies.flatMap(({ dependsOn }) => dependsOn);
  expect(needed.filter((ref) => !known.has(ref))).toEqual([]);
});

it('S18: the provenance names the tarballs, the commit and the lock file', () => {
  const { subject, predicate } = read('provenance.json');
  const names = subject.map(
    (one: { readonly digest: { readonly sha512: string } }) => one.digest.sha512,
  );
  expect(new Set(names)).toEqual(new Set(tarballs.map(sha512)));
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const { resolvedDependencies, internalParameters } = predicate.buildDefinition;
  expect(JSON.stringify(resolvedDependencies)).toContain(head);
  expect(internalParameters.packageManager).toBe(manifest.packageManager);
});

it('S18: pnpm is pinned, and nothing names another', () => {
  expect(manifest.packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+$/);
  const files = execFileSync('git', ['grep', '-lE', 'pnpm@[0-9]', '--', '.', ':!pnpm-lock.yaml'], {
    cwd: root,
    encoding: 'utf8',
  });
  const named = files
    .trim()
    .split('\n')
    .flatMap(
      (file) => readFileSync(join(root, file), 'utf8').match(/pnpm@\d[\d.]*\d|pnpm@\d/g) ?? [],
    );
  expect([...new Set(named)]).toEqual([manifest.packageManager]);
});
