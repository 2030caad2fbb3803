/** `optimize` writes no file that is larger than the model's, unless requested. */
import { decodeModel, encodeModel } from '@baton/onnx';
import { exportOnnx, orThrow, parseModule, rewrites } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { modelBytes } from '../../onnx/test/helpers/encode.ts';
import { EXIT } from '../src/exit-codes.ts';
import { baton } from './memory-host.ts';

const original = orThrow(
  exportOnnx(
    orThrow(
      parseModule('#[version = "0.0.5"]\ndef @main(%x: Tensor[(4), float32]) { floor(%x + 0.5f) }'),
    ),
  ),
);

/** One call instead of two, which ONNX writes as more nodes. */
const grows = rewrites.ruleSet('grows', rewrites.rule('half up', 'floor(?x + 0.5f)', 'round(?x)'));

const files = { 'm.onnx': original, '-': original };
const parts = { modules: { 'grows.mjs': { grows } } };
const command = ['optimize', 'm.onnx', '-o', 'o.onnx'];

const typesIn = (file: Uint8Array | undefined) =>
  file && orThrow(decodeModel(file)).graph?.nodes.map(({ opType }) => opType);

describe('a file that would grow', () => {
  it('is one of less work, which the command tells', async () => {
    const {
      code,
      log,
      out,
      files: made,
    } = await baton([...command, '--rules', 'grows.mjs'], files, parts);
    expect(code).toBe(EXIT.ok);
    expect(typesIn(made.get('o.onnx'))).toEqual(['Add', 'Floor']);
    expect(log).toMatch(/only level 3 was applied, without rules: .* nodes of 2, /);
    expect(log).toContain('--allow-growth writes it');
    expect(out).toMatch(/^nodes of the file +2 +2 *$/m);
  });

  it('is written for those who want it, and told in the figures', async () => {
    const argv = [...command, '--rules', 'grows.mjs', '--allow-growth', '--json'];
    const { out, log, files: made } = await baton(argv, files, parts);
    const types = typesIn(made.get('o.onnx'));
    expect(types?.length).toBeGreaterThan(2);
    expect(log).toBe('');
    expect(JSON.parse(out).file).toMatchObject({
      before: { nodes: 2, bytes: original.length },
      after: { nodes: types?.length, bytes: made.get('o.onnx')?.length },
    });
  });

  it('has short names where those alone make it larger', async () => {
    const sums = 'def @main(%x: Tensor[(4), float32]) { floor(%x + 0.5f + 0.25f) }';
    const file = orThrow(exportOnnx(orThrow(parseModule(`#[version = "0.0.5"]\n${sums}`))));
    const { graph, ...rest } = orThrow(decodeModel(file));
    // A node of two origins states both, with the name of the file.
    const nodes = graph?.nodes.map((node, i) => ({ ...node, name: 'abc'[i] ?? '' })) ?? [];
    const model = { ...rest, graph: graph && { ...graph, nodes } };
    const bytes = new Uint8Array([...encodeModel(model)].flatMap((piece) => [...piece]));
    const path = `${'long'.repeat(60)}.onnx`;
    const argv = ['optimize', path, '-o', 'o.onnx'];
    const { log, files: made } = await baton(argv, { [path]: bytes });
    const written = orThrow(decodeModel(made.get('o.onnx') ?? bytes)).graph?.nodes;
    expect(written?.map(({ opType, name }) => opType + name)).toEqual(['Add', 'Floor']);
    expect(made.get('o.onnx')?.length).toBeLessThanOrEqual(bytes.length);
    expect(log).toMatch(/nodes and values have short names: .* 2 nodes of 3, /);
  });

  it('takes no longer by the estimate, in fewer nodes', async () => {
    const program = `#[version = "0.0.5"]
      def @main(%x: Tensor[(400, 40), float32]) {
        exp(exp(strided_slice(%x, begin=[0], end=[1], axes=[0]))) }`;
    const bytes = orThrow(exportOnnx(orThrow(parseModule(program))));
    // A wrong rule, which nothing checks here.
    const late = rewrites.ruleSet(
      'late',
      rewrites.rule(
        'the whole first',
        'exp(exp(strided_slice(?x, begin=[0], end=[1], axes=[0])))',
        'strided_slice(exp(?x), begin=[0], end=[1], axes=[0])',
      ),
    );
    const sources = { modules: { 'late.mjs': { late } } };
    const given = { 'm.onnx': bytes };
    const {
      log,
      out,
      files: made,
    } = await baton([...command, '--rules', 'late.mjs'], given, sources);
    expect(typesIn(made.get('o.onnx'))).toEqual(['Slice', 'Exp', 'Exp']);
    expect(log).toContain('by an estimate takes longer');
    expect(out).toMatch(/^estimated time +0\.\d+ ms +0\.\d+ ms *$/m);
    const all = await baton(
      [...command, '--rules', 'late.mjs', '--allow-growth', '--json'],
      given,
      sources,
    );
    expect(typesIn(all.files.get('o.onnx'))).toEqual(['Exp', 'Slice']);
    const { before, after } = JSON.parse(all.out).file;
    expect(after.seconds).toBeGreaterThan(before.seconds);
  });

  it('is the model as it came where nothing less fits', async () => {
    // Files of Baton state their producer.
    const { producer: _, graph, ...model } = orThrow(decodeModel(original));
    const nodes = graph?.nodes.map((node) => ({ ...node, name: '', docString: '' })) ?? [];
    const bare = { ...model, graph: graph && { ...graph, name: '', nodes } };
    const short = new Uint8Array([...encodeModel(bare)].flatMap((piece) => [...piece]));
    // A longer header is not reported.
    const { log, files: made } = await baton(command, { 'm.onnx': short });
    expect([made.get('o.onnx'), log]).toEqual([short, '']);
    const all = [...command, '--rules', 'grows.mjs'];
    const told = await baton(all, { 'm.onnx': short }, parts);
    expect(told.files.get('o.onnx')).toEqual(short);
    expect(told.log).toContain('the model is unchanged');
    const sized = await baton([...all, '--opset', '20'], { 'm.onnx': short }, parts);
    expect(sized.log).toContain('the file has grown');
    expect(typesIn(sized.files.get('o.onnx'))).not.toEqual(['Add', 'Floor']);
  });

  it('tells what the import left out once, though it is read several times', async () => {
    // Nodes out of order, whose number the rule increases.
    const open = modelBytes(
      {
        nodes: [
          { op: 'Floor', in: ['a'] },
          { op: 'Add', in: ['x', 'h'], out: ['a'] },
        ],
        inputs: [{ name: 'x', dims: [4] }],
        initializers: [{ name: 'h', dims: [], floats: [0.5] }],
      },
      17,
    );
    const all = [...command, '--rules', 'grows.mjs'];
    const { log } = await baton(all, { 'm.onnx': open }, parts);
    expect(log).toMatch(/the model is unchanged|only level/);
    expect(log.match(/warning\[ONNX_ORDER\]/g)).toHaveLength(1);
  });

  it('may come through a pipe', async () => {
    const argv = ['optimize', '-', '-o', 'o.onnx', '--rules', 'grows.mjs'];
    const { files: made } = await baton(argv, files, parts);
    expect(typesIn(made.get('o.onnx'))).toEqual(['Add', 'Floor']);
  });
});

describe('--target', () => {
  const gelu = modelBytes({
    nodes: [{ op: 'QuickGelu', in: ['x'], out: ['y'], domain: 'com.microsoft' }],
    inputs: [{ name: 'x', dims: ['n', 4] }],
    outputs: [{ name: 'y', dims: ['n', 4] }],
  });
  const given = { 'm.onnx': gelu };

  it('onnx has no operators of other domains, which take more nodes', async () => {
    const { code, files: made } = await baton([...command, '--target', 'onnx'], given);
    expect([code, typesIn(made.get('o.onnx'))]).toEqual([EXIT.ok, ['Mul', 'Sigmoid', 'Mul']]);
  });

  it('onnxruntime, the default, keeps them', async () => {
    for (const more of [[], ['--target', 'onnxruntime']]) {
      const { files: made } = await baton([...command, ...more], given);
      expect(typesIn(made.get('o.onnx'))).toEqual(['QuickGelu']);
    }
  });

  it('is one of the two', async () => {
    const { code, log } = await baton([...command, '--target', 'tensorrt'], given);
    expect([code, log]).toEqual([
      EXIT.usage,
      expect.stringContaining('--target expects onnxruntime|onnx, found tensorrt'),
    ]);
  });
});
