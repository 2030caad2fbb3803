/**
 * Checks the length of functions. A function includes those inside it, which share its variables, and
 * so does a method; a class is not counted.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

/** The maximum number of lines of a function. */
const MAX_LINES = 80;

const root = fileURLToPath(new URL('..', import.meta.url));

const sources = ['bench/src', ...readdirSync(`${root}/packages`).map((p) => `packages/${p}/src`)]
  .flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => path.endsWith('.ts'));

const FUNCTIONS = new Set([
  'ArrowFunctionExpression',
  'ClassMethod',
  'Constructor',
  'FunctionDeclaration',
  'FunctionExpression',
  'GetterProperty',
  'MethodProperty',
  'PrivateMethod',
]);

/** The name that a node gives to the function in it. */
const nameOf = ({ key, id, identifier }) =>
  key?.id?.value ?? key?.value ?? id?.value ?? identifier?.value;

/** The outermost functions of a file, by name, with their lines. */
function outerFunctions(path) {
  const bytes = readFileSync(`${root}/${path}`);
  const found = [];
  const pending = [[parseSync(bytes.toString(), { syntax: 'typescript' }), 'a function']];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, outer] = next;
    const name = nameOf(node) ?? outer;
    if (FUNCTIONS.has(node.type)) {
      const { start, end } = (node.function ?? node).span;
      // Positions are in bytes and start at 1.
      const lines = bytes.toString('utf8', start - 1, end - 1).split('\n').length;
      found.push({ name: `${path} ${name}`, lines });
      continue;
    }
    for (const part of Object.values(node)) {
      for (const child of [part].flat()) {
        if (child !== null && typeof child === 'object') pending.push([child, name]);
      }
    }
  }
  return found;
}

for (const { name, lines } of sources.flatMap(outerFunctions)) {
  if (lines <= MAX_LINES) continue;
  console.error(`${name} has ${lines} lines, and may have ${MAX_LINES}`);
  process.exitCode = 1;
}
