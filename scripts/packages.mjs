// Writes the shared part of each package.json and the version in the sources, or with --check fails if
// one differs.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOMEPAGE, REPOSITORY, SELF_CONTAINED, VERSION } from './project.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Keywords of all packages on npm, and of each one. */
const KEYWORDS = ['baton', 'relay', 'tensor', 'compiler'];
const OWN_KEYWORDS = {
  autodiff: ['automatic-differentiation', 'gradient', 'machine-learning'],
  base: ['diagnostics', 'dag', 'fold', 'prng'],
  baton: ['onnx', 'optimizer', 'graph-rewriting', 'machine-learning', 'ir', 'tvm'],
  cli: ['onnx', 'optimizer', 'command-line', 'machine-learning'],
  drawing: ['visualization', 'graph-drawing'],
  egraph: ['e-graph', 'equality-saturation', 'rewriting', 'egg', 'term-rewriting'],
  editor: ['language-server', 'editor', 'completion', 'hover'],
  equivalence: ['equivalence', 'differential-testing', 'bisect', 'reducer', 'delta-debugging'],
  executor: ['interpreter', 'inference'],
  ir: ['ir', 'type-inference', 'tvm'],
  'lezer-relay': ['lezer', 'codemirror', 'grammar', 'syntax-highlighting'],
  lower: ['lowering', 'loop-nests', 'memory-planning'],
  models: ['resnet', 'mobilenet', 'transformer', 'neural-network'],
  onnx: ['onnx', 'import', 'export', 'protobuf', 'machine-learning'],
  ops: ['operators', 'kernels', 'machine-learning'],
  'pass-manager': ['pass', 'pipeline', 'optimizer'],
  playground: ['visualization', 'e-graph', 'onnx', 'optimizer', 'webassembly'],
  passes: ['optimizer', 'constant-folding', 'fusion', 'graph-rewriting'],
  proofs: ['verification', 'smt', 'rewrite-rules'],
  report: ['report', 'visualization'],
  rewrites: ['rewrite-rules', 'equality-saturation', 'optimizer', 'graph-rewriting'],
  tensor: ['ndarray', 'typed-array', 'float16', 'bfloat16'],
  text: ['parser', 'printer', 'tvm'],
  wasm: ['webassembly', 'simd', 'inference', 'compiled-executor'],
  testing: ['fast-check', 'property-based-testing', 'fuzzing'],
};

/** The entry points of each package other than `.`: code that most users do not load. */
const OWN_ENTRIES = {
  'lezer-relay': { './codemirror': 'codemirror' },
  ops: { './attribute-docs': 'attrs/docs' },
  proofs: { './z3': 'solver' },
  tensor: { './npy': 'npy' },
  wasm: { './bare-run': 'bare-run', './checked': 'checked/index' },
};

/** Packages that are bundled pages, with their published files: no code imports them. */
const PAGES = {
  playground: {
    files: ['dist/site', 'dist/baton-playground.html'],
    scripts: { build: 'node scripts/build.mjs' },
    sideEffects: ['*.css', './src/worker.ts', './src/offline.ts', './src/page/main.tsx'],
  },
};

/** The entry of a built package: built files only. */
const built = (file) => ({ types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` });

/**
 * The published entry of a self-contained package. Bundlers use the condition `module` and get
 * modules, which they tree-shake. Others load one file.
 */
function ofOneFile(folder, { files, modules, wraps }) {
  const types = `./lib/modules/${folder}/index.d.ts`;
  if (wraps !== undefined) return { types, default: './lib/index.js' };
  const ways = files.map((name) => [name, `./lib/${name}.js`]);
  return {
    types,
    ...(modules ? { module: `./lib/modules/${folder}/index.js` } : {}),
    ...Object.fromEntries(ways.length > 1 ? ways : []),
    default: ways.at(-1)[1],
  };
}

/** The published form of the entries of a package. */
const published = (folder) => {
  const form = SELF_CONTAINED[folder];
  return exportsOf(folder, form === undefined ? built : () => ofOneFile(folder, form));
};
const manifest = './package.json';

/** The exports of a package, each entry by `form`. */
const exportsOf = (folder, form) => ({
  ...Object.fromEntries(
    Object.entries(PAGES[folder] ? {} : { '.': 'index', ...OWN_ENTRIES[folder] }).map(
      ([at, file]) => [at, form(file)],
    ),
  ),
  [manifest]: manifest,
});

/** The packed files. */
const filesOf = (folder, bin) => [
  ...(bin === undefined ? [] : ['bin']),
  // Source maps embed the sources. Maps of declarations would point to missing files.
  ...(SELF_CONTAINED[folder] === undefined
    ? ['dist', '!dist/**/*.d.ts.map', '!dist/**/*.tsbuildinfo']
    : ['lib', ...(SELF_CONTAINED[folder].besides ?? [])]),
];

/** A package.json with its shared part replaced, in a fixed order. */
function complete(folder, own) {
  const { name, description, bin, dependencies, peerDependencies } = own;
  const { peerDependenciesMeta, devDependencies } = own;
  return {
    name,
    version: VERSION,
    description,
    keywords: [...KEYWORDS, ...OWN_KEYWORDS[folder]],
    homepage: HOMEPAGE,
    bugs: `${REPOSITORY}/issues`,
    repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: `packages/${folder}` },
    license: 'Apache-2.0',
    author: 'The Baton authors',
    type: 'module',
    scripts: PAGES[folder]?.scripts,
    sideEffects: PAGES[folder]?.sideEffects ?? false,
    engines: { node: '>=20.19.0' },
    bin,
    // In the workspace a package resolves to its sources; a tarball has `publishConfig`.
    exports: exportsOf(folder, (file) => ({
      'baton-source': `./src/${file}.ts`,
      ...built(file),
    })),
    publishConfig: { access: 'public', exports: published(folder) },
    files: PAGES[folder]?.files ?? filesOf(folder, bin),
    dependencies,
    peerDependencies,
    peerDependenciesMeta,
    devDependencies,
  };
}

/** Writes a file, or with --check reports that it differs. */
function keep(path, wanted) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) return;
  if (process.argv.includes('--check')) {
    console.error(`${path} differs from scripts/packages.mjs: run \`pnpm gen\``);
    process.exitCode = 1;
  } else {
    writeFileSync(file, wanted);
    console.log(`wrote ${path}`);
  }
}

for (const folder of readdirSync(join(root, 'packages'))) {
  const path = `packages/${folder}/package.json`;
  const found = JSON.parse(readFileSync(join(root, path), 'utf8'));
  if (found.private === true) continue;
  keep(path, `${JSON.stringify(complete(folder, found), null, 2)}\n`);
}
keep(
  'packages/base/src/version.ts',
  `/** The version of all packages. Written by \`pnpm gen\`. */\nexport const VERSION = '${VERSION}';\n`,
);
