/** The commands on files in memory: results, messages, exit codes. */
import { func, irModule, tensorType, variable } from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { toNumbers } from '@baton/tensor';
import { readNpy, writeNpy } from '@baton/tensor/npy';
import {
  evaluate,
  exportOnnx,
  importOnnx,
  models,
  ok,
  orThrow,
  parseModule,
  pass,
  type Tensor,
  tensor,
} from 'batonjs';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { EXIT } from '../src/exit-codes.ts';
import type { NewFile, RunModel } from '../src/host.ts';
import { baton } from './memory-host.ts';

const RELAY = `#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) {
  let %scale = 1f + 1f;
  nn.relu(%x) * %scale + zeros_like(%x)
}
`;

const OTHER = RELAY.replace('1f + 1f', '1f + 2f');

const onnx = orThrow(exportOnnx(models.mlp({ hidden: [8], inputs: 4, classes: 2 })));

it('tells its version, as files that it writes do', async () => {
  const { code, out } = await baton(['--version'], {});
  expect([code, out.trim()]).toEqual([EXIT.ok, manifest.version]);
  expect(new TextDecoder().decode(onnx)).toContain(`baton\x1a\x05${manifest.version}`);
});

describe('optimize', () => {
  it('writes Relay text, and tells the figures', async () => {
    const { code, out, text } = await baton(['optimize', 'in.relay', '-o', 'out.relay'], {
      'in.relay': RELAY,
    });
    expect(code).toBe(EXIT.ok);
    expect(text('out.relay')).toContain('multiply(%0, 2f)');
    expect(out).toMatch(/^nodes +5 +2 +-60\.0 %$/m);
    expect(out).toContain('out.relay is written');
  });

  it('reads and writes ONNX, with weights inside or beside it', async () => {
    const inside = await baton(['optimize', 'm.onnx', '-o', 'out.onnx', '--json'], {
      'm.onnx': onnx,
    });
    expect(inside.code).toBe(EXIT.ok);
    expect(JSON.parse(inside.out)).toMatchObject({
      schema: 'baton.optimize/1',
      output: 'out.onnx',
      leftOut: [],
    });
    const source = inside.files.get('out.onnx') ?? new Uint8Array();
    expect(importOnnx(source)._tag).toBe('Right');
    const large = orThrow(exportOnnx(models.mlp({ hidden: [64], inputs: 32, classes: 2 })));
    const argv = ['optimize', 'm.onnx', '-o', 'dir/out.onnx', '--external-data'];
    const beside = await baton(argv, { 'm.onnx': large });
    expect([...beside.files.keys()]).toEqual(['m.onnx', 'dir/out.onnx.data', 'dir/out.onnx']);
    expect(beside.files.get('dir/out.onnx')?.length).toBeLessThan(4096);
    const files = { 'a.onnx': large, 'b.onnx': beside.files.get('dir/out.onnx') ?? '' };
    const data = { 'out.onnx.data': beside.files.get('dir/out.onnx.data') ?? '' };
    expect((await baton(['diff', 'a.onnx', 'b.onnx'], { ...files, ...data })).code).toBe(EXIT.ok);
  });

  it('prints the model on `-`, and the figures as messages', async () => {
    const { code, out, log, files } = await baton(['optimize', '-', '-o', '-'], { '-': onnx });
    expect([code, out]).toEqual([EXIT.ok, '']);
    expect(log).toContain('standard input is written');
    expect(importOnnx(files.get('-') ?? new Uint8Array())._tag).toBe('Right');
  });

  it.each([
    ['none', /multiply/],
    ['common', /multiply/],
    ['arithmetic', /multiply/],
  ])('takes the rules %s', async (rules, expected) => {
    const argv = ['optimize', 'in.relay', '-o', 'out.relay', '--rules', rules];
    const { code, text } = await baton(argv, { 'in.relay': RELAY });
    expect([code, text('out.relay')]).toEqual([EXIT.ok, expect.stringMatching(expected)]);
  });

  it('searches', async () => {
    const argv = ['optimize', 'in.relay', '-o', 'out.relay', '--search'];
    const { code, text } = await baton(argv, { 'in.relay': RELAY });
    expect([code, text('out.relay')]).toEqual([EXIT.ok, expect.stringContaining('2f')]);
  });

  it('verifies, and writes a page', async () => {
    const argv = ['optimize', 'in.relay', '-o', 'out.json', '--verify', '--report', 'r.html'];
    const { code, text } = await baton(argv, { 'in.relay': RELAY });
    expect(code).toBe(EXIT.ok);
    expect(text('r.html')).toContain('<title>Baton');
    expect(JSON.parse(text('out.json'))).toBeTypeOf('object');
  });
});

