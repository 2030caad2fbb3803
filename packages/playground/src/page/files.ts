/** Files that were chosen or dropped. */
import type { GivenFile } from '../protocol.ts';

/** Names and contents; the contents are not read here. */
export const filesOf = (files: Iterable<File>): ReadonlyArray<GivenFile> =>
  Array.from(files, (file) => ({ name: file.name, content: file }));
