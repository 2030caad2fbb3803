/** Shapes of values inside that have names stay stated: runtimes choose kernels by them. */
import { orThrow } from '@baton/base';
import { decodeModel, encodeModel, exportOnnx, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { joinedPieces } from '../src/encode-model.ts';
import type { ValueInfoProto } from '../src/protobuf/messages.ts';

const PROGRAM = `#[version = "0.0.5"]
def @main[n, m](%x: Tensor[(n, 4), float32], %y: Tensor[(m, 4), float32]) {
  (exp(tanh(%x)), nn.relu(mean(%x)), exp(concatenate((%x, %y), axis=0)))
}`;

const FLOAT = 1;
const stated = (name: string, dim: string | number): ValueInfoProto => ({
  name,
  type: { _tag: 'Tensor', elemType: FLOAT, shape: [dim, 4] },
});

describe('shapes of values inside', () => {
  const file = orThrow(exportOnnx(orThrow(parseModule(PROGRAM, { ops: standardOps }))));
  const model = orThrow(decodeModel(file));
  const { graph } = model;
  const first = graph?.nodes[0]?.outputs[0] ?? '';
  const reread = (dim: string | number) => {
    const valueInfos = [stated(first, dim)];
    const changed = joinedPieces(
      encodeModel({ ...model, graph: graph && { ...graph, valueInfos } }),
    );
    const m = orThrow(importOnnx(changed, { ops: standardOps }));
    return (names: 'full' | 'short') =>
      orThrow(decodeModel(orThrow(exportOnnx(m, { names })))).graph?.valueInfos ?? [];
  };

  it('are none where the file has none', () => {
    expect(graph?.valueInfos).toEqual([]);
    expect(reread(2)('full')).toEqual([]);
  });

  it('are those with names for each dimension, and no outputs', () => {
    const found = reread('n')('full');
    expect(found.map(({ type }) => type)).toEqual([stated('', 'n').type]);
    expect(graph?.outputs.map(({ name }) => name)).not.toContain(found[0]?.name);
  });

  it('are left out of a file with short names', () => {
    expect(reread('n')('short')).toEqual([]);
  });
});
