// The scope of mutation: the files in which faults would change the meaning of programs, and the rule
// for mutants that cannot be bugs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folders in scope, by package. */
const folders = {
  passes: ['src'],
  tensor: ['src'],
  egraph: ['src'],
  ops: ['src/relation', 'src/kernels', 'src/scale-axis', 'src/families', 'src/ops'],
  ir: ['src/infer', 'src/equal', 'src/types'],
  onnx: ['src/chapters', 'src/shared'],
  autodiff: ['src'],
  rewrites: ['src'],
  lower: ['src'],
  wasm: ['src/emit', 'src/generate', 'src/kernels'],
  executor: ['src'],
  'pass-manager': ['src'],
  equivalence: ['src'],
};

export const packages = Object.keys(folders);

/** Files that contain only texts. */
const texts = /(^|\/)(diagnostics|index)\.ts$/;

/** The package of a name: `onnx` for `onnx` and for `onnx/export`. */
export const packageOf = (name) => name.split('/')[0];

/** The folders of a name: those in scope of a package, or one folder below its `src`. */
const foldersOf = (name) => folders[name] ?? [`src/${name.slice(packageOf(name).length + 1)}`];

/** Whether a name is a package in scope, or a folder below its `src`. */
export const isInScope = (name) =>
  packages.includes(packageOf(name)) &&
  foldersOf(name).every((folder) => existsSync(join(root, 'packages', packageOf(name), folder)));

/** The files in scope of one package or folder, as paths from the root, in order. */
export function filesOf(name) {
  return foldersOf(name)
    .flatMap((folder) => sourcesBelow(`packages/${packageOf(name)}/${folder}`))
    .filter((path) => !texts.test(path));
}

function sourcesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => posix.join(entry.parentPath ?? entry.path, entry.name).slice(root.length))
    .sort();
}

export const sourceOf = (path) => readFileSync(join(root, path), 'utf8');

/** The properties of an operator's definition that only document it. */
const documentation = new Set(['doc', 'source', 'examples']);

/**
 * The rule for mutants that cannot be bugs, for Stryker: the reason why nothing below a node of the
 * syntax tree is mutated.
 */
export const ignorer = {
  shouldIgnore({ node, parent, parentPath }) {
    if (isText(node)) return 'a text for people: it contains a space';
    if (isInvariant(node)) return 'an invariant: only a bug of ours reaches it';
    if (node.type === 'ObjectProperty' && documentation.has(node.key.name)) {
      const call = parentPath?.parent;
      if (call?.type === 'CallExpression') return 'documentation of an operator';
    }
    if (isCapacity(node, parent)) return 'the capacity of an array that a loop fills';
    return undefined;
  },
};

function isText(node) {
  if (node.type === 'StringLiteral') return node.value.includes(' ');
  return node.type === 'TemplateLiteral' && node.quasis.some((q) => q.value.raw.includes(' '));
}

function isInvariant(node) {
  if (node.type === 'ThrowStatement') return throwsInvariant(node);
  if (node.type === 'ExpressionStatement') {
    return node.expression.type === 'CallExpression' && node.expression.callee.name === 'invariant';
  }
  if (node.type !== 'IfStatement' || node.alternate !== null) return false;
  const { consequent } = node;
  const statements = consequent.type === 'BlockStatement' ? consequent.body : [consequent];
  return statements.length === 1 && throwsInvariant(statements[0]);
}

const throwsInvariant = (node) =>
  node.type === 'ThrowStatement' && node.argument.callee?.name === 'InvariantError';

/** A plain `new Array(n)`; before `.fill` or `.from` the length matters. */
const isCapacity = (node, parent) =>
  node.type === 'NewExpression' &&
  node.callee.name === 'Array' &&
  parent.type !== 'MemberExpression';