describe('X9: the file that is written is the model', () => {
  const runtime = (
    wrong: (outputs: ReadonlyMap<string, Tensor>) => ReadonlyMap<string, Tensor>,
  ) => {
    let runs = 0;
    const runModel: RunModel = async (model, inputs) => {
      const source = typeof model === 'string' ? onnx : bytesOf(model.at(-1));
      const m = orThrow(importOnnx(source));
      const value = orThrow(evaluate(m, [...inputs.values()]));
      const outputs = new Map(value._tag === 'Tensor' ? [['output', value]] : []);
      return ok(runs++ === 0 ? outputs : wrong(outputs));
    };
    return runModel;
  };
  const bytesOf = (file: NewFile | undefined): Uint8Array =>
    new Uint8Array([...(file?.pieces ?? [])].flatMap((p) => (typeof p === 'string' ? [] : [...p])));
  const argv = ['optimize', 'm.onnx', '-o', 'out.onnx', '--verify-with', 'onnxruntime'];
  const files = { 'm.onnx': onnx };

  it('in onnxruntime too', async () => {
    const same = await baton(argv, files, { runtime: runtime((outputs) => outputs) });
    expect([same.code, same.files.has('out.onnx')]).toEqual([EXIT.ok, true]);
  });

  it.each<[string, Parameters<typeof runtime>[0], string]>([
    ['value', (all) => new Map([...all].map(([name, t]) => [name, wider(t)])), 'in place of'],
    ['name', (all) => new Map([...all].map(([name, t]) => [`${name}_1`, t])), 'output_1'],
    ['number', () => new Map(), 'in place of output'],
  ])('and no file is left if an output has another %s there', async (_, wrong, message) => {
    const other = await baton(argv, files, { runtime: runtime(wrong) });
    expect([other.code, other.files.has('out.onnx')]).toEqual([EXIT.findings, false]);
    expect(other.log).toContain(message);
    const found = await baton(['diff', 'm.onnx', 'm.onnx', '--with', 'onnxruntime'], files, {
      runtime: runtime(wrong),
    });
    expect([found.code, found.out]).toEqual([EXIT.findings, expect.stringContaining(message)]);
  });

  const wider = (t: Tensor): Tensor =>
    tensor(
      [...toNumbers(t)].map((x) => x + 1),
      t.shape,
      t.dtype,
    );

  it('asks for the package, and knows no other runtime', async () => {
    const missing = await baton(argv, files);
    expect([missing.code, missing.files.has('out.onnx')]).toEqual([EXIT.input, false]);
    expect(missing.log).toContain('onnxruntime-node is not found');
    const unknown = await baton([...argv.slice(0, -1), 'tvm'], files);
    expect(unknown.code).toBe(EXIT.usage);
  });

  it('by its names and types, which diff tells', async () => {
    const named = RELAY.replace('float32])', 'float32], output_tensor_names=["y"])');
    const { code, out } = await baton(['diff', 'a.relay', 'b.relay'], {
      'a.relay': named,
      'b.relay': named.replace('"y"', '"y_1"'),
    });
    expect(code).toBe(EXIT.ok);
    expect(out).toContain('the file has the output y_1, and the model has the output y');
  });
});

describe('passes of the settings that fail', () => {
  const wrong = pass({ name: 'Wrong', doc: '', level: 0, run: () => parseModule(OTHER) });
  const broken = pass({
    name: 'Broken',
    doc: '',
    level: 0,
    run: () => {
      throw new Error('out of order');
    },
  });
  const argv = ['optimize', 'in.relay', '-o', 'out.relay'];
  const files = { 'in.relay': RELAY };

  it('end the command: 70 for a pass that throws, 1 for another result', async () => {
    const thrown = await baton(argv, files, { config: { passes: [broken] } });
    expect([thrown.code, thrown.files.has('out.relay')]).toEqual([EXIT.internal, false]);
    expect(thrown.log).toContain('pass Broken threw: out of order');
    const different = await baton([...argv, '--verify'], files, { config: { passes: [wrong] } });
    expect([different.code, different.files.has('out.relay')]).toEqual([EXIT.findings, false]);
    expect(different.log).toContain('pass Wrong changed what the program computes');
  });

  it('are left out with --keep-going, and named', async () => {
    const config = { passes: [broken, wrong], 'keep-going': true, verify: true };
    const { code, log, text } = await baton(argv, files, { config });
    expect(code).toBe(EXIT.findings);
    expect(log).toContain('the pass Broken is left out');
    expect(log).toContain('the pass Wrong is left out');
    expect(text('out.relay')).toContain('multiply(%0, 2f)');
  });
});

