/** The programs in the TypeScript of the documents. */
import { pages } from './pages.ts';

/** A program of a page, as its blocks. */
export interface Program {
  readonly name: string;
  readonly code: string;
}

/** The names that the import statements of a program bind. */
const importedNames = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/^import ([^;']+) from '/gm)]
    .flatMap(({ 1: clause = '' }) =>
      clause.split(/[{},]/).flatMap((part) =>
        part
          .trim()
          .split(/\s+as\s+|\s+/)
          .slice(-1),
      ),
    )
    .filter((name) => name !== '');

/**
 * A block continues the program of the blocks before it on its page, unless it imports a name
 * again: then it begins another.
 */
export const programs: ReadonlyArray<Program> = pages.flatMap(
  ({ path, blocks }): ReadonlyArray<Program> => {
    const found: Program[] = [];
    for (const { kind, body, line } of blocks) {
      if (kind !== 'ts') continue;
      const last = found.at(-1);
      const known = new Set(importedNames(last?.code ?? ''));
      if (last === undefined || importedNames(body).some((name) => known.has(name))) {
        found.push({ name: `${path}:${line}`, code: body });
      } else found[found.length - 1] = { name: last.name, code: `${last.code}\n${body}` };
    }
    return found;
  },
);
