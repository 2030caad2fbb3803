/**
 * The layer check: imports go downwards only, between packages and inside one; no cycles, not even
 * of types.
 */
import { libraries, mayImport } from './scripts/layers.mjs';
import { roomRules, rooms } from './scripts/rooms.mjs';

const folder = (name) => `^packages/${name}/`;

const layerRules = Object.entries(mayImport).flatMap(([name, allowed]) => {
  const advice =
    allowed.length === 0 ? 'no package of Baton' : allowed.map((a) => `@baton/${a}`).join(', ');
  const external = (libraries[name] ?? []).map((l) => `node_modules/${l}/`);
  return [
    {
      name: `layer-${name}`,
      severity: 'error',
      comment: `${name} may import ${advice}`,
      from: { path: `${folder(name)}src/` },
      to: { path: '^packages/', pathNot: [name, ...allowed].map(folder) },
    },
    {
      name: `libraries-${name}`,
      severity: 'error',
      comment: `${name} may import ${(libraries[name] ?? []).join(', ') || 'no library'}`,
      from: { path: `${folder(name)}src/` },
      to: { path: 'node_modules/', pathNot: external.length === 0 ? ['^$'] : external },
    },
  ];
});

export default {
  forbidden: [
    ...layerRules,
    ...Object.entries(rooms).flatMap(([root, floors]) => roomRules(root, floors)),
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'move what both need below them',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-node-below-the-command-line',
      severity: 'error',
      comment: 'packages run in browsers: take what you need as an argument',
      from: { path: '^packages/[^/]+/src/', pathNot: '^packages/(cli|workshop)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-deep-imports',
      severity: 'error',
      comment: 'import a package by its name',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: '^packages/([^/]+)/src/(?!(index|checked/index|codemirror|npy|solver|attrs\\/docs)\\.ts)',
        pathNot: '^packages/$1/',
      },
    },
    {
      name: 'nothing-imports-the-bench',
      severity: 'error',
      comment: 'the bench is wiring at the top',
      from: { path: '^packages/[^/]+/src/' },
      to: { path: '^bench/' },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'declare the dependency in package.json',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The parser reads no JSX.
    exclude: { path: '(^|/)(dist|lib|test)/|[.]tsx$' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['baton-source', 'import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs'],
    },
  },
};
