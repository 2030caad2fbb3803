/**
 * The form in which `batonjs`, `@baton/report` and `@baton/cli` are published, without dependencies.
 * Code is one file per way of loading; declarations, and modules for bundlers, are those of all
 * packages, with names replaced by paths.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { build, transform } from 'esbuild';
import { REPOSITORY, SELF_CONTAINED, VERSION } from './project.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const inPackage = (folder, path) => join(root, 'packages', folder, path);

/** The address of the sources in maps: a tarball does not contain them. */
const SOURCES = `${REPOSITORY.replace('github.com', 'raw.githubusercontent.com')}/v${VERSION}/`;

const TARGET = { target: 'es2022', legalComments: 'none' };

/** The build options of each self-contained file. */
const FORMS = {
  // Keeps function names, for error stacks.
  node: {},
  browser: { minifyIdentifiers: true, minifySyntax: true },
};

/** Writes the published form of each of these packages. All packages must be built. */
export async function writeSelfContained() {
  for (const [folder, { files, modules, wraps }] of Object.entries(SELF_CONTAINED)) {
    const written = new Set();
    const put = (path, text) => {
      written.add(join('lib', path));
      replace(folder, join('lib', path), text);
    };
    const licensed = new Set(wraps === undefined ? [] : await packagesIn(folder));
    for (const name of files) {
      for (const other of await writeFile(folder, name, put)) licensed.add(other);
    }
    await writeModules(folder, modules, put);
    if (wraps !== undefined) await writeWrapper(folder, wraps, put);
    put('LICENSES.txt', licenses([...licensed].sort()));
    removeOthers(folder, written);
  }
}

/** Writes a file atomically if it changed: processes may pack at the same time. */
function replace(folder, path, text) {
  const file = inPackage(folder, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  const unnamed = inPackage(folder, `dist/lib-${process.pid}`);
  writeFileSync(unnamed, text);
  mkdirSync(dirname(file), { recursive: true });
  renameSync(unnamed, file);
}

/** Removes the files of an earlier form. */
function removeOthers(folder, written) {
  const files = readdirSync(inPackage(folder, 'lib'), { recursive: true, withFileTypes: true });
  for (const file of files) {
    const path = relative(inPackage(folder, ''), join(file.parentPath, file.name));
    if (file.isFile() && !written.has(path)) rmSync(inPackage(folder, path), { force: true });
  }
}

const bundled = (folder, options) =>
  build({
    ...TARGET,
    entryPoints: [inPackage(folder, 'dist/index.js')],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['node:*'],
    ...options,
  });

/** The third-party packages bundled into a package, by installation folder. */
async function packagesIn(folder) {
  const { metafile } = await bundled(folder, { platform: 'node' });
  return foreign(metafile);
}

const foreign = ({ inputs }) =>
  Object.keys(inputs).flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);

/** Writes a self-contained file and its map. Returns the third-party packages that it bundles. */
async function writeFile(folder, name, put) {
  const outfile = inPackage(folder, `lib/${name}.js`);
  const { outputFiles, metafile } = await bundled(folder, {
    outfile,
    sourcemap: 'linked',
    sourcesContent: false,
    ...FORMS[name],
  });
  for (const { path, text } of outputFiles) {
    const whole = path.endsWith('.map') ? byLines(text, dirname(path)) : text;
    put(relative(inPackage(folder, 'lib'), path), whole);
  }
  return foreign(metafile);
}

/** A map from lines to lines: a quarter of the size with columns, and enough for stacks and breakpoints. */
function byLines(text, folder) {
  const map = JSON.parse(text);
  const lines = decode(map.mappings).map((segments) => {
    const first = segments.find((segment) => segment.length > 1);
    return first === undefined ? [] : [[0, first[1], first[2], 0]];
  });
  const sources = map.sources.map((path) => relative(root, resolve(folder, path)));
  return JSON.stringify({
    version: 3,
    sourceRoot: SOURCES,
    sources,
    names: [],
    mappings: encode(lines),
  });
}

