/**
 * How soon emitted modules give their first result, in fresh processes of Node and in Chromium, and how
 * much memory they take beyond their weights and their arena.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { table } from '@baton/base';
import type { Subject } from '@baton/report';
import { isTensor } from '@baton/tensor';
import { type CompiledFacts, compiledFacts } from '@baton/wasm';
import { type Arguments, exportOnnx, orThrow } from 'batonjs';
import { chromiumPath, inChromium } from './chromium.ts';
import { type EmitChoices, emitModule } from './emit.ts';
import type { FirstTimes, InputValues } from './first.ts';
import type { WorkerAnswer } from './worker.ts';

/** An emitted module in figures. */
export interface ModuleTimes {
  readonly name: string;
  /** **Units** bytes, compressed by gzip. */
  readonly codeBytes: number;
  readonly weightBytes: number;
  readonly node: FirstTimes;
  /** Absent where there is no Chromium. */
  readonly chromium?: FirstTimes;
  readonly memory: MemoryFigures;
}

/** Memory. **Units** bytes. */
export interface MemoryFigures {
  /** Constants as they lie in memory. */
  readonly constantBytes: number;
  readonly arenaBytes: number;
  /** The peak of a process that runs the module, beyond Node, the constants and the arena. */
  readonly moduleBeyond?: number;
  /** The peak of a process that runs the executor, beyond Node, the program, constants and arena. */
  readonly executorBeyond?: number;
}

/** How often each host starts. */
const TURNS = 5;

const WORKER = fileURLToPath(new URL('worker.js', import.meta.url));

/** Emits a model and measures it: the hosts interleaved, each time in a new process. */
export async function measureModule(subject: Subject, choices: EmitChoices): Promise<ModuleTimes> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-module-'));
  try {
    const { inputs, module, ...sizes } = orThrow(await emitModule(subject, folder, choices));
    const files = [join(folder, 'inputs.json'), join(folder, 'optimized.onnx')] as const;
    writeFileSync(files[0], JSON.stringify(valuesOf(inputs)));
    writeFileSync(files[1], orThrow(exportOnnx(module)));
    const chromium = chromiumPath();
    const times: { node: WorkerAnswer[]; chromium: FirstTimes[] } = { node: [], chromium: [] };
    for (let turn = 0; turn < TURNS; turn++) {
      times.node.push(await inNode(['module', join(folder, `${subject.name}.mjs`), files[0]]));
      if (chromium !== undefined) times.chromium.push(await inPage(chromium, folder, subject.name));
    }
    const page = middle(times.chromium);
    const node = middle(times.node.flatMap((answer) => answer.times ?? []));
    if (node === undefined) throw new Error('Node ran no module');
    const { transforms = false } = choices;
    const alone = await inNode(['executor', files[1], files[0], `${transforms}`]);
    const program = statSync(files[1]).size;
    const peaks = {
      module: times.node[0]?.peakBytes,
      executor: alone.peakBytes === undefined ? undefined : alone.peakBytes - program,
    };
    const memory = memoryOf(compiledFacts(module, { transforms }), peaks);
    return { ...sizes, node, ...(page && { chromium: page }), memory };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function memoryOf(
  facts: CompiledFacts | undefined,
  {
    module,
    executor,
  }: { readonly module?: number | undefined; readonly executor?: number | undefined },
): MemoryFigures {
  const { constantBytes = 0, arenaBytes = 0 } = facts ?? {};
  const own = constantBytes + arenaBytes;
  return {
    constantBytes,
    arenaBytes,
    ...(module === undefined ? {} : { moduleBeyond: module - own }),
    ...(executor === undefined ? {} : { executorBeyond: executor - own }),
  };
}

/** The modules as a table. */
export function moduleTable(modules: ReadonlyArray<ModuleTimes>): string {
  const shown = (times: FirstTimes | undefined): ReadonlyArray<string> =>
    times === undefined
      ? ['', '', '', '']
      : [times.level, ...[times.importMs, times.firstMs, times.nextMs].map((ms) => ms.toFixed(1))];
  const MB = (bytes: number | undefined): string =>
    bytes === undefined ? '' : (bytes / 1e6).toFixed(1);
  const header = ['module', 'code kB', 'weights MB'].concat(
    ...['node', 'chromium'].map((host) => [host, 'import ms', 'first ms', 'next ms']),
    ['arena MB', 'beyond MB', 'executor'],
  );
  const rows = modules.map(({ name, codeBytes, node, chromium, memory, ...sizes }) => [
    name,
    (codeBytes / 1e3).toFixed(1),
    MB(sizes.weightBytes),
    ...shown(node),
    ...shown(chromium),
    ...[memory.arenaBytes, memory.moduleBeyond, memory.executorBeyond].map(MB),
  ]);
  return table(header, rows);
}

const inNode = (args: ReadonlyArray<string>): Promise<WorkerAnswer> =>
  new Promise((resolve, reject) => {
    const child = fork(WORKER, args, { execArgv: ['--expose-gc'] });
    child.once('message', (answer) => resolve(answer as WorkerAnswer));
    child.once('exit', (code) => code !== 0 && reject(new Error(`${args[1]} failed in Node`)));
  });

async function inPage(executable: string, folder: string, name: string): Promise<FirstTimes> {
  const scripts = fileURLToPath(new URL('.', import.meta.url));
  const page = { folders: [folder, scripts], script: 'page.js', hash: name };
  const answer = JSON.parse(await inChromium(executable, page));
  if (answer.error !== undefined) throw new Error(`${name} failed in Chromium: ${answer.error}`);
  return answer;
}

/** The median by the time of the first result. */
const middle = (times: ReadonlyArray<FirstTimes>): FirstTimes | undefined =>
  [...times].sort((a, b) => a.firstMs - b.firstMs)[times.length >> 1];

function valuesOf(inputs: Arguments): Readonly<Record<string, InputValues>> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => {
      if (!isTensor(value)) throw new Error(`${name} is no tensor`);
      const { data } = value;
      const type = data.constructor.name as InputValues['type'];
      const values = [...data].map((x) => (typeof x === 'bigint' ? `${x}` : x));
      return [name, { type, values }];
    }),
  );
}
