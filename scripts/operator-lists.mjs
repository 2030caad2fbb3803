/**
 * Looks for lists of operator names outside `packages/ops`: an operator's own definition states
 * every fact about it, in columns. A list is an array, a table, a union or a switch of at least
 * three names and nothing else, or a text of them. Checks the files named on the command line, or all
 * sources.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Lists that name parts of programs, which are not facts about operators. */
const PROGRAMS = [
  // Patterns of generated programs, their terms, random calls, and the calls that some steps make.
  /^packages\/testing\/src\/(compiled|motifs|samplers|full-language)\//,
  /^packages\/testing\/src\/(generate\/motif|steps)\.ts$/,
  // How proofs interpret kernels: by the way results follow from arguments, and by definitions.
  /^packages\/proofs\/src\/(operators|normalizations)\.ts$/,
  // The operators with infix notation.
  /^packages\/text\/src\/parse\/calls\.ts$/,
];

const sources = ['bench/src', ...readdirSync(`${root}/packages`).map((p) => `packages/${p}/src`)]
  .flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => path.endsWith('.ts'));
const textAt = (path) => readFileSync(resolve(root, path), 'utf8');

const names = new Set(
  sources
    .filter((path) => path.startsWith('packages/ops/src/ops/'))
    .map((path) => {
      const name = /^ {2}name: '([\w.]+)',$/m.exec(textAt(path))?.[1];
      if (name === undefined) throw new Error(`${path} defines an operator with a name`);
      return name;
    }),
);

const files =
  process.argv.length > 2
    ? process.argv.slice(2)
    : sources.filter(
        (path) => !path.startsWith('packages/ops/') && !PROGRAMS.some((place) => place.test(path)),
      );

const textOf = (node) => (node?.type === 'StringLiteral' ? node.value : undefined);

/** The string that an entry is or begins with. */
const firstText = (item) => {
  if (item?.type === 'ArrayExpression') return textOf(item.elements[0]?.expression);
  if (item?.type === 'ObjectExpression') return textOf(item.properties[0]?.value);
  return textOf(item);
};

for (const path of files) {
  for (const list of listsIn(parseSync(textAt(path), { syntax: 'typescript' }))) {
    console.error(`${path}: a list of operators, ${list.join(', ')}: give them a column`);
    process.exitCode = 1;
  }
}

/** The lists of names in a file. */
function listsIn(module) {
  const found = [];
  const pending = [module];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const items of itemsOf(node)) {
      const texts = items.filter((text) => text !== undefined);
      if (texts.length > 2 && texts.every((text) => names.has(text))) found.push(texts);
    }
    for (const part of Object.values(node)) {
      for (const child of [part].flat()) {
        if (child !== null && typeof child === 'object') pending.push(child);
      }
    }
  }
  return found;
}

/** The strings of the items of a list; a table has two lists, its keys and its entries. */
function itemsOf(node) {
  switch (node.type) {
    case 'ArrayExpression':
      return [node.elements.map((item) => firstText(item?.expression))];
    case 'ObjectExpression':
      return [
        node.properties.map(({ key, type, value }) => (type === 'Identifier' ? value : key?.value)),
        node.properties.map(({ value }) => firstText(value)),
      ];
    case 'TsUnionType':
      return [node.types.map((type) => textOf(type.literal))];
    case 'SwitchStatement':
      return [node.cases.map(({ test }) => textOf(test))];
    case 'StringLiteral':
      return [node.value.trim().split(/\s+/)];
    case 'TemplateElement':
      return [node.cooked?.trim().split(/\s+/) ?? []];
    default:
      return [];
  }
}