describe('inspect', () => {
  it('prints the parts of a model, or the same as JSON', async () => {
    const { out } = await baton(['inspect', 'in.relay'], { 'in.relay': RELAY });
    expect(out).toMatch(/^input x +Tensor\[\(2, 3\), float32\]$/m);
    expect(out).toMatch(/^ {2}add +2$/m);
    const { out: json } = await baton(['inspect', 'in.relay', '--json'], { 'in.relay': RELAY });
    expect(JSON.parse(json)).toMatchObject({ schema: 'baton.inspect/1', nodes: 5 });
  });

  it('shows names that control a terminal as their escapes', async () => {
    const name = 'x\u001b[31m\u0007\u009b2J\u202egnp.exe';
    const x = variable(name, tensorType([2], 'float32'));
    const main = func([x], callOp(standardOps, 'nn.relu', [x]));
    const m = irModule({ ops: standardOps, functions: new Map([['main', main]]) });
    const files = { 'm.onnx': orThrow(exportOnnx(m)) };
    const { out } = await baton(['inspect', 'm.onnx'], files);
    expect(out).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_C}/u);
    expect(out).toContain('x\\u001b[31m\\u0007\\u009b2J\\u202egnp.exe');
    const { out: json } = await baton(['inspect', 'm.onnx', '--json'], files);
    expect(json).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_C}/u);
    expect(Object.keys(JSON.parse(json).inputs)).toEqual([name]);
    const { log } = await baton(['run', 'm.onnx'], files);
    expect(log).toContain('no value is given for the input');
    expect(log).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_C}/u);
  });
});

describe('run', () => {
  const x = tensor([1, -2, 3, -4, 5, -6], [2, 3], 'float32');
  const expected = [
    [2, 0, 6],
    [0, 10, 0],
  ];
  const input = { 'x.json': '[[1, -2, 3], [-4, 5, -6]]', 'x.npy': writeNpy(x) };

  it.each(['x=x.json', 'x=x.npy', 'x.npy', 'x=[[1, -2, 3], [-4, 5, -6]]'])(
    'takes --input %s',
    async (given) => {
      const argv = ['run', 'in.relay', '--input', given];
      const { code, text, log } = await baton(argv, { 'in.relay': RELAY, ...input });
      expect([code, log]).toEqual([EXIT.ok, '']);
      expect(JSON.parse(text('-'))).toEqual({ output: expected });
    },
  );

  it('writes arrays, and reads archives', async () => {
    const argv = ['run', 'in.relay', '-i', 'x.npy', '-o', 'out.npz'];
    const { files } = await baton(argv, { 'in.relay': RELAY, ...input });
    const archive = files.get('out.npz') ?? '';
    const back = RELAY.replaceAll('%x', '%output');
    const again = await baton(['run', 'in.relay', '-i', 'out.npz', '-o', 'out.npy'], {
      'in.relay': back,
      'out.npz': archive,
    });
    const result = orThrow(readNpy(again.files.get('out.npy') ?? new Uint8Array()));
    expect([...result.data]).toEqual(expected.flat().map((one) => 2 * one));
  });

  it('makes inputs up with --random, always the same', async () => {
    const once = await baton(['run', 'm.onnx', '--random'], { 'm.onnx': onnx });
    const twice = await baton(['run', 'm.onnx', '--random'], { 'm.onnx': onnx });
    expect(once.code).toBe(EXIT.ok);
    expect(once.text('-')).toBe(twice.text('-'));
  });

  it.each([
    [[], EXIT.usage, 'no value is given for the input x of type Tensor[(2, 3), float32]'],
    [['-i', 'y=1'], EXIT.usage, 'the model has no input y'],
    [['-i', 'x=x.txt'], EXIT.input, 'expected JSON, found x.txt'],
    [['-i', 'x=no.npy'], EXIT.input, 'no.npy cannot be read'],
    [['-i', 'x=bad.npz'], EXIT.input, 'bad.npz: it is no archive'],
    [['-i', 'x=bad.npy'], EXIT.input, 'bad.npy: expected an array of NumPy'],
    [['-i', 'x=[1, 2]'], EXIT.input, 'Tensor[(2, 3), float32]'],
    [['-i', 'x.npy', '-o', 'out.txt'], EXIT.usage, 'out.txt: the name has no known ending'],
  ])('refuses %j', async (more, code, message) => {
    const files = { 'in.relay': RELAY, ...input, 'bad.npz': 'x', 'bad.npy': 'x' };
    const ended = await baton(['run', 'in.relay', ...more], files);
    expect([ended.code, ended.log]).toEqual([code, expect.stringContaining(message)]);
  });
});

