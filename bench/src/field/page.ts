/** The sections of `docs/benchmarks.md` on optimizers of files. */
import { basename, dirname } from 'node:path';
import { geometricMean, markdown, measuredOn, type Section, WORSE } from '../benchmarks-page.ts';
import { type Answer, isTaken, type Outcome, RIVALS, TOOLS, type ToolName } from './answer.ts';

/** What the page says besides the answers. */
export interface Setting {
  /** The versions of the tools and of what they run on, as `name version`. */
  readonly versions: ReadonlyArray<string>;
}

/** The sections of these answers: the tools, and the files. */
export const fieldSections = (
  answers: ReadonlyArray<Answer>,
  { versions }: Setting,
): ReadonlyArray<Section> => [
  {
    heading: 'All files',
    body: `${answers.length} ONNX files from third-party packages, each passed to each tool **as it is**: no sizes, no options. The packages and their versions are in \`scripts/fetch-real-models.mjs\`; of files whose names differ only in numbers, the first is measured. \`pnpm bench:field\` writes this section and the next.

- A file is **taken** if the tool's output passes ONNX's checker, loads in onnxruntime, and computes the same at up to three sizes, within a minute.
- **Nodes** and **bytes** of the file, including inner graphs and external data, are relative to the original: the geometric mean over the files that the tool takes.
- **Seconds** and **memory** are the median over the files, each in a separate process.
- **Run** is onnxruntime's processor time on the tool's file, relative to the original: one thread, default optimizations, interleaved sessions, each file loaded four times, the minimum of each; the geometric mean, and the worst file.
- Figures worse than the original, or in which Baton is worse than the best of onnxsim and OnnxSlim, are marked with ${WORSE}.

${measuredOn(versions)}

${summary(answers)}`,
  },
  {
    heading: 'Each file',
    body: `Nodes and kilobytes of the original file, of the better of onnxsim and OnnxSlim, and of Baton's; onnxruntime's time on Baton's file relative to the original, and to the fastest of the others; the number of fused nodes at onnxruntime's extended level that the outputs need, in the original and in Baton's.

${markdown(['file', 'nodes', 'others', 'Baton', 'kB', 'others', 'Baton', 'run', 'to others', 'fused'], answers.map(fileRow))}`,
  },
];

/** The table of all tools. */
export const summary = (answers: ReadonlyArray<Answer>): string =>
  markdown(
    [
      ...['tool', 'taken', 'nodes', 'bytes', 'seconds', 'memory'],
      ...['run', 'worst run', 'largest difference'],
    ],
    (Object.keys(TOOLS) as ToolName[]).map((tool) => summaryRow(tool, answers)),
  );

/** The README with this table between its marks. */
export const quotedIn = (readme: string, table: string): string =>
  readme.replace(/(<!-- field -->\n).*?(\n<!-- end of field -->)/s, `$1\n${table}\n$2`);

function summaryRow(tool: ToolName, answers: ReadonlyArray<Answer>): ReadonlyArray<string> {
  const pairs = answers.flatMap(({ tools }) => {
    const [made, original] = [tools[tool], tools.original];
    return made !== undefined && original !== undefined && isTaken(made)
      ? [{ made, original }]
      : [];
  });
  const parts = (of: (one: Outcome) => number | undefined): ReadonlyArray<number> =>
    pairs.flatMap(({ made, original }) => ratio(of(made), of(original)));
  const runs = parts(({ runSeconds }) => runSeconds);
  const seconds = pairs.map(({ made }) => made.seconds ?? 0);
  const memory = pairs.map(({ made }) => (made.bytes ?? 0) / 1e6);
  const largest = Math.max(0, ...pairs.map(({ made }) => made.difference ?? 0));
  return [
    TOOLS[tool],
    `${pairs.length} of ${answers.length}`,
    part(geometricMean(parts(({ nodes }) => nodes))),
    part(geometricMean(parts(({ fileBytes }) => fileBytes))),
    median(seconds).toFixed(2),
    `${median(memory).toFixed(0)} MB`,
    part(geometricMean(runs)),
    part(Math.max(...runs)),
    largest === 0 ? '0' : largest.toExponential(0),
  ];
}

function fileRow({ model, tools }: Answer): ReadonlyArray<string> {
  const { original, baton } = tools;
  const others = RIVALS.flatMap((name) => tools[name] ?? []).filter(isTaken);
  const least = (of: (one: Outcome) => number | undefined): number =>
    Math.min(...others.flatMap((one) => of(one) ?? []));
  const isOurs = baton !== undefined && isTaken(baton);
  const compared = (of: (one: Outcome) => number | undefined, unit: number): string[] => {
    const shown = (n: number | undefined): string =>
      n === undefined || !Number.isFinite(n) ? '-' : (n / unit).toFixed(0);
    const [given, best, ours] = [
      original && of(original),
      least(of),
      isOurs ? of(baton) : undefined,
    ];
    const isWorse = ours !== undefined && ours > Math.min(best, given ?? best);
    return [shown(given), shown(best), isOurs ? marked(shown(ours), isWorse) : `refused ${WORSE}`];
  };
  const [run] = isOurs ? ratio(baton.runSeconds, original?.runSeconds) : [];
  const [toOthers] = isOurs
    ? ratio(
        baton.runSeconds,
        least(({ runSeconds }) => runSeconds),
      )
    : [];
  return [
    `${basename(dirname(model))}/${basename(model)}`,
    ...compared(({ nodes }) => nodes, 1),
    ...compared(({ fileBytes }) => fileBytes, 1e3),
    run === undefined ? '-' : part(run),
    toOthers === undefined ? '-' : part(toOthers),
    isOurs ? fusedBeforeAndAfter(original, baton) : '-',
  ];
}

/** The fused nodes of the original and of the written file; of fewer, which operators. */
function fusedBeforeAndAfter(original: Outcome | undefined, ours: Outcome): string {
  const total = ({ fused = {} }: Outcome): number =>
    Object.values(fused).reduce((sum, n) => sum + n, 0);
  const lost = Object.entries(original?.fused ?? {}).filter(
    ([operator, count]) => covered(ours, operator) < count,
  );
  const names = lost.map(([operator]) => operator).join(', ');
  const text = `${original === undefined ? 0 : total(original)}, ${total(ours)}`;
  return lost.length === 0 ? text : `${text} (${names}) ${WORSE}`;
}

/** The fused nodes that do what an operator does, alone or with more. */
const covered = ({ fused = {} }: Outcome, operator: string): number =>
  [operator, WITH_MORE[operator]].reduce((sum, name) => sum + (fused[name ?? ''] ?? 0), 0);

/** For an operator that onnxruntime fuses, the one that it fuses with its neighbours. */
const WITH_MORE: Readonly<Record<string, string>> = {
  LayerNormalization: 'SkipLayerNormalization',
  MatMulIntegerToFloat: 'DynamicQuantizeMatMul',
};

/** A file may take this much longer: what two runs of one file differ. */
const SLACK = 1.03;

const part = (of: number): string => marked(of.toFixed(2), of > SLACK);

const marked = (text: string, isWorse: boolean): string => (isWorse ? `${text} ${WORSE}` : text);

const ratio = (a: number | undefined, b: number | undefined): number[] =>
  a === undefined || b === undefined || !Number.isFinite(b) || b === 0 ? [] : [a / b];

const median = (all: ReadonlyArray<number>): number =>
  [...all].sort((a, b) => a - b)[all.length >> 1] ?? Number.NaN;
