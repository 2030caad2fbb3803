/** How soon emitted modules give their first result, in fresh processes of Node and in Chromium. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { table } from '@baton/base';
import type { Subject } from '@baton/report';
import { isTensor } from '@baton/tensor';
import { type Arguments, orThrow } from 'batonjs';
import { chromiumPath, inChromium } from './chromium.ts';
import { type EmitChoices, emitModule } from './emit.ts';
import type { FirstTimes, InputValues } from './first.ts';

/** An emitted module in figures. */
export interface ModuleTimes {
  readonly name: string;
  /** **Units** bytes, compressed by gzip. */
  readonly codeBytes: number;
  readonly weightBytes: number;
  readonly node: FirstTimes;
  /** Absent where there is no Chromium. */
  readonly chromium?: FirstTimes;
}

/** How often each host starts. */
const TURNS = 5;

const WORKER = fileURLToPath(new URL('worker.js', import.meta.url));

/** Emits a model and measures it: the hosts in turn, each time in a new process. */
export async function measureModule(subject: Subject, choices: EmitChoices): Promise<ModuleTimes> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-module-'));
  try {
    const { inputs, ...sizes } = orThrow(await emitModule(subject, folder, choices));
    writeFileSync(join(folder, 'inputs.json'), JSON.stringify(valuesOf(inputs)));
    const chromium = chromiumPath();
    const times: { node: FirstTimes[]; chromium: FirstTimes[] } = { node: [], chromium: [] };
    for (let turn = 0; turn < TURNS; turn++) {
      times.node.push(await inNode(folder, subject.name));
      if (chromium !== undefined) times.chromium.push(await inPage(chromium, folder, subject.name));
    }
    const [node, page] = [middle(times.node), middle(times.chromium)];
    if (node === undefined) throw new Error('Node ran no module');
    return { ...sizes, node, ...(page && { chromium: page }) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The modules as a table. */
export function moduleTable(modules: ReadonlyArray<ModuleTimes>): string {
  const shown = (times: FirstTimes | undefined): ReadonlyArray<string> =>
    times === undefined
      ? ['', '', '', '']
      : [times.level, ...[times.importMs, times.firstMs, times.nextMs].map((ms) => ms.toFixed(1))];
  const header = ['module', 'code kB', 'weights MB'].concat(
    ...['node', 'chromium'].map((host) => [host, 'import ms', 'first ms', 'next ms']),
  );
  const rows = modules.map(({ name, codeBytes, weightBytes, node, chromium }) => [
    name,
    (codeBytes / 1e3).toFixed(1),
    (weightBytes / 1e6).toFixed(1),
    ...shown(node),
    ...shown(chromium),
  ]);
  return table(header, rows);
}

const inNode = (folder: string, name: string): Promise<FirstTimes> =>
  new Promise((resolve, reject) => {
    const child = fork(WORKER, [join(folder, `${name}.mjs`), join(folder, 'inputs.json')]);
    child.once('message', (times) => resolve(times as FirstTimes));
    child.once('exit', (code) => code !== 0 && reject(new Error(`${name} failed in Node`)));
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
