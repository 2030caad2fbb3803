/** Pairs on a command line: sizes of dimensions, inputs and their files. */
import { isLeft, type Result, right } from '@baton/base';
import { misuse } from './diagnostics.ts';

export function readDims(given: ReadonlyArray<string>): Result<Readonly<Record<string, number>>> {
  const pairs = readPairs('--dim', 'NAME=SIZE', given);
  if (isLeft(pairs)) return pairs;
  const wrong = Object.entries(pairs.right).find(([, size]) => !/^\d+$/.test(size));
  if (wrong !== undefined) return misuse(`--dim expects NAME=SIZE, found ${wrong.join('=')}`);
  return right(
    Object.fromEntries(Object.entries(pairs.right).map(([name, size]) => [name, Number(size)])),
  );
}

/** Pairs `NAME=VALUE` by name. A name may contain an equals sign, a value may not. */
export function readPairs(
  option: string,
  form: string,
  given: ReadonlyArray<string>,
): Result<Readonly<Record<string, string>>> {
  const pairs: [string, string][] = [];
  for (const text of given) {
    const [, name, value] = /^(.+)=([^=]+)$/.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      return misuse(`${option} expects ${form}, found ${text}`);
    }
    pairs.push([name, value]);
  }
  return right(Object.fromEntries(pairs));
}
