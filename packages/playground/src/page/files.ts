/** Files that were chosen or dropped. */
import type { NamedFile } from '../protocol.ts';

/** Their names and bytes. */
export const filesOf = (files: Iterable<File>): Promise<ReadonlyArray<NamedFile>> =>
  Promise.all(
    Array.from(files, async (file) => ({
      name: file.name,
      bytes: new Uint8Array(await file.arrayBuffer()),
    })),
  );
