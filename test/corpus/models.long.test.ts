import { join } from 'node:path';
import { spanLeaves } from '@baton/base';
import { allClose, reshapeView } from '@baton/tensor';
import {
  evaluate,
  type IRModule,
  inferTypes,
  measureModule,
  optimize,
  orThrow,
  passes,
  postOrderExprs,
  rewrites,
  runPass,
  saturate,
  sequential,
} from 'batonjs';
import { describe, expect, it } from 'vitest';
import { corpusSubjects } from '../../bench/src/subjects/corpus.ts';
import { moreThanLevel3, worse } from '../models/costs.ts';
import { corpusFolder } from './corpus-folder.ts';

/**
 * The most nodes after level 3, as after ONNX Runtime's basic level or fewer, the kernels of TVM's
 * fusion, and those after rules that recognise and merge where movements join products.
 */
const SIZES: ReadonlyArray<readonly [string, nodes: number, kernels: number, least: number]> = [
  ['bert-tiny', 125, 72, 27],
  ['bvlc_alexnet', 22, 15, 14],
  ['densenet121', 429, 246, 184],
  ['inception_v1', 142, 85, 57],
  ['resnet50', 123, 58, 57],
  ['squeezenet', 65, 39, 31],
];

const { kernelCount, normalizations, commonSets } = rewrites;

const searched = sequential(
  [
    optimize({ level: 2 }),
    saturate(
      commonSets.filter((set) => set !== normalizations),
      { cost: kernelCount },
    ),
    optimize({ level: 3 }),
    passes.fuseOps({ movements: true }),
  ],
  { name: 'search and fuse' },
);

const folder = corpusFolder();

if (folder === undefined) {
  it('has no corpus to read: real models are passed over', () => {
    console.log('no ONNX corpus: set BATON_CORPUS to its folder to test real models');
    expect(process.env.BATON_CORPUS).toBeUndefined();
  });
} else {
  describe.each(SIZES)('%s', (name, nodes, kernels, least) => {
    const load = async () => {
      const subjects = await corpusSubjects(join(folder, 'models'));
      const subject = subjects.find((s) => s.name === name);
      if (subject?.expected === undefined) throw new Error(`${name} is not in the corpus`);
      const { module, inputs } = orThrow(await subject.load());
      const { output, tolerance } = await subject.expected();
      const agrees = (m: IRModule): boolean => {
        const value = orThrow(evaluate(m, inputs));
        const first = value._tag === 'Tuple' ? value.fields[0] : value;
        if (first?._tag !== 'Tensor') throw new Error(`${name} computes no tensor`);
        return allClose(reshapeView(first, output.shape), output, tolerance);
      };
      const optimized = orThrow(runPass(optimize({ level: 3 }))(module)).module;
      const fused = orThrow(runPass(passes.fuseOps, { level: 3 })(optimized)).module;
      return { module, optimized, fused, agrees };
    };

    it('computes the expected output, shrinks, and every node names its origin', async () => {
      const { module, optimized, fused, agrees } = await load();
      expect(agrees(module)).toBe(true);
      expect(agrees(fused)).toBe(true);
      const measured = measureModule(optimized);
      expect(measured.nodes).toBeLessThanOrEqual(nodes);
      expect(measureModule(fused).kernels).toBeLessThanOrEqual(kernels);
      // U.14: no level makes the model do more than the original with its types.
      const typed = orThrow(inferTypes(module));
      expect(worse(typed)).toEqual([]);
      expect(moreThanLevel3(typed)).toEqual([]);
      expect(measured.byOp['nn.batch_norm']).toBeUndefined();
      if (name === 'densenet121') expect(measured.byOp.multiply).toBeUndefined();
      const nodesLeft = postOrderExprs([...optimized.functions.values()]);
      const constantCalls = nodesLeft.filter(
        (e) => e._tag === 'Call' && e.args.length > 0 && e.args.every((a) => a._tag === 'Constant'),
      );
      expect(constantCalls.map((e) => e._tag)).toEqual([]);
      const anonymous = nodesLeft
        .filter((e) => e._tag === 'Call' || e._tag === 'Constant' || e._tag === 'TupleGetItem')
        .filter((e) => !spanLeaves(e.span).some((leaf) => leaf._tag === 'NodeSpan'))
        .map((e) => e._tag);
      expect(anonymous).toEqual([]);
    });

    it('has few kernels after a search, which compute the expected output', async () => {
      const { module, agrees } = await load();
      const after = orThrow(runPass(searched)(module)).module;
      const { kernels: left, byOp } = measureModule(after);
      expect(left).toBeLessThanOrEqual(least);
      // Queries, keys and values of each of the two layers are one product, of six.
      if (name === 'bert-tiny') expect(byOp['nn.matmul']).toBe(2 * (1 + 3));
      expect(agrees(after)).toBe(true);
    });
  });
}
