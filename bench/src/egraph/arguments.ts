/** The command line of `pnpm bench:egraph`. */
import { readCommandLine } from '@baton/cli';
import { benchmarks } from './benchmarks.ts';

/** The choices of the command line. */
export interface Arguments {
  readonly only: ReadonlyArray<string>;
  readonly peers: boolean;
  readonly explanations: boolean;
  /** Measures the delay of stops instead of running the benchmarks. */
  readonly stopping: boolean;
  readonly pairs: number;
  readonly json: string | undefined;
  /** Extracts from the e-graphs in this folder instead of running the benchmarks. */
  readonly gym: string | undefined;
}

/** The help text. */
export const USAGE = `pnpm bench:egraph [--peers] [--explanations] [--pairs N] [--only NAME,...] [--json FILE] [--stopping] [--gym FOLDER]

  --peers        build the programs on egg and egglog with cargo and run them in turn with ours
  --explanations also run ours with proofs kept, and print what that costs
  --stopping     only measure how late runs stop after a time limit and after an abort
  --pairs N      turns of each side, 5 at least (default 5)
  --only NAMES   only these benchmarks, separated by commas
  --json FILE    also write the figures there
  --gym FOLDER   only extract from the e-graphs there, files of the public extraction gym`;

const OPTIONS = {
  peers: { type: 'boolean' },
  explanations: { type: 'boolean' },
  stopping: { type: 'boolean' },
  pairs: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'string' },
  gym: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The arguments, or the mistakes in them. */
export function readArguments(argv: ReadonlyArray<string>): Arguments | string {
  const line = readCommandLine(argv, OPTIONS);
  if (typeof line === 'string') return `${line}\n\n${USAGE}`;
  const { values } = line;
  if (values.help === true) return USAGE;
  const pairs = values.pairs === undefined ? 5 : Number(values.pairs);
  if (!(Number.isInteger(pairs) && pairs >= 5)) {
    return `--pairs expects 5 or more, found ${values.pairs}\n\n${USAGE}`;
  }
  const only = values.only?.split(',') ?? [];
  const known = benchmarks.map((b) => b.name);
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    return `--only expects names among ${known.join(', ')}, found ${unknown}\n\n${USAGE}`;
  }
  return {
    only,
    peers: values.peers === true,
    explanations: values.explanations === true,
    stopping: values.stopping === true,
    pairs,
    json: values.json,
    gym: values.gym,
  };
}
