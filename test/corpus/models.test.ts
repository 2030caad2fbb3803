import { join } from 'node:path';
import {
  allClose,
  evaluate,
  type IRModule,
  measureModule,
  optimize,
  orThrow,
  postOrderExprs,
  reshapeView,
  runPass,
  spanLeaves,
  type Tensor,
} from 'baton';
import { describe, expect, it } from 'vitest';
import { corpusSubjects } from '../../bench/src/subjects/corpus.ts';
import { corpusFolder } from './corpus-folder.ts';

/** Nodes after level 3, as ONNX Runtime's basic level leaves them. */
const NODES: ReadonlyArray<readonly [name: string, nodes: number]> = [
  ['squeezenet', 65],
  ['resnet50', 123],
];

const folder = corpusFolder();

if (folder === undefined) {
  it('has no corpus to read: real models are passed over', () => {
    console.log('no ONNX corpus: set BATON_CORPUS to its folder to test real models');
    expect(process.env.BATON_CORPUS).toBeUndefined();
  });
} else {
  describe.each(NODES)('%s', (name, nodes) => {
    const load = async () => {
      const subjects = await corpusSubjects(join(folder, 'models'));
      const subject = subjects.find((s) => s.name === name);
      if (subject?.expected === undefined) throw new Error(`${name} is not in the corpus`);
      const { module, inputs } = orThrow(await subject.load());
      const { output, tolerance } = await subject.expected();
      const agrees = (m: IRModule): boolean => {
        const found = orThrow(evaluate(m, inputs)) as Tensor;
        return allClose(reshapeView(found, output.shape), output, tolerance);
      };
      const optimized = orThrow(runPass(optimize({ level: 3 }))(module)).module;
      return { module, optimized, agrees };
    };

    it('computes what is expected, shrinks, and every node names where it came from', async () => {
      const { module, optimized, agrees } = await load();
      expect(agrees(module)).toBe(true);
      expect(agrees(optimized)).toBe(true);
      const measured = measureModule(optimized);
      expect(measured.nodes).toBeLessThanOrEqual(nodes);
      expect(measured.byOp['nn.batch_norm']).toBeUndefined();
      const anonymous = postOrderExprs([...optimized.functions.values()])
        .filter((e) => e._tag === 'Call' || e._tag === 'Constant' || e._tag === 'TupleGetItem')
        .filter((e) => !spanLeaves(e.span).some((leaf) => leaf._tag === 'NodeSpan'))
        .map((e) => e._tag);
      expect(anonymous).toEqual([]);
    });
  });
}
