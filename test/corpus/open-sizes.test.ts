/** A transformer whose batch and sequence stay open: one module for all sizes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allClose } from '@baton/tensor';
import {
  evaluate,
  exportOnnx,
  type IRModule,
  importOnnx,
  optimize,
  orThrow,
  parseModule,
  passes,
  printModule,
  runPass,
  type Tensor,
  tensor,
} from 'batonjs';
import { describe, expect, it } from 'vitest';
import { corpusFolder } from './corpus-folder.ts';

const folder = corpusFolder();

const SIGNATURE = /@main\[batch: ShapeVar, seq: ShapeVar\]\(%input_ids: Tensor\[\(batch, seq\)/;

describe.runIf(folder !== undefined)('bert-tiny with open sizes', () => {
  const root = join(folder ?? '', 'models', 'bert-tiny');
  const load = (dims: Readonly<Record<string, number>>): IRModule => {
    const file = readdirSync(root).find((name) => name.endsWith('.onnx')) ?? '';
    return orThrow(importOnnx(new Uint8Array(readFileSync(join(root, file))), { dims }));
  };
  const resultsOf = (m: IRModule, batch: number, seq: number): ReadonlyArray<Tensor> => {
    const places = Array.from({ length: batch * seq }, (_, i) => i);
    const inputs = {
      input_ids: tensor(
        places.map((i) => (i * 37) % 256),
        [batch, seq],
        'int64',
      ),
      attention_mask: tensor(
        places.map((i) => Number(i % seq < seq - 2)),
        [batch, seq],
        'int64',
      ),
    };
    const value = orThrow(evaluate(m, inputs));
    const fields = value._tag === 'Tuple' ? value.fields : [value];
    return fields.filter((field) => field._tag === 'Tensor');
  };

  it('keeps its names through optimization, text and a file, and computes the same', () => {
    const open = load({});
    const optimized = orThrow(runPass(optimize({ level: 3 }))(open)).module;
    const fused = orThrow(runPass(passes.fuseOps, { level: 3 })(optimized)).module;
    const text = printModule(optimized, { showTypes: false });
    const again = orThrow(importOnnx(orThrow(exportOnnx(optimized)), {}));
    for (const m of [open, optimized, again]) expect(printModule(m)).toMatch(SIGNATURE);
    expect(printModule(orThrow(parseModule(text)), { showTypes: false })).toBe(text);
    for (const [batch, seq] of [
      [1, 4],
      [2, 16],
      [3, 7],
    ] as const) {
      const wanted = resultsOf(load({ batch, seq }), batch, seq);
      for (const m of [open, fused, again]) {
        const found = resultsOf(m, batch, seq);
        const agrees = wanted.map((value, i) => {
          const other = found[i];
          return other !== undefined && allClose(other, value, { atol: 1e-5, rtol: 1e-3 });
        });
        expect(agrees).toEqual([true, true]);
      }
    }
  });
});
