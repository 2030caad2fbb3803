/**
 * Measures one operator in this process and prints nanoseconds an element: `worker.js INDEX alone`,
 * or `worker.js INDEX after`: after every elementwise operator that there is has run on several
 * types, and the other cases besides.
 */
import { isLeft } from '@baton/base';
import { evaluateOp, fusionColumn } from '@baton/ops';
import { cast, type DType } from '@baton/tensor';
import { standardOps, tensor } from 'batonjs';
import { KERNEL_CASES } from './cases.ts';

const WARM_UP_RUNS = 10;
const RUNS = 15;

/** Runs until V8 has compiled what it will, and a little more. */
const EARLIER_RUNS = 20;

const EARLIER_TYPES: ReadonlyArray<DType> = ['float32', 'float64', 'int32', 'int64', 'bool'];

const values = tensor(
  Float32Array.from({ length: 4096 }, (_, i) => (i % 7) / 8 + 0.1),
  [4096],
  'float32',
);

function runEveryOperator(): void {
  for (const name of standardOps.names) {
    const fusion = standardOps.read(fusionColumn, name);
    const op = standardOps.get(name);
    const attrs = op?.attrs.decode({});
    // One that asks for attributes is passed over.
    if (op?.inputs === undefined || attrs === undefined || isLeft(attrs)) continue;
    if (fusion !== 'elemwise' && fusion !== 'broadcast') continue;
    for (const dtype of EARLIER_TYPES) {
      const args = op.inputs.map(() => cast(values, dtype));
      for (let run = 0; run < EARLIER_RUNS; run++) {
        // One that is not for this type says so.
        evaluateOp(standardOps, name, attrs.right, args);
      }
    }
  }
  for (const each of KERNEL_CASES) for (let run = 0; run < EARLIER_RUNS; run++) each.run();
}

const [index, mode] = process.argv.slice(2);
const measured = KERNEL_CASES[Number(index)];
if (measured === undefined) throw new Error(`no case ${index}`);
if (mode === 'after') runEveryOperator();
for (let run = 0; run < WARM_UP_RUNS; run++) measured.run();
const times = Array.from({ length: RUNS }, () => {
  // Processor time: what else the machine does is no part of it.
  const start = process.cpuUsage();
  measured.run();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}).sort((a, b) => a - b);
process.stdout.write(`${((times[RUNS >> 1] ?? 0) * 1e3) / measured.elements}\n`);
