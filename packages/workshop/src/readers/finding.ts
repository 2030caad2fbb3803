/** Findings: what is wrong with an input, its reduction, and the file that keeps it. */
import type { Crew, Ended } from './crew.ts';
import { type Cost, MOST } from './measure.ts';
import { DEPTHS, type Depth, type Drawn, type Input, type Parts, sizeOf } from './reader.ts';
import { type ReaderName, readerOf } from './readers.ts';
import type { Answer } from './task.ts';

export interface Fault {
  /** Faults of one kind are one finding. */
  readonly kind: string;
  readonly detail: string;
}

export function faultIn(answer: Answer | Ended): Fault | undefined {
  if (answer._tag === 'Ended') return { kind: answer.kind, detail: answer.kind };
  if (answer._tag === 'Range') return undefined;
  const { clean, input } = answer;
  if (input.thrown !== undefined) return input.thrown;
  const costs = `${shown(input)}; the clean one takes ${shown(clean)}`;
  if (input.ms > clean.ms + MOST.ms) return { kind: 'takes too long', detail: costs };
  if (input.bytes > clean.bytes + MOST.bytes)
    return { kind: 'takes too much memory', detail: costs };
  return undefined;
}

const shown = ({ ms, bytes }: Cost): string =>
  `${ms.toFixed(0)} ms and ${(bytes / 2 ** 20).toFixed(0)} MiB`;

/** Whether a kind of fault shows only in a process that has run nothing else. */
const needsFresh = (kind: string): boolean => /^(takes|has|ends)/.test(kind);

/** The fault of an input; costs are measured in a fresh process. */
export async function faultOf(
  reader: ReaderName,
  input: Input,
  clean: Parts,
  crew: Crew,
  isFresh: boolean,
): Promise<Fault | undefined> {
  const task = { _tag: 'Check', reader, input, clean } as const;
  return faultIn(await (isFresh ? crew.askFresh(task) : crew.ask(task)));
}

/** The reduction of a finding ends after this time, or this number of tries. **Units** ms. */
const REDUCE_MS = 40_000;
const MOST_TRIES = 600;

/** The smallest input with the same fault that a reduction found. */
export async function reduced(
  reader: ReaderName,
  seed: string,
  drawn: Drawn,
  fault: Fault,
  crew: Crew,
): Promise<Input> {
  const end = performance.now() + REDUCE_MS;
  const isFresh = needsFresh(fault.kind);
  let tries = 0;
  const isSame = async (input: Input): Promise<boolean> => {
    if (performance.now() > end || ++tries > MOST_TRIES) return false;
    const found = await faultOf(reader, input, drawn.clean, crew, isFresh);
    return found?.kind === fault.kind || (isFresh && found !== undefined && needsFresh(found.kind));
  };
  const { draw, smaller } = readerOf(reader);
  let best: Input = { depth: drawn.depth, parts: drawn.parts };
  const kept = new Set(Array.from({ length: drawn.changes }, (_, i) => i));
  for (let change = 0; change < drawn.changes; change++) {
    kept.delete(change);
    const { parts } = draw(seed, (one) => kept.has(one));
    if (await isSame({ ...best, parts })) best = { ...best, parts };
    else kept.add(change);
  }
  best = await shallower(best, isSame);
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const parts of smaller(best.parts)) {
      if (sizeOf(parts) >= sizeOf(best.parts)) continue;
      if (performance.now() > end || tries > MOST_TRIES) return best;
      if (!(await isSame({ ...best, parts }))) continue;
      best = { ...best, parts };
      isSmaller = true;
      break;
    }
  }
  return best;
}

async function shallower(input: Input, isSame: (i: Input) => Promise<boolean>): Promise<Input> {
  for (const depth of DEPTHS) {
    if (depth === input.depth) return input;
    if (await isSame({ ...input, depth })) return { ...input, depth };
  }
  return input;
}

export interface Kept {
  readonly reader: ReaderName;
  readonly seed: string;
  readonly kind: string;
  readonly detail: string;
  readonly input: Input;
}

export function keptText({ reader, seed, kind, detail, input }: Kept): string {
  const parts = [...input.parts].map(([name, bytes]) => {
    const text = new TextDecoder().decode(bytes);
    const isText = Buffer.from(text).equals(Buffer.from(bytes)) && !text.includes('\0');
    return [name, isText ? { text } : { base64: Buffer.from(bytes).toString('base64') }];
  });
  const file = { reader, seed, kind, detail, depth: input.depth, parts: Object.fromEntries(parts) };
  return `${JSON.stringify(file, null, 2)}\n`;
}

type StoredPart = { readonly text: string } | { readonly base64: string };

export function keptOf(text: string): Kept {
  const {
    depth,
    parts,
    ...rest
  }: Omit<Kept, 'input'> & {
    readonly depth: Depth;
    readonly parts: Readonly<Record<string, StoredPart>>;
  } = JSON.parse(text);
  const bytes = Object.entries(parts).map(([name, part]) => {
    const content = 'text' in part ? Buffer.from(part.text) : Buffer.from(part.base64, 'base64');
    return [name, new Uint8Array(content)] as const;
  });
  return { ...rest, input: { depth, parts: new Map(bytes) } };
}
