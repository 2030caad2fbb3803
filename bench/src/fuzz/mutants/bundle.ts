/** Makes a mutant run: the fuzz run bundled with one source file replaced. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { hunt } from './entry.ts';
import type { Mutant } from './table.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The fuzz run with a mutant in it. */
export interface MutantRun {
  readonly hunt: typeof hunt;
}

/** How often the mutant's fragment stands in its file: it must be once. */
export function occurrences(mutant: Mutant): number {
  const path = `${root}${mutant.file}`;
  return existsSync(path) ? readFileSync(path, 'utf8').split(mutant.fragment).length - 1 : 0;
}

/** Bundles the fuzz run from sources, and imports it. Nothing is written to disk. */
export async function withMutant(mutant: Mutant): Promise<MutantRun> {
  const path = `${root}${mutant.file}`;
  const mutate: Plugin = {
    name: 'mutate',
    setup: (on) => {
      on.onLoad({ filter: /\.ts$/ }, (args) =>
        args.path === path ? { contents: mutated(mutant, path), loader: 'ts' } : undefined,
      );
    },
  };
  const built = await build({
    absWorkingDir: root,
    entryPoints: ['bench/src/fuzz/mutants/entry.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['baton-source'],
    plugins: [mutate],
    logLevel: 'silent',
  });
  const [file] = built.outputFiles;
  const text = Buffer.from(file?.contents ?? []).toString('base64');
  return import(/* @vite-ignore */ `data:text/javascript;base64,${text}`);
}

function mutated(mutant: Mutant, path: string): string {
  const source = readFileSync(path, 'utf8');
  // A replacement may hold `$`, which a text as second argument would interpret.
  return source.replace(mutant.fragment, () => mutant.replacement);
}
