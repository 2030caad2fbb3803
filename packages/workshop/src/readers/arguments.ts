/** The command line of `pnpm fuzz:readers`. */
import { readCommandLine } from '@baton/cli';
import { READERS, type ReaderName } from './readers.ts';

/** The inputs of a run, and its limits. */
export interface ReadersCommand {
  readonly seed: number;
  readonly minutes: number;
  readonly inputs: number;
  readonly readers: ReadonlyArray<ReaderName>;
  /** The first input of each reader; `undefined` resumes after the last one. */
  readonly from: number | undefined;
  readonly folder: string;
}

const NAMES = READERS.map(({ name }) => name);

export const USAGE = `pnpm fuzz:readers [--minutes N] [--inputs N] [--seed S] [--reader NAME]... [--from INDEX] [--out DIR]
  --minutes N    how long (default 1, or as long as --inputs takes)
  --inputs N     at most this number of inputs, of all readers together
  --seed S       input INDEX of a reader and a seed is always the same (default 1)
  --reader NAME  only this reader: ${NAMES.join(', ')}
  --from INDEX   the first input; without it the run resumes from where the last one with this seed stopped
  --out DIR      the folder of findings (default .fuzz/readers)`;

const OPTIONS = {
  minutes: { type: 'string' },
  inputs: { type: 'string' },
  seed: { type: 'string' },
  reader: { type: 'string', multiple: true },
  from: { type: 'string' },
  out: { type: 'string' },
} as const;

export function readReadersCommand(argv: ReadonlyArray<string>): ReadersCommand | string {
  const line = readCommandLine(argv, OPTIONS);
  if (typeof line === 'string') return line;
  const { values } = line;
  const byDefault = values.inputs === undefined ? 1 : Number.POSITIVE_INFINITY;
  const minutes = Number(values.minutes ?? byDefault);
  const inputs = Number(values.inputs ?? Number.POSITIVE_INFINITY);
  const seed = Number(values.seed ?? 1);
  const from = values.from === undefined ? undefined : Number(values.from);
  if (!(minutes > 0)) return `--minutes expects how many, found ${values.minutes}`;
  if (!(inputs > 0)) return `--inputs expects how many, found ${values.inputs}`;
  if (!Number.isInteger(seed)) return `--seed expects a whole number, found ${values.seed}`;
  if (from !== undefined && !(Number.isInteger(from) && from >= 0)) {
    return `--from expects the index of an input, found ${values.from}`;
  }
  const given = values.reader ?? [];
  const unknown = given.find((name) => !NAMES.some((one) => one === name));
  if (unknown !== undefined) return `--reader expects ${NAMES.join(', ')}, found ${unknown}`;
  const readers = NAMES.filter((name) => given.length === 0 || given.includes(name));
  return { seed, minutes, inputs, readers, from, folder: values.out ?? '.fuzz/readers' };
}
