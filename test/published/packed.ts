/** The tarballs for npm, made by the release script. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A packed package. */
export interface Tarball {
  /** The path of the `.tgz`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const script = fileURLToPath(new URL('../../scripts/pack.mjs', import.meta.url));

/** A new temporary folder, by its real path. */
export const freshFolder = (): string => mkdtempSync(join(tmpdir(), 'baton-published-'));

/** Packs every package into a folder. */
export function packAll(folder: string): ReadonlyArray<Tarball> {
  execFileSync(process.execPath, [script, folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  const names = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  return names.map((name) => {
    const path = join(folder, name);
    return { path, bytes: readFileSync(path) };
  });
}
