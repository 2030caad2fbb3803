/** Files with short names: fewer bytes, the same inputs, outputs and weights, the same results. */
import { orThrow } from '@baton/base';
import { decodeModel, exportOnnx, type GraphProto, importOnnx, type NodeProto } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { allClose, fromNumbers } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { mainOf } from './helpers/import.ts';
import { run } from './helpers/run.ts';

const PROGRAM = `#[version = "0.0.5"]
def @main(%x0: Tensor[(3), float32], %flag: bool) {
  let %gain = tanh(%x0);
  %1 = exp(%gain) * full(2f, shape=[3], dtype="float32");
  if (%flag) { (sigmoid(%1) + %gain) * %1 } else { %1 - %gain }
}`;

const graphsIn = (node: NodeProto): ReadonlyArray<GraphProto> =>
  node.attributes.flatMap(({ value }) => (value.kind === 'graph' ? [value.value] : []));

describe('short names', () => {
  const m = orThrow(parseModule(PROGRAM, { ops: standardOps }));
  const [full, short] = (['full', 'short'] as const).map((names) =>
    orThrow(exportOnnx(m, { names })),
  );
  const graphs = [full, short].map((file = new Uint8Array()) => orThrow(decodeModel(file)).graph);

  it('make the file smaller, and keep the names that callers use', () => {
    expect(short?.length).toBeLessThan(full?.length ?? 0);
    const borders = graphs.map((graph) => [
      graph?.inputs.map(({ name }) => name),
      graph?.outputs.map(({ name }) => name),
      graph?.initializers.map(({ name }) => name),
    ]);
    expect(borders[1]).toEqual(borders[0]);
  });

  it('name each value once, those of inner graphs included, and no node', () => {
    const outer = graphs[1];
    const nodes = outer?.nodes ?? [];
    const inner = nodes.flatMap(graphsIn).flatMap((graph) => graph.nodes);
    const all = [...nodes, ...inner];
    expect(inner.length).toBeGreaterThan(1);
    expect(all.map(({ name, docString = '' }) => name + docString).join('')).toBe('');
    const values = [
      ...all.flatMap(({ outputs }) => outputs),
      ...(outer?.inputs.map(({ name }) => name) ?? []),
    ];
    expect(new Set(values).size).toBe(values.length);
  });

  it('compute the same', () => {
    const file = short ?? new Uint8Array();
    const again = orThrow(importOnnx(file, { ops: standardOps }));
    for (const flag of [0, 1]) {
      const inputs = [
        fromNumbers(Float64Array.of(0.5, -1, 2), [3], 'float32'),
        fromNumbers(Float64Array.of(flag), [], 'bool'),
      ];
      const [wanted, found] = [m, again].map((one) => run(mainOf(one), inputs));
      const [a, b] = [wanted?.[0], found?.[0]];
      expect(a !== undefined && b !== undefined && allClose(a, b, { atol: 0, rtol: 0 })).toBe(true);
    }
  });

  it('are refused if they are neither full nor short', () => {
    const found = exportOnnx(m, { names: 'long' as 'short' });
    expect(found).toMatchObject({ left: [{ code: 'OPTION_TYPE' }] });
  });
});
