// The bill of materials of the packed packages (CycloneDX), and their provenance (in-toto, SLSA).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SELF_CONTAINED } from './project.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const lockFile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const digest = (algorithm, bytes) => createHash(algorithm).update(bytes).digest('hex');

const all = readdirSync(join(root, 'packages')).map((name) => {
  const path = join(root, 'packages', name, 'package.json');
  return { path, folder: name, ...readJson(path) };
});

/** The manifests of the packages that are published. */
export const manifests = all.filter((manifest) => manifest.private !== true);

/** The names of the others. */
export const privateNames = all.filter((one) => one.private === true).map(({ name }) => name);

const purl = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** The file that `pnpm pack` writes for a package. */
const tarballOf = ({ name, version }) =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/** The manifest of an installed package, as the package at a path finds it. */
function installed(name, from) {
  const folders = createRequire(from).resolve.paths(name) ?? [];
  const path = folders.map((one) => join(one, name, 'package.json')).find((one) => existsSync(one));
  if (path === undefined) throw new Error(`${name} is not installed: run \`pnpm install\``);
  // Its dependencies are next to the target of the link.
  const real = realpathSync(path);
  return { path: real, ...readJson(real) };
}

/** The digest of a package in the lock file, in hexadecimal digits. */
function lockedDigest({ name, version }) {
  const key = `${name}@${version}`.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const [, hash] =
    new RegExp(`^  '?${key}'?:\\n    resolution: \\{integrity: sha512-([^},]+)`, 'm').exec(
      lockFile,
    ) ?? [];
  if (hash === undefined) throw new Error(`pnpm-lock.yaml has no ${name} ${version}`);
  return Buffer.from(hash, 'base64').toString('hex');
}

const component = (manifest, sha512) => ({
  type: 'library',
  'bom-ref': purl(manifest),
  name: manifest.name,
  version: manifest.version,
  licenses: [{ license: { id: manifest.license } }],
  hashes: [{ alg: 'SHA-512', content: sha512 }],
  purl: purl(manifest),
});

/** The dependencies of a package; bundled ones are among its development dependencies. */
const needsOf = ({ name, dependencies, devDependencies }) =>
  heldBy.has(name) ? devDependencies : (dependencies ?? {});

const heldBy = new Set(
  Object.keys(SELF_CONTAINED).map((folder) => {
    return readJson(join(root, 'packages', folder, 'package.json')).name;
  }),
);

/** All packages that users install: Baton's from the tarballs in a folder, others from the lock file. */
function materials(folder) {
  const own = new Map(manifests.map((manifest) => [manifest.name, manifest]));
  const components = new Map();
  const dependencies = new Map();
  const waiting = [...manifests];
  for (let manifest = waiting.pop(); manifest !== undefined; manifest = waiting.pop()) {
    if (components.has(purl(manifest))) continue;
    const sha512 = own.has(manifest.name)
      ? digest('sha512', readFileSync(join(folder, tarballOf(manifest))))
      : lockedDigest(manifest);
    components.set(purl(manifest), component(manifest, sha512));
    const names = Object.keys(needsOf(manifest));
    const needed = names.map((name) => own.get(name) ?? installed(name, manifest.path));
    dependencies.set(purl(manifest), needed.map(purl).sort());
    waiting.push(...needed);
  }
  return { components, dependencies };
}

/** The bill of materials of the tarballs in a folder, in CycloneDX. It is deterministic. */
export function billOfMaterials(folder) {
  const { components, dependencies } = materials(folder);
  const [{ version }] = manifests;
  const sorted = [...components.keys()].sort();
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'library', 'bom-ref': 'baton', name: 'baton', version } },
    components: sorted.map((ref) => components.get(ref)),
    dependencies: [
      { ref: 'baton', dependsOn: manifests.map(purl).sort() },
      ...sorted.map((ref) => ({ ref, dependsOn: dependencies.get(ref) })),
    ],
  };
}

/** The commit of the sources; `undefined` outside a clone. */
function commit() {
  try {
    const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
    return { gitCommit: git('rev-parse', 'HEAD'), isClean: git('status', '--porcelain') === '' };
  } catch {
    return undefined;
  }
}

/** An unsigned statement of the sources and the lock file of the tarballs in a folder. */
export function provenance(folder) {
  const { packageManager, engines } = readJson(join(root, 'package.json'));
  const [{ repository }] = manifests;
  const subject = manifests
    .map(tarballOf)
    .sort()
    .map((name) => ({
      name,
      digest: { sha512: digest('sha512', readFileSync(join(folder, name))) },
    }));
  const source = commit();
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${repository.url}#scripts/pack.mjs`,
        externalParameters: { isClean: source?.isClean ?? false },
        internalParameters: { packageManager, node: engines.node },
        resolvedDependencies: [
          ...(source === undefined
            ? []
            : [{ uri: repository.url, digest: { gitCommit: source.gitCommit } }]),
          { name: 'pnpm-lock.yaml', digest: { sha256: digest('sha256', lockFile) } },
        ],
      },
      runDetails: { builder: { id: `${repository.url}#scripts/pack.mjs` } },
    },
  };
}
