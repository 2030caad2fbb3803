/** Sources of packages with a switch for each mutant, in one file with the comparison. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { difference } from './comparison.ts';
import { CODE_MUTANTS, type CodeMutant } from './mutants.ts';

// Tests run from built files: `src` and `dist` are next to each other.
const comparison = fileURLToPath(new URL('../../src/code-mutants/comparison.ts', import.meta.url));
const sources = fileURLToPath(new URL('../../..', import.meta.url));

export interface MutatedComparison {
  readonly difference: typeof difference;
}

export async function loadMutated(): Promise<MutatedComparison> {
  const { outputFiles } = await build({
    entryPoints: [comparison],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['baton-source'],
    plugins: [switches],
  });
  const folder = mkdtempSync(join(tmpdir(), 'baton-code-mutants-'));
  try {
    const file = join(folder, 'comparison.mjs');
    writeFileSync(file, outputFiles[0]?.contents ?? '');
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const switches: Plugin = {
  name: 'switches',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = relative(sources, path).replaceAll('\\', '/');
      const own = CODE_MUTANTS.filter((mutant) => mutant.file === file);
      if (own.length === 0) return undefined;
      return { contents: switched(readFileSync(path, 'utf8'), own), loader: 'ts' };
    });
  },
};

/** The text with each wrong expression next to the right one, from the last to the first. */
function switched(text: string, mutants: ReadonlyArray<CodeMutant>): string {
  const places = mutants.map((mutant) => ({ mutant, ...placeOf(text, mutant) }));
  places.sort((a, b) => b.start - a.start);
  let made = text;
  for (const { mutant, start, end } of places) {
    const index = CODE_MUTANTS.indexOf(mutant);
    const either = `(globalThis.mutant === ${index} ? (${mutant.wrong}) : (${made.slice(start, end)}))`;
    made = made.slice(0, start) + either + made.slice(end);
  }
  return made;
}

/** The offset of a mutant's expression. */
function placeOf(text: string, { name, place }: CodeMutant): { start: number; end: number } {
  const [before = '', right = '', after = ''] = place.split(/[«»]/);
  const [first, ...others] = text.split(before + right + after);
  if (others.length !== 1 || first === undefined) {
    throw new Error(`the mutant "${name}" has ${others.length} places, not one`);
  }
  const start = first.length + before.length;
  return { start, end: start + right.length };
}
