/** A reader of what comes from outside: clean inputs, corruption of them, and the way through Baton. */
import { corruptedBytes } from './bytes.ts';
import { type Draw, makeDraw } from './draw.ts';

export type Parts = ReadonlyMap<string, Uint8Array>;

/** How far an accepted input goes: each step includes those before it. */
export const DEPTHS = ['read', 'infer', 'optimize', 'evaluate', 'compile'] as const;

export type Depth = (typeof DEPTHS)[number];

export interface Input {
  readonly depth: Depth;
  readonly parts: Parts;
}

export interface Drawn extends Input {
  readonly clean: Parts;
  /** The number of changes, of which a reduction leaves out some. */
  readonly changes: number;
}

/** The parts of a reader. `S` is the structure of its inputs. */
export interface ReaderParts<S, N extends string = string> {
  readonly name: N;
  /** The share of the reader's inputs in a run over all readers. */
  readonly share: number;
  readonly clean: (draw: Draw) => S;
  readonly corrupted: (input: S, draw: Draw) => S;
  readonly written: (input: S) => Parts;
  /** Smaller inputs, the smallest first, as far as a reduction can tell. */
  readonly smaller: (parts: Parts) => Iterable<Parts>;
  /** Sends an input on its way, and says how it ended. A throw is a fault. */
  readonly read: (input: Input) => string | Promise<string>;
}

export interface Reader<N extends string = string> {
  readonly name: N;
  readonly share: number;
  /** The input of a seed; `isKept` leaves out changes. */
  readonly draw: (seed: string, isKept?: (change: number) => boolean) => Drawn;
  readonly smaller: ReaderParts<unknown>['smaller'];
  readonly read: ReaderParts<unknown>['read'];
}

const MOST_CHANGES = 4;

/** An input that corruption has made larger is left as it was. **Units** bytes. */
const MAX_BYTES = 2 ** 23;

export const sizeOf = (parts: Parts): number =>
  [...parts.values()].reduce((sum, { length }) => sum + length, 0);

const all = (): boolean => true;

export function makeReader<S, N extends string>(parts: ReaderParts<S, N>): Reader<N> {
  const { name, share, clean, corrupted, written, smaller, read } = parts;
  return {
    name,
    share,
    smaller,
    read,
    draw: (seed, isKept = all) => {
      const draw = makeDraw(`${name}:${seed}`);
      const start = clean(draw);
      const depth = depthOf(draw);
      const wanted = draw.once(40) ? 0 : 1 + draw.below(1 + draw.below(MOST_CHANGES));
      const isRaw = draw.once(8);
      let input = start;
      for (let change = 0; change < wanted; change++) {
        if (isKept(change)) input = corrupted(input, makeDraw(`${name}:${seed}/${change}`));
      }
      const large = written(input);
      const files = sizeOf(large) > MAX_BYTES ? written(start) : large;
      const isCut = isRaw && isKept(wanted);
      return {
        depth,
        clean: written(start),
        parts: isCut ? withRawCorruption(files, makeDraw(`${name}:${seed}/raw`)) : files,
        changes: wanted + (isRaw ? 1 : 0),
      };
    },
  };
}

function depthOf(draw: Draw): Depth {
  const at = draw.real();
  if (at < 0.1) return 'read';
  if (at < 0.55) return 'infer';
  if (at < 0.8) return 'optimize';
  return at < 0.95 ? 'evaluate' : 'compile';
}

function withRawCorruption(files: Parts, draw: Draw): Parts {
  const name = draw.some([...files.keys()]);
  const bytes = files.get(name ?? '');
  if (name === undefined || bytes === undefined) return files;
  return new Map(files).set(name, corruptedBytes(bytes, draw));
}

const encoder = new TextEncoder();

export const encoded = (text: string): Uint8Array => encoder.encode(text);

export const textOf = (parts: Parts, name: string): string =>
  new TextDecoder().decode(parts.get(name));

/** Lists with some items left out: first large parts, then smaller ones. */
export function* shorter<A>(items: ReadonlyArray<A>): Iterable<ReadonlyArray<A>> {
  for (let length = items.length; length >= 1; length = Math.floor(length / 2)) {
    for (let at = 0; at < items.length; at += length) {
      yield [...items.slice(0, at), ...items.slice(at + length)];
    }
  }
}

/** A file of the parts as others have it, smaller. */
export function* smallerText(
  parts: Parts,
  name: string,
  unitsOf: (text: string) => ReadonlyArray<string>,
): Iterable<Parts> {
  if (!parts.has(name)) return;
  for (const units of shorter(unitsOf(textOf(parts, name)))) {
    yield new Map(parts).set(name, encoded(units.join('')));
  }
}
