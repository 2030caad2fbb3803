import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'vitest';
import { decodeModel } from '../src/protobuf/decode-model.ts';

const root = '/work/shared/corpus/onnx/models';
test('dump', () => {
  for (const d of readdirSync(root)) {
    const f = readdirSync(`${root}/${d}`).find((x) => x.endsWith('.onnx'))!;
    const t0 = performance.now();
    const r = decodeModel(readFileSync(`${root}/${d}/${f}`));
    const ms = performance.now() - t0;
    if (r._tag === 'Left') {
      console.log(d, r.left);
      continue;
    }
    const m = r.right;
    const g = m.graph!;
    const c: Record<string, number> = {};
    const attrs: Record<string, Set<string>> = {};
    for (const n of g.nodes) {
      c[n.opType] = (c[n.opType] ?? 0) + 1;
      for (const a of n.attributes)
        (attrs[n.opType] ??= new Set()).add(
          a.name + ':' + JSON.stringify(a.value, (k, v) => (k === 'file' ? undefined : v)),
        );
    }
    console.log(
      d,
      ms,
      'ir',
      m.irVersion,
      JSON.stringify(m.opsetImports),
      g.nodes.length,
      JSON.stringify(c),
    );
    console.log(
      JSON.stringify(g.inputs.slice(0, 4)),
      JSON.stringify(g.outputs),
      g.inputs.length,
      g.initializers.length,
      m.functions.length,
    );
    for (const k of Object.keys(attrs))
      console.log('   ', k, [...attrs[k]!].slice(0, 12).join(' ').slice(0, 900));
    if (d === 'bert-tiny')
      for (const n of g.nodes)
        console.log(n.name, n.opType, n.inputs.join(','), '->', n.outputs.join(','));
    else
      for (const n of g.nodes.filter((n) => n.opType !== 'ConstantOfShape').slice(-12))
        console.log(n.name, n.opType, n.inputs.join(','), '->', n.outputs.join(','));
  }
});
