// Lists the mutants in scope and draws a sample of them.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { filesOf, ignorer, root, sourceOf } from './scope.mjs';

const nothing = () => {};
const instrumenter = new Instrumenter({
  isDebugEnabled: () => false,
  debug: nothing,
  info: nothing,
  warn: nothing,
});
const options = { plugins: null, ignorers: [ignorer], excludedMutations: [], noHeader: false };

const hash = (text) => createHash('sha256').update(text).digest('hex');

/** The cache of the lists of mutants, by the content of a file. */
const cache = join(root, 'node_modules/.cache/baton-mutate');

/** All mutants of a package or folder: file, location, original text and replacement. */
export async function mutantsOf(name) {
  mkdirSync(cache, { recursive: true });
  const rule = hash(sourceOf('scripts/mutate/scope.mjs'));
  const lists = [];
  for (const path of filesOf(name)) {
    const content = sourceOf(path);
    const kept = join(cache, `${hash(rule + path + content)}.json`);
    let list;
    try {
      list = JSON.parse(readFileSync(kept, 'utf8'));
    } catch {
      list = await list1(path, content);
      writeFileSync(kept, JSON.stringify(list));
    }
    lists.push(...list.map((mutant) => ({ package: name, ...mutant })));
  }
  return lists;
}

async function list1(path, content) {
  const { mutants } = await instrumenter.instrument(
    [{ name: path, mutate: true, content }],
    options,
  );
  const lines = content.split('\n');
  const seen = new Map();
  return mutants
    .filter((mutant) => mutant.statusReason === undefined)
    .map(({ location, replacement, mutatorName }) => {
      const original = textAt(lines, location);
      const key = `${path}\n${original}\n${replacement}`;
      const nth = seen.get(key) ?? 0;
      seen.set(key, nth + 1);
      return { path, location, original, replacement, mutatorName, nth };
    });
}

function textAt(lines, { start, end }) {
  if (start.line === end.line) return lines[start.line].slice(start.column, end.column);
  return [
    lines[start.line].slice(start.column),
    ...lines.slice(start.line + 1, end.line),
    lines[end.line].slice(0, end.column),
  ].join('\n');
}

/** The name of a mutant, the same in every version of its file that still contains it. */
export const keyOf = (m) => [m.path, m.original, m.replacement, m.nth].join('\n');

/**
 * The first `count` mutants in the order of the seed. A mutant's position depends only on the mutant,
 * so a change elsewhere does not draw another sample.
 */
export function sampleOf(mutants, count, seed) {
  const drawn = mutants.map((mutant) => ({ mutant, at: hash(`${seed}\n${keyOf(mutant)}`) }));
  drawn.sort((a, b) => (a.at < b.at ? -1 : 1));
  return drawn.slice(0, count).map(({ mutant }) => mutant);
}

/**
 * The sources of the files that hold these mutants, with a switch at each; `ids[i]` turns
 * `mutants[i]` on.
 */
export async function instrumented(mutants) {
  const paths = [...new Set(mutants.map((m) => m.path))];
  const { files, mutants: placed } = await instrumenter.instrument(
    paths.map((path) => ({
      name: path,
      content: sourceOf(path),
      mutate: mutants.filter((m) => m.path === path).map((m) => m.location),
    })),
    options,
  );
  const place = (path, l, replacement) => JSON.stringify([path, l.start, l.end, replacement]);
  const idOf = new Map(
    placed.map((m) => [place(m.fileName, plain(m.location), m.replacement), m.id]),
  );
  const ids = mutants.map((m) => idOf.get(place(m.path, plain(m.location), m.replacement)));
  const lost = ids.indexOf(undefined);
  if (lost >= 0) throw new Error(`no switch for the mutant ${keyOf(mutants[lost])}`);
  return { sources: new Map(files.map((f) => [f.name, readable(f.content)])), ids };
}

/**
 * The text of a file without types that would not parse again: the instrumenter prints
 * `(a as T) < b` as `a as T < b`. It prints type arguments without a space.
 */
const readable = (content) => content.replaceAll(/ as [\w.]+ (?=<)/g, ' ');

const plain = ({ start, end }) => ({
  start: { line: start.line, column: start.column },
  end: { line: end.line, column: end.column },
});
