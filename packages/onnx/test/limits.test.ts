/** Numbers in files ask for room: a few bytes that state terabytes are refused at their node. */
import { isLeft, orThrow } from '@baton/base';
import { exportOnnx, type ImportOptions, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { type GraphParts, graphProto, modelBytes, type TensorParts } from './helpers/encode.ts';
import { ints, one } from './helpers/one.ts';

const HUGE = 2 ** 40;

const scalar = (name: string, value: number): TensorParts => ({ name, dims: [], ints: [value] });
const float = (name: string, value: number): TensorParts => ({ name, dims: [], floats: [value] });

const mel = (bands: number, length: number): GraphParts =>
  one('MelWeightMatrix', {}, {}, [
    scalar('bands', bands),
    scalar('length', length),
    scalar('rate', 8000),
    float('low', 0),
    float('high', 4000),
  ]);

const found = (graph: GraphParts, limits: ImportOptions['limits'] = {}) => {
  const result = importOnnx(modelBytes(graph, 18), { ops: standardOps, limits });
  return isLeft(result) ? result.left : [];
};

describe('S10: an import of huge numbers', () => {
  it.each<readonly [string, GraphParts]>([
    ['mel bands', mel(HUGE, 16)],
    ['mel bands and rows', mel(2 ** 33, 2 ** 33)],
    ['mel rows', mel(4, 2 ** 50)],
    ['mel tables of gigabytes', mel(8, 2 ** 28)],
    ['a transform of a long signal', one('DFT', { x: [1, 2 ** 20, 1] })],
    [
      'places of sequences',
      one(
        'TfIdfVectorizer',
        { x: [4] },
        {
          pool_int64s: { ints: [1] },
          ngram_counts: { ints: [0] },
          ngram_indexes: { ints: [HUGE] },
          max_gram_length: { i: 1 },
          max_skip_count: { i: 0 },
          min_gram_length: { i: 1 },
          mode: { s: 'TF' },
        },
      ),
    ],
    [
      'cells of a region',
      one('RoiAlign', { x: [1, 1, 4, 4], regions: [1, 4] }, { output_height: { i: HUGE } }, [
        ints('batch', [0]),
      ]),
    ],
    [
      'blocks of an image',
      one('Col2Im', { x: [1, 1, 1] }, {}, [ints('image', [HUGE, 1]), ints('block', [HUGE, 1])]),
    ],
    ['parts of an axis', one('SplitToSequence', { x: [HUGE] })],
    ['a shape of many sizes', one('Reshape', { x: [1], shape: [HUGE] })],
  ])('%s, is a diagnostic', (_, graph) => {
    const problems = found(graph);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.filter(({ severity }) => severity === 'bug')).toEqual([]);
  });

  it('windows of a long signal need no table', () => {
    const window = { name: 'window', dims: [2], floats: [1, 1] };
    expect(found(one('STFT', { x: [1, HUGE, 1] }, {}, [scalar('step', 1), window]))).toEqual([]);
  });

  it('names the node, the number and the option to raise', () => {
    const [problem] = found(mel(HUGE, 16));
    expect(problem?.code).toBe('LIMIT');
    expect(problem?.message).toMatch(
      /^a table for `MelWeightMatrix` takes 8796093022224 bytes, more than the limit of \d+$/,
    );
    expect(problem?.hint).toContain('limits.bytes');
    expect(problem?.span).toMatchObject({ op: 'MelWeightMatrix' });
  });

  it('has the room that the options give, to the byte', () => {
    // Six edges, and nine rows of four bands, of eight bytes each.
    const bytes = 8 * (6 + 9 * 4);
    expect(found(mel(4, 16), { bytes })).toEqual([]);
    expect(found(mel(4, 16), { bytes: bytes - 1 }).map(({ code }) => code)).toEqual(['LIMIT']);
  });

  it('stops when its host asks', () => {
    expect(found(mel(4, 16), { shouldStop: () => true }).map(({ code }) => code)).toEqual([
      'LIMIT_TIME',
    ]);
  });
});

const exported = (text: string) => {
  const m = parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps });
  const result = exportOnnx(orThrow(m));
  return isLeft(result) ? result.left : [];
};

describe('S10: an export of huge numbers', () => {
  it.each([
    [
      'one_hot',
      `(%x: Tensor[(0), int32]) { one_hot(%x, 1f, 0f, depth=${HUGE}, axis=-1, dtype="float32") }`,
    ],
    [
      'one_hot',
      `(%x: Tensor[(3), int32]) { one_hot(%x, 1f, 0f, depth=${2 ** 30}, axis=-1, dtype="float32") }`,
    ],
    [
      'sequence_mask',
      `(%x: Tensor[(${2 ** 30}, 1), float32], %n: Tensor[(1), int32]) { sequence_mask(%x, %n) }`,
    ],
    ['invert_permutation', `(%x: Tensor[(${2 ** 30}), int32]) { invert_permutation(%x) }`],
    [
      'sliding_window',
      `(%x: Tensor[(${2 ** 30}), float32]) { sliding_window(%x, axis=0, window_shape=[2], strides=[1]) }`,
    ],
    [
      'nn.mirror_pad',
      `(%x: Tensor[(${2 ** 30}), float32]) { nn.mirror_pad(%x, pad_width=[[1, 1]]) }`,
    ],
  ])('%s, is a diagnostic at the call', (name, main) => {
    const [problem] = exported(`def @main${main}`);
    expect(problem?.code).toBe('LIMIT');
    expect(problem?.message).toContain(`\`${name}\``);
  });
});

it('S11: a loop of 2^62 trips is a small program', () => {
  const body = graphProto({
    nodes: [
      { op: 'Identity', in: ['c'], out: ['c2'] },
      { op: 'Add', in: ['v', 'v'], out: ['v2'] },
      { op: 'Identity', in: ['v2'], out: ['s'] },
    ],
    inputs: [
      { name: 'i', dims: [], type: 7 },
      { name: 'c', dims: [], type: 9 },
      { name: 'v', dims: [1] },
    ],
    outputs: ['c2', 'v2', 's'],
  });
  const graph: GraphParts = {
    nodes: [{ op: 'Loop', in: ['n', '', 'a'], out: ['b', 'y'], attrs: { body: { g: body } } }],
    inputs: [{ name: 'a', dims: [1] }],
    initializers: [{ name: 'n', dims: [], ints: [2n ** 62n] }],
  };
  expect(found(graph)).toEqual([]);
});

it('S11: a Split of 100,000 parts adds their sizes once', () => {
  const count = 100_000;
  const outputs = Array.from({ length: count }, (_, i) => `o${i}`);
  const graph: GraphParts = {
    nodes: [{ op: 'Split', in: ['x'], out: outputs, attrs: { num_outputs: { i: count } } }],
    inputs: [{ name: 'x', dims: [count] }],
    outputs: ['o0', `o${count - 1}`],
  };
  expect(found(graph)).toEqual([]);
});
