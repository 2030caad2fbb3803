/**
 * `pnpm bench:tvm RELAY`: Baton compared with TVM Relay 0.16. `RELAY` runs a Python that has TVM, as
 * `relay script.py`. Generated programs are printed for TVM, before and after passes that both
 * have; TVM reports which texts it reads, and whether its own pass gives the same program.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { table } from '@baton/base';
import { readCommandLine } from '@baton/cli';
import { programOf } from '@baton/testing';
import { begin } from '@baton/workshop';
import { type IRModule, orThrow, type Pass, passes, printModule, runPass } from 'batonjs';
import { askTvm } from './ask.ts';
import { compareTimes } from './times.ts';

const USAGE = `pnpm bench:tvm RELAY [--times] [--programs N] [--out DIR]
  RELAY          a command that runs a Python script with TVM 0.16
  --times        how long both take to read and optimize networks, in processor time
  --programs N   how many programs are generated (300)
  --out DIR      where the texts go (a temporary folder)
`;

const OPTIONS = {
  programs: { type: 'string' },
  out: { type: 'string' },
  times: { type: 'boolean' },
} as const;

/** Passes of both, by their names in TVM. */
const SHARED: ReadonlyArray<readonly [string, Pass]> = [
  ['SimplifyExpr', passes.simplifyExpr],
  ['ToANormalForm', passes.toANormalForm],
  ['FuseOps', passes.fuseOps],
  ['FoldConstant', passes.foldConstant],
  ['EliminateCommonSubexpr', passes.eliminateCommonSubexpr],
  ['CanonicalizeOps', passes.canonicalizeOps],
];

/** TVM's answer about one text. */
interface Answer {
  readonly name: string;
  readonly reads: boolean;
  readonly said?: string;
  /** For each pass: `same`, `other`, or the error. */
  readonly passes?: Readonly<Record<string, string>>;
}

function main(): number {
  const line = readCommandLine(process.argv.slice(2), OPTIONS, { takesOperands: true });
  const [relay] = typeof line === 'string' ? [] : line.positionals;
  if (typeof line === 'string' || relay === undefined) {
    process.stderr.write(typeof line === 'string' ? `${line}\n\n${USAGE}` : USAGE);
    return 2;
  }
  const { values } = line;
  const folder = values.out ?? mkdtempSync(join(tmpdir(), 'baton-tvm-'));
  mkdirSync(folder, { recursive: true });
  if (values.times === true) {
    process.stdout.write(`${compareTimes(relay, folder)}\n`);
    return 0;
  }
  const count = Number(values.programs ?? 300);
  for (let seed = 1; seed <= count; seed++) writeProgram(folder, seed);
  const answers = askTvm<Answer>(relay, 'read.py', folder);
  process.stdout.write(`${summary(answers)}\n\nThe texts are in ${folder}\n`);
  return 0;
}

const forTvm = (m: IRModule): string => printModule(m, { dialect: 'tvm', showTypes: false });

/** Writes the program of a seed, and the result of each pass on it. */
function writeProgram(folder: string, seed: number): void {
  const { module } = programOf(seed);
  const text = forTvm(module);
  // The operator exists only in tests.
  if (text.includes('test.effect')) return;
  writeFileSync(join(folder, `p${seed}.relay`), text);
  for (const [name, pass] of SHARED) {
    const output = orThrow(runPass(pass)(module)).module;
    writeFileSync(join(folder, `p${seed}.${name}.out`), forTvm(output));
  }
}

function summary(answers: ReadonlyArray<Answer>): string {
  const read = answers.filter((a) => a.reads);
  const reasons = counted(answers.flatMap((a) => (a.reads ? [] : [a.said ?? ''])));
  const rows = SHARED.map(([name]) => {
    const found = read.flatMap((a) => a.passes?.[name] ?? []);
    const same = found.filter((one) => one === 'same').length;
    const other = read.filter((a) => a.passes?.[name] === 'other').map((a) => a.name);
    const unasked = found.length - same - other.length;
    return [name, String(same), String(other.length), String(unasked), other.slice(0, 8).join(' ')];
  });
  return [
    `TVM reads ${read.length} of ${answers.length} texts`,
    ...reasons.map(([said, times]) => `  ${times} × ${said}`),
    '',
    table(['pass', 'same', 'other', 'not asked', 'other, for example'], rows),
  ].join('\n');
}

/** The count of each text, the most frequent first; numbers in texts are ignored. */
function counted(texts: ReadonlyArray<string>): ReadonlyArray<readonly [string, number]> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const kind = text.replace(/\d+/g, 'N');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

await begin(main);
