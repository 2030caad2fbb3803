/** The files that the bench writes. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of a file in `bench/report`. */
export const inReports = (file: string): string =>
  fileURLToPath(new URL(`../report/${file}`, import.meta.url));

/** Writes under a temporary name first, so that a reader never sees half a file. */
export async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.tmp`, text);
  await rename(`${file}.tmp`, file);
}
