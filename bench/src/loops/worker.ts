/**
 * Measures one operator in this process and prints nanoseconds per element. The command line is
 * `worker.js INDEX alone`, or `worker.js INDEX after`, which first runs every elementwise operator
 * on several types, and the other cases.
 */
import { isLeft } from '@baton/base';
import { evaluateOp, fusionColumn } from '@baton/ops';
import { cast, type DType } from '@baton/tensor';
import { standardOps, tensor } from 'batonjs';
import { KERNEL_CASES } from './cases.ts';

const WARM_UP_RUNS = 10;
const RUNS = 15;

/** The runs until V8 has finished compiling, with a margin. */
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
    // Operators with required attributes are skipped.
    if (op?.inputs === undefined || attrs === undefined || isLeft(attrs)) continue;
    if (fusion !== 'elemwise' && fusion !== 'broadcast') continue;
    for (const dtype of EARLIER_TYPES) {
      const args = op.inputs.map(() => cast(values, dtype));
      for (let run = 0; run < EARLIER_RUNS; run++) {
        // An operator that does not accept the type fails.
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
  // Processor time excludes other processes.
  const start = process.cpuUsage();
  measured.run();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}).sort((a, b) => a - b);
process.stdout.write(`${((times[RUNS >> 1] ?? 0) * 1e3) / measured.elements}\n`);
