/** The command line of `pnpm hunt`. */
import { readCommandLine } from '@baton/cli';
import { BATON_PATHS } from './paths.ts';
import { TOOLS, type ToolName } from './tools.ts';

/** The subject of a hunt, and its limits. */
export interface HuntCommand {
  readonly seed: number;
  readonly minutes: number;
  readonly graphs: number;
  /** The first graph; `undefined` resumes after the last one. */
  readonly from: number | undefined;
  readonly tool: ToolName | undefined;
  readonly python: string;
  readonly folder: string;
  /** One path, with those that it follows. */
  readonly only: string | undefined;
}

export const USAGE = `pnpm hunt [--minutes N] [--graphs N] [--seed S] [--from INDEX] [--only PATH] [--out DIR]
          [--tool ${TOOLS.join('|')}] [--python PATH]
  --minutes N    how long (default 1)
  --graphs N     at most this number of graphs
  --seed S       graph INDEX of a seed is always the same (default 1)
  --from INDEX   the first graph; without it the hunt resumes from where the last run with this seed stopped
  --only PATH    one path and those that it builds on: ${BATON_PATHS.map(({ name }) => name).join(', ')}
  --out DIR      the folder of findings (default .hunt)
  --tool NAME    another optimizer in Baton's place
  --python PATH  the interpreter that has the tool installed (default python3)`;

const OPTIONS = {
  minutes: { type: 'string' },
  graphs: { type: 'string' },
  seed: { type: 'string' },
  from: { type: 'string' },
  only: { type: 'string' },
  out: { type: 'string' },
  tool: { type: 'string' },
  python: { type: 'string' },
} as const;

export function readHunt(argv: ReadonlyArray<string>): HuntCommand | string {
  const line = readCommandLine(argv, OPTIONS);
  if (typeof line === 'string') return line;
  const { values } = line;
  const { only, out = '.hunt', python = 'python3' } = values;
  const minutes = Number(
    values.minutes ?? (values.graphs === undefined ? 1 : Number.POSITIVE_INFINITY),
  );
  const graphs = Number(values.graphs ?? Number.POSITIVE_INFINITY);
  const seed = Number(values.seed ?? 1);
  const from = values.from === undefined ? undefined : Number(values.from);
  if (!(minutes > 0)) return `--minutes expects how many, found ${values.minutes}`;
  if (!(graphs > 0)) return `--graphs expects how many, found ${values.graphs}`;
  if (!Number.isInteger(seed)) return `--seed expects a whole number, found ${values.seed}`;
  if (from !== undefined && !(Number.isInteger(from) && from >= 0)) {
    return `--from expects the index of a graph, found ${values.from}`;
  }
  const tool = TOOLS.find((name) => name === values.tool);
  if (values.tool !== undefined && tool === undefined) {
    return `--tool expects ${TOOLS.join(' or ')}, found ${values.tool}`;
  }
  if (only !== undefined && !BATON_PATHS.some(({ name }) => name === only)) {
    return `--only does not know ${only}; it knows ${BATON_PATHS.map(({ name }) => name).join(', ')}`;
  }
  return { seed, minutes, graphs, from, tool, python, folder: out, only };
}
