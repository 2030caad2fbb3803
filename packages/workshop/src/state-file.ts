/** Files that keep the state of a long run, which the next run resumes. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRight } from '@baton/base';
import type { Decoder } from 'io-ts';

/** The state in a file; `fresh` if there is no file, or it is of another format or another seed. */
export function readState<S extends { readonly seed: number }>(
  path: string,
  codec: Decoder<unknown, S>,
  fresh: S,
): S {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return fresh;
  }
  const decoded = codec.decode(JSON.parse(text));
  return isRight(decoded) && decoded.right.seed === fresh.seed ? decoded.right : fresh;
}

/** Writes a state; a crash leaves the old file intact. */
export function writeState(path: string, state: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify(state));
  renameSync(`${path}.new`, path);
}