describe('diff', () => {
  const files = { 'a.relay': RELAY, 'b.relay': OTHER };

  it('tells that models compute the same', async () => {
    const { code, out } = await baton(['diff', 'a.relay', 'a.relay'], files);
    expect([code, out]).toEqual([EXIT.ok, expect.stringContaining('the models are equal')]);
  });

  it('names the node that differs first', async () => {
    const net = (relu: string) => `#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) { tanh(${relu}(exp(%x))) }
`;
    const both = { 'a.relay': net('sigmoid'), 'b.relay': net('negative') };
    const { code, out } = await baton(['diff', 'a.relay', 'b.relay'], both);
    expect(code).toBe(EXIT.findings);
    expect(out).toContain('the models are different');
    expect(out).toContain('the first node of b.relay that differs: negative');
    const { out: json } = await baton(['diff', 'a.relay', 'b.relay', '--json'], both);
    expect(JSON.parse(json)).toMatchObject({ verdict: 'different', node: 'negative' });
  });

  it('names it in programs whose values are bound by let, too', async () => {
    const net = (relu: string) => `#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) {
  let %a = exp(%x);
  let %b = ${relu}(%a);
  tanh(%b)
}
`;
    const both = { 'a.relay': net('sigmoid'), 'b.relay': net('negative') };
    const { out } = await baton(['diff', 'a.relay', 'b.relay'], both);
    expect(out).toContain('the first node of b.relay that differs: negative');
  });

  it('finds another constant', async () => {
    const { code } = await baton(['diff', 'a.relay', 'b.relay'], files);
    expect(code).toBe(EXIT.findings);
  });
});

describe('explain', () => {
  it('tells the origins of a node, and the passes that changed it', async () => {
    const optimized = await baton(['optimize', 'm.onnx', '-o', 'out.onnx'], { 'm.onnx': onnx });
    const out = optimized.files.get('out.onnx') ?? new Uint8Array();
    const name = 'output';
    const argv = ['explain', 'out.onnx', name, '--from', 'm.onnx'];
    const found = await baton(argv, { 'out.onnx': out, 'm.onnx': onnx });
    expect(found.log).toBe('');
    expect(found.out).toContain('comes from');
    const lost = await baton(['explain', 'out.onnx', 'outptu'], { 'out.onnx': out });
    expect([lost.code, lost.log]).toEqual([EXIT.input, expect.stringContaining('it has no node')]);
  });
});

describe('compile', () => {
  it('writes an ES module that computes the same', async () => {
    const { code, text } = await baton(['compile', 'in.relay', '-o', 'out.mjs'], {
      'in.relay': RELAY,
    });
    expect(code).toBe(EXIT.ok);
    const source = text('out.mjs').replace("'batonjs'", `'${import.meta.resolve('batonjs')}'`);
    const made = await import(`data:text/javascript,${encodeURIComponent(source)}`);
    expect(made.inputs).toEqual(['x: Tensor[(2, 3), float32]']);
    expect(
      made.run({
        x: [
          [1, -2, 3],
          [-4, 5, -6],
        ],
      }),
    ).toEqual([
      [2, 0, 6],
      [0, 10, 0],
    ]);
  });

  it('writes a module of WebAssembly that imports nothing', async () => {
    const given = { 'in.relay': RELAY };
    const { code, text } = await baton(
      ['compile', 'in.relay', '-o', 'out.mjs', '--standalone'],
      given,
    );
    expect(code).toBe(EXIT.ok);
    expect(text('out.mjs')).toContain('WebAssembly.instantiate');
    expect(text('out.mjs')).not.toContain('batonjs');
    expect(text('out.d.mts')).toContain('readonly "x": Float32Array;');
    const wrong = await baton(['compile', 'in.relay', '-o', 'out.js', '--standalone'], given);
    expect(wrong.code).toBe(EXIT.usage);
  });

  it('writes weights of 16 bits, and modules that are given their weights', async () => {
    const run = (...options: string[]) =>
      baton(['compile', 'm.onnx', '-o', 'out.mjs', ...options], { 'm.onnx': onnx });
    const half = await run('--standalone', '--weight-bits', '16');
    const whole = await run('--standalone');
    const size = ({ files }: typeof half): number => files.get('out.bin')?.length ?? 0;
    expect(size(half)).toBeGreaterThan(0);
    expect(size(whole)).toBe(2 * size(half));
    const given = await run('--standalone', '--weights', 'given', '--transforms');
    expect([given.code, given.text('out.d.mts').includes('const run:')]).toEqual([EXIT.ok, false]);
    for (const [options, message] of [
      [['--standalone', '--weight-bits', '8'], '--weight-bits expects 16 or 32, found 8'],
      [['--standalone', '--weights', 'there'], '--weights expects beside or given, found there'],
      [['--weights', 'given'], '--weights goes with --standalone'],
    ] as const) {
      const { code, log } = await run(...options);
      expect([code, log]).toEqual([EXIT.usage, expect.stringContaining(message)]);
    }
  });
});
