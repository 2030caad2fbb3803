/** All readers by name. */
import { command, config } from './commands.ts';
import { external } from './external.ts';
import { json } from './json.ts';
import { npz } from './npz.ts';
import { onnx } from './onnx.ts';
import type { Reader } from './reader.ts';
import { text } from './text.ts';

export const READERS = [
  onnx,
  external,
  npz,
  json,
  text,
  config,
  command,
] as const satisfies ReadonlyArray<Reader>;

export type ReaderName = (typeof READERS)[number]['name'];

export function readerOf(name: ReaderName): Reader {
  const found = READERS.find((reader) => reader.name === name);
  if (found === undefined) throw new Error(`there is no reader ${name}`);
  return found;
}
