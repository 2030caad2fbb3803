// Reads an ONNX file, optimizes it, shows that it still computes the same, and runs it.
import { readFile } from 'node:fs/promises';
import {
  checkEquivalent,
  evaluate,
  importOnnx,
  measureModule,
  optimize,
  orThrow,
  passesRun,
  printModule,
  runPass,
  toData,
} from 'batonjs';

const file = process.argv[2] ?? new URL('model.onnx', import.meta.url);
const model = orThrow(importOnnx(await readFile(file)));
console.log(printModule(model, { meta: 'omit', showTypes: false }));

const { module, report } = orThrow(runPass(optimize({ level: 3 }))(model));
console.log(printModule(module, { meta: 'omit', showTypes: false }));

for (const { name, changed } of passesRun(report)) if (changed) console.log(`${name} changed it`);
console.log(`${measureModule(model).nodes} nodes before, ${measureModule(module).nodes} after`);
console.log(orThrow(checkEquivalent(model, module)).verdict);

if (process.argv[2] === undefined) {
  const image = [
    [
      [
        [1, 2, 3],
        [4, 5, 6],
        [7, 8, 9],
      ],
    ],
  ];
  console.log(JSON.stringify(toData(orThrow(evaluate(module, { image })))));
}