/** An import or export of a module by name, at the start of a line or, in a type, anywhere. */
const IMPORTS = /(^(?:import|export)\b[^;'"]*?\bfrom\s*|^import\s*|\bimport\()(['"])([^'"]+)\2/gm;

/** Writes the declarations of a package with their dependencies, and modules for bundlers if requested. */
async function writeModules(folder, withCode, put) {
  const waiting = [inPackage(folder, 'dist/index.d.ts')];
  if (withCode) waiting.push(inPackage(folder, 'dist/index.js'));
  const written = new Set();
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    if (written.has(from)) continue;
    written.add(from);
    const place = placeOf(from);
    const text = (await textOf(from)).replace(IMPORTS, (all, before, quote, name) => {
      if (name.startsWith('node:')) return all;
      const target = targetOf(name, from);
      waiting.push(target);
      const way = relative(dirname(place), placeOf(target)).replace(/\.d\.ts$/, '.js');
      return `${before}${quote}${way.startsWith('.') ? way : `./${way}`}${quote}`;
    });
    const plain = text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
    put(join('modules', place), from.endsWith('.d.ts') ? plain : await withoutComments(plain));
  }
}

/** Keeps the comments by which bundlers recognize calls without side effects. */
const withoutComments = async (text) => (await transform(text, { ...TARGET, format: 'esm' })).code;

/** The path of a file among the modules: `ir/expr/expr.js`. */
const placeOf = (file) =>
  OTHERS.has(file) ? file : relative(join(root, 'packages'), file).replace('/dist/', '/');

const textOf = async (file) => (await OTHERS.get(file)?.()) ?? readFileSync(file, 'utf8');

/** The built file, or the file for third-party packages, that a name resolves to. */
function targetOf(name, from) {
  const ending = from.endsWith('.d.ts') ? '.d.ts' : '.js';
  if (name.startsWith('.')) return resolve(dirname(from), name.replace(/\.[jt]s$/, ending));
  const own = name === 'batonjs' ? 'baton' : /^@baton\/([\w-]+)$/.exec(name)?.[1];
  if (own !== undefined) return inPackage(own, `dist/index${ending}`);
  const other = `${name.split('/')[0]}${ending}`;
  if (!OTHERS.has(other)) throw new Error(`${from} imports ${name}, which has no form here`);
  return other;
}

const fromOps = createRequire(inPackage('ops', 'package.json'));

/** The files for third-party packages by path: the parts that Baton uses. */
const OTHERS = new Map([
  [
    'io-ts.js',
    async () => {
      const entryPoints = [join(dirname(fromOps.resolve('io-ts/package.json')), 'es6/index.js')];
      const { outputFiles } = await bundled('ops', { entryPoints });
      return outputFiles[0].text;
    },
  ],
  ['io-ts.d.ts', () => readFileSync(fromOps.resolve('io-ts/lib/index.d.ts'), 'utf8')],
  [
    'fp-ts.d.ts',
    () => `/** The types of fp-ts that results and codecs have, by their structure. */
export interface Left<E> {
  readonly _tag: 'Left';
  readonly left: E;
}
export interface Right<A> {
  readonly _tag: 'Right';
  readonly right: A;
}
export type Either<E, A> = Left<E> | Right<A>;
export interface Predicate<A> {
  (a: A): boolean;
}
export interface Refinement<A, B extends A> {
  (a: A): a is B;
}
`,
  ],
]);

/** A module that re-exports a self-contained script. */
async function writeWrapper(folder, script, put) {
  const names = Object.keys(await import(pathToFileURL(inPackage(folder, 'dist/index.js')).href));
  const text = `import { createRequire } from 'node:module';
export const { ${names.sort().join(', ')} } = createRequire(import.meta.url)('../${script}');
`;
  put('index.js', text);
}

/** The licences of the packages bundled into a file. */
const licenses = (folders) =>
  folders
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return `${name} ${version}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
    })
    .join('\n\n');
