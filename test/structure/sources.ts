/** The sources of the project. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** The paths of all sources from the root. */
export const sources: ReadonlyArray<string> = readdirSync(join(root, 'packages'))
  .map((name) => `packages/${name}/src`)
  .concat('bench/src')
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${folder}/${path}`),
  );

/** The text of a source. */
export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
