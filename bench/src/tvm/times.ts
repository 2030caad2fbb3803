/** The times of Baton and TVM to optimize the same networks, and the sizes of the results. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '@baton/base';
import {
  type IRModule,
  inferTypes,
  measureModule,
  models,
  optimize,
  orThrow,
  parseModule,
  passes,
  printModule,
  runPass,
  sequential,
} from 'batonjs';
import { askTvm } from './ask.ts';

const NETWORKS: ReadonlyArray<readonly [string, () => IRModule]> = [
  ['mlp', () => models.mlp()],
  ['lstm', () => models.lstm()],
  ['squeezenet', () => models.squeezenet()],
  ['mobilenet_v2', () => models.mobilenetV2()],
  ['resnet18', () => models.resnet18()],
];

/** The times of one side, in seconds of processor time. */
interface Times {
  readonly name: string;
  readonly read: number;
  readonly optimize: number;
  readonly kernels: number;
}

/** A table of both sides, which read each network from the same text. */
export function compareTimes(relay: string, folder: string): string {
  const ours = NETWORKS.map(([name, make]): Times => {
    const text = printModule(make(), { dialect: 'tvm', showTypes: false });
    writeFileSync(join(folder, `${name}.relay`), text);
    return timesOf(name, text);
  });
  const theirs = askTvm<Times>(relay, 'optimize.py', folder);
  const rows = ours.map((a) => {
    const b = theirs.find((one) => one.name === a.name);
    const both = (x: number | undefined, y: number | undefined): ReadonlyArray<string> => [
      x === undefined ? '' : x.toFixed(2),
      y === undefined ? '' : y.toFixed(2),
    ];
    return [
      a.name,
      ...both(a.read, b?.read),
      ...both(a.optimize, b?.optimize),
      String(a.kernels),
      String(b?.kernels ?? ''),
    ];
  });
  const header = ['network', 'read', 'TVM', 'optimize', 'TVM', 'kernels', 'TVM'];
  return `${table(header, rows)}\n\nSeconds of processor time.`;
}

function timesOf(name: string, text: string): Times {
  const start = seconds();
  const m = orThrow(inferTypes(orThrow(parseModule(text))));
  const read = seconds();
  const pipeline = sequential([optimize({ level: 3 }), passes.fuseOps]);
  const { module } = orThrow(runPass(pipeline)(m));
  const done = seconds();
  const { kernels } = measureModule(module);
  return { name, read: read - start, optimize: done - read, kernels };
}

function seconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
