/** The hunt: its models, its comparison, and its reduction of an injected fault. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { elementNumber, type NodeProto } from '@baton/onnx';
import { type DType, type Tensor, tensor } from '@baton/tensor';
import { importOnnx, isLeft } from 'batonjs';
import { afterAll, describe, expect, it } from 'vitest';
import { amount } from '../../../../test/tier.ts';
import { readHunt } from '../../src/hunt/arguments.ts';
import { checkCase, referenceOf } from '../../src/hunt/check.ts';
import { differences } from '../../src/hunt/compare.ts';
import { generate } from '../../src/hunt/generate.ts';
import { huntOne } from '../../src/hunt/hunt.ts';
import {
  bytesOf,
  type Case,
  type Feeds,
  graphOf,
  nodeProto,
  referenceBytes,
  tensorProto,
} from '../../src/hunt/model.ts';
import { type Answer, type Path, runFile, type Work } from '../../src/hunt/paths.ts';
import { count, freshState, report } from '../../src/hunt/report.ts';
import { requireRuntime } from '../../src/onnxruntime/installed.ts';

const runtime = requireRuntime();
const folder = mkdtempSync(join(tmpdir(), 'baton-hunt-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a file that a change of the original made, as a tool's file is run. */
const changedBy =
  (change: (subject: Case) => Case) =>
  (work: Work): Promise<Answer> =>
    runFile(referenceBytes(change(work.subject).model), work);

const pathOf = (name: string, change: (subject: Case) => Case): Path => ({
  name,
  share: 1,
  open: true,
  run: changedBy(change),
});

/** An optimizer that takes every Add for a Sub. */
const planted = pathOf('planted', (subject) => {
  const graph = graphOf(subject.model);
  const nodes = graph.nodes.map((node) =>
    node.opType === 'Add' ? { ...node, opType: 'Sub' } : node,
  );
  return { ...subject, model: { ...subject.model, graph: { ...graph, nodes } } };
});

const faithful = pathOf('faithful', (subject) => subject);

const hunting = (paths: ReadonlyArray<Path>) => ({
  seed: 3,
  paths,
  runtime,
  folder,
  options: '',
  now: () => 0,
  isReduced: () => true,
});

describe('the models', () => {
  it('are the same for a seed and an index', () => {
    expect(Buffer.from(bytesOf(generate(5, 9).model)).equals(bytesOf(generate(5, 9).model))).toBe(
      true,
    );
    expect(Buffer.from(bytesOf(generate(5, 9).model)).equals(bytesOf(generate(5, 10).model))).toBe(
      false,
    );
  });

  it('run in onnxruntime, in both sizes, with the types that they state', async () => {
    const reasons: string[] = [];
    for (let index = 0; index < 30; index++) {
      const checked = await checkCase(generate(3, index), [faithful], runtime);
      if (checked._tag === 'Skipped') reasons.push(`${index}: ${checked.reason}`);
      else expect(checked.findings).toEqual([]);
    }
    expect(reasons).toEqual([]);
  });

  it('are as exporters write them: open sizes, branches, bytes, several sets, outputs from inside', () => {
    const cases = Array.from({ length: 200 }, (_, index) => generate(3, index));
    const operators = new Set(
      cases.flatMap(({ model }) => graphOf(model).nodes.map(({ opType }) => opType)),
    );
    expect(operators.size).toBeGreaterThan(75);
    expect([...operators]).toEqual(
      expect.arrayContaining([
        'If',
        'QuantizeLinear',
        'DynamicQuantizeLinear',
        'Shape',
        'Range',
        'ConstantOfShape',
      ]),
    );
    expect(new Set(cases.map(({ model }) => model.opsetImports[0]?.version)).size).toBeGreaterThan(
      8,
    );
    expect(cases.filter(({ samples }) => samples.length === 2).length).toBeGreaterThan(50);
  });

  it('are mostly taken by the import', () => {
    const refused = Array.from({ length: 30 }, (_, index) => generate(3, index)).filter(
      ({ model, dims }) => isLeft(importOnnx(bytesOf(model), { dims })),
    );
    expect(refused.length).toBeLessThan(4);
  });
});

describe('a planted mistake', () => {
  it('is found, and reduced to one node', async () => {
    const state = freshState(3);
    for (let index = 0; index < 8; index++) count(state, await huntOne(index, hunting([planted])));
    const kinds = Object.keys(state.found);
    expect(kinds).toContain('planted, values [Add]');
    expect(report(state)).toContain('8 graphs from seed 3, 0 skipped');
    const texts = readdirSync(folder).filter((name) => name.endsWith('.txt'));
    const text = readFileSync(join(folder, texts[0] ?? ''), 'utf8');
    expect(text).toMatch(/= Add\(/);
    expect(text).toMatch(/pnpm hunt --seed 3 --from \d+ --graphs 1/);
    expect(text.match(/ = /g)).toHaveLength(1);
  });

  it('of names is found: an output under another name', async () => {
    const renamed = pathOf('renamed', (subject) => {
      const graph = graphOf(subject.model);
      const [first, ...others] = graph.outputs;
      const twin = nodeProto('Identity', [first?.name ?? ''], ['twin']);
      const outputs = [{ name: 'twin', type: first?.type }, ...others];
      return {
        ...subject,
        model: { ...subject.model, graph: { ...graph, nodes: [...graph.nodes, twin], outputs } },
      };
    });
    const { found } = await huntOne(0, hunting([renamed]));
    expect(found[0]?.kind).toMatch(/^renamed, signature: output name/);
  });

  it('that no runtime loads is found', async () => {
    const broken = pathOf('broken', (subject) => {
      const graph = graphOf(subject.model);
      const nodes = graph.nodes.map((node) =>
        node.opType === 'Add' ? { ...node, opType: 'Addd' } : node,
      );
      return { ...subject, model: { ...subject.model, graph: { ...graph, nodes } } };
    });
    const results = [];
    for (let index = 0; index < 6; index++) results.push(await huntOne(index, hunting([broken])));
    expect(results.flatMap(({ found }) => found.map(({ finding }) => finding.kind))).toContain(
      'loads',
    );
  });
});

const floats = (...values: ReadonlyArray<number>): Tensor =>
  tensor(values, [values.length], 'float32');
const outputsOf = (value: Tensor): Feeds => new Map([['y', value]]);

describe('the comparison', () => {
  it('counts what rounding cannot explain', () => {
    const wanted = outputsOf(floats(1, 2, 3));
    expect(differences(outputsOf(floats(1, 2, 3.0001)), wanted)).toEqual([]);
    expect(differences(outputsOf(floats(1, 2, 3.01)), wanted)).toMatchObject([
      { kind: 'values', detail: '1 of 3 elements, 3.009999990463257 for 3 at 2' },
    ]);
    expect(differences(outputsOf(tensor([1, 2, 3], [3], 'int32')), wanted)).toMatchObject([
      { kind: 'type' },
    ]);
    expect(differences(new Map(), wanted)).toMatchObject([{ kind: 'type', detail: 'no output y' }]);
  });

  it('lets a number next to the largest be infinite, and no other', () => {
    const [large, less, infinite] = [1.87e38, 1e30, Number.POSITIVE_INFINITY];
    const between = (a: number, b: number) =>
      differences(outputsOf(floats(a)), outputsOf(floats(b)));
    expect([between(large, infinite), between(infinite, large)]).toEqual([[], []]);
    expect(between(less, infinite)).toHaveLength(1);
    expect(between(-large, infinite)).toHaveLength(1);
    expect(between(large, Number.NaN)).toHaveLength(1);
  });

  it('compares 64-bit integers exactly', () => {
    const big = (last: bigint): Feeds => outputsOf(tensor(BigInt64Array.of(last), [1], 'int64'));
    expect(differences(big(2n ** 53n), big(2n ** 53n + 1n))).toHaveLength(1);
  });

  it('lets an element be what noise makes of it', () => {
    const wanted = outputsOf(tensor([1, 4], [2], 'int64'));
    const found = outputsOf(tensor([2, 4], [2], 'int64'));
    expect(differences(found, wanted, [wanted])).toHaveLength(1);
    expect(differences(found, wanted, [found])).toEqual([]);
  });

  it('sees that the end of a near tie says nothing, and that of an exact one does', async () => {
    const rounded = (x: number): Case => {
      const info = (name: string) =>
        ({
          name,
          type: { _tag: 'Tensor', elemType: elementNumber('float32'), shape: [1] },
        }) as const;
      const nodes = [
        nodeProto('Mul', ['x', 'tenth'], ['tenths']),
        nodeProto('Floor', ['tenths'], ['y']),
      ];
      const graph = {
        name: 'g',
        nodes,
        inputs: [info('x')],
        outputs: [info('y')],
        initializers: [tensorProto('tenth', floats(0.1))],
        sparseInitializers: [],
      };
      const model = {
        irVersion: 8,
        opsetImports: [{ domain: '', version: 17 }],
        graph,
        functions: [],
      };
      return { model, samples: [new Map([['x', floats(x)]])], dims: {} };
    };
    const divided = pathOf('divided', (subject) => {
      const graph = graphOf(subject.model);
      const [, floor] = graph.nodes;
      const minus = nodeProto('Sub', ['x', 'tiny'], ['less']);
      const nodes = [
        minus,
        nodeProto('Mul', ['less', 'tenth'], ['tenths']),
        ...(floor === undefined ? [] : [floor]),
      ];
      const initializers = [...graph.initializers, tensorProto('tiny', floats(1e-6))];
      return { ...subject, model: { ...subject.model, graph: { ...graph, nodes, initializers } } };
    });
    expect(await checkCase(rounded(10), [divided], runtime)).toMatchObject({ findings: [] });
    const wrong = pathOf('wrong', (subject) => {
      const graph = graphOf(subject.model);
      const nodes = graph.nodes.map((node) =>
        node.opType === 'Floor' ? { ...node, opType: 'Ceil' } : node,
      );
      return { ...subject, model: { ...subject.model, graph: { ...graph, nodes } } };
    });
    expect(await checkCase(rounded(15), [wrong], runtime)).toMatchObject({
      findings: [{ kind: 'values' }],
    });
  });
});

/** A model of one input, and its run. */
function modelOf(
  x: Tensor,
  nodes: ReadonlyArray<NodeProto>,
  of: DType,
  constants: Feeds = new Map(),
): Case {
  const info = (name: string, dtype: DType, shape: ReadonlyArray<number> | undefined) => ({
    name,
    type: { _tag: 'Tensor' as const, elemType: elementNumber(dtype), shape },
  });
  const graph = {
    name: 'g',
    nodes,
    inputs: [info('x', x.dtype, x.shape)],
    outputs: [info('y', of, undefined)],
    initializers: [...constants].map(([name, t]) => tensorProto(name, t)),
    sparseInitializers: [],
  };
  const model = { irVersion: 8, opsetImports: [{ domain: '', version: 17 }], graph, functions: [] };
  return { model, samples: [new Map([['x', x]])], dims: {} };
}

/** A path whose first node is wrong by an amount. */
const shifted = (by: number): Path =>
  pathOf('shifted', (subject) => {
    const graph = graphOf(subject.model);
    const [first, ...others] = graph.nodes;
    const [result = ''] = first?.outputs ?? [];
    const nodes =
      first === undefined
        ? []
        : [
            { ...first, outputs: ['right'] },
            nodeProto('Add', ['right', 'by'], [result]),
            ...others,
          ];
    const initializers = [...graph.initializers, tensorProto('by', floats(by))];
    return { ...subject, model: { ...subject.model, graph: { ...graph, nodes, initializers } } };
  });

describe('noise', () => {
  it('disturbs every model: sizes that are inferred are not always those of a run', async () => {
    const counts: (number | undefined)[] = [];
    const half = modelOf(
      tensor(new Array(120).fill(0.3), [1, 6, 5, 4], 'float16'),
      [
        nodeProto('Sigmoid', ['x'], ['s']),
        nodeProto('Cast', ['s'], ['c'], { to: 1 }),
        nodeProto('AveragePool', ['c'], ['y'], {
          kernel_shape: [2, 2],
          strides: [2, 2],
          pads: [1, 1, 1, 1],
          ceil_mode: 1,
        }),
      ],
      'float32',
    );
    const models = [
      half,
      ...Array.from({ length: amount(20, { quick: 5 }) }, (_, index) => generate(7, index)),
    ];
    for (const subject of models) {
      const reference = await referenceOf(subject, runtime);
      if (reference._tag === 'Reference') counts.push((await reference.noise(0))?.length);
    }
    expect(counts).toEqual(models.map(() => 48));
  });

  // Each is wrong near 0 by a part of 1 in onnxruntime.
  const APPROXIMATED = [
    ['Sigmoid', [-20, -17], {}],
    ['Elu', [-1e-6, -3e-6], {}],
    ['Selu', [-1e-6, -3e-6], {}],
    ['Celu', [-1e-6, -3e-6], {}],
    ['HardSigmoid', [-2.4999, -2.5001], {}],
    ['LogSoftmax', [40, 0], { axis: 0 }],
  ] as const;
  it.each(APPROXIMATED)('moves %s by a part of 1, and by no more', async (op, xs, attributes) => {
    const subject = modelOf(floats(...xs), [nodeProto(op, ['x'], ['y'], attributes)], 'float32');
    const wrong = async (by: number) => {
      const checked = await checkCase(subject, [shifted(by)], runtime);
      return checked._tag === 'Checked' && checked.findings.length > 0;
    };
    const scale = op === 'LogSoftmax' ? 40 : 1;
    expect([await wrong(3e-7), await wrong(-3e-7)]).toEqual([false, false]);
    expect([await wrong(scale * 1e-3), await wrong(-scale * 1e-3)]).toEqual([true, true]);
    if (scale === 1) expect([await wrong(1e-5), await wrong(-1e-5)]).toEqual([true, true]);
  });

  it('moves the mean of an instance normalization, which of one element is its bias alone', async () => {
    const nodes = [nodeProto('InstanceNormalization', ['x', 'scale', 'bias'], ['y'])];
    const constants = new Map([
      ['scale', floats(1.7)],
      ['bias', floats(0.02559201791882515)],
    ]);
    const x = tensor([1.37], [1, 1, 1], 'float32');
    const wrong = async (by: number): Promise<boolean> => {
      const subject = modelOf(x, nodes, 'float32', constants);
      const checked = await checkCase(subject, [shifted(by)], runtime);
      return checked._tag === 'Checked' && checked.findings.length > 0;
    };
    expect([await wrong(4e-5), await wrong(-4e-5)]).toEqual([false, false]);
    expect([await wrong(2e-3), await wrong(-2e-3)]).toEqual([true, true]);
  });

  it('moves an exponential below the normal range, and no 0 of another function', async () => {
    const positive = async (op: string, xs: ReadonlyArray<number>, by: number) => {
      const nodes = [nodeProto(op, ['x'], ['v']), nodeProto('Greater', ['v', 'zero'], ['y'])];
      const subject = modelOf(floats(...xs), nodes, 'bool', new Map([['zero', floats(0)]]));
      const checked = await checkCase(subject, [shifted(by)], runtime);
      return checked._tag === 'Checked' ? checked.findings.length : undefined;
    };
    expect(await positive('Softmax', [100, 0], 4e-44)).toBe(0);
    expect(await positive('Exp', [-104, -104], 4e-44)).toBe(0);
    expect(await positive('Exp', [-80, -80], -1)).toBe(1);
    expect(await positive('Relu', [-1, -2], 1e-30)).toBe(1);
  });

  it('moves float16 below its normal range, where onnxruntime keeps more digits', async () => {
    const constant = (value: number) => tensor([value], [1], 'float16');
    const by = (divisor: number, share: number) => {
      const nodes = [nodeProto('Div', ['x', 'd'], ['q']), nodeProto('Mul', ['q', 'd'], ['y'])];
      const x = tensor([0.006, 0.9], [2], 'float16');
      const constants = new Map([['d', constant(divisor)]]);
      // Rounds the quotient to multiples of a share of itself.
      const rounded = pathOf('rounded', (subject) => {
        const graph = graphOf(subject.model);
        const [div, mul] = graph.nodes;
        const wrong = nodeProto('Mul', ['q', 'share'], ['r']);
        const all = [div, wrong, mul && { ...mul, inputs: ['r', 'd'] }];
        return {
          ...subject,
          model: {
            ...subject.model,
            graph: {
              ...graph,
              nodes: all.filter((node) => node !== undefined),
              initializers: [...graph.initializers, tensorProto('share', constant(share))],
            },
          },
        };
      });
      return checkCase(modelOf(x, nodes, 'float16', constants), [rounded], runtime);
    };
    // A part of the quotient 1e-7, which is less than two of the least numbers.
    expect(await by(60000, 1.3)).toMatchObject({ findings: [{ kind: 'values' }] });
    expect(await by(60000, 1.03)).toMatchObject({ findings: [] });
    expect(await by(6, 1.1)).toMatchObject({ findings: [{ kind: 'values' }] });
  });

  it('leaves an exact function near 0 as it is', async () => {
    for (const op of ['Tanh', 'Erf', 'Softsign', 'Relu']) {
      const subject = modelOf(floats(1e-8, 2e-8), [nodeProto(op, ['x'], ['y'])], 'float32');
      expect(await checkCase(subject, [shifted(3e-7)], runtime), op).toMatchObject({
        findings: [{ kind: 'values' }],
      });
    }
  });

  it('moves a comparison with 0 of a logarithm of a sum that rounds to 1, and none further on', async () => {
    const less = (than: number) =>
      modelOf(
        floats(30, 0, 0, 0),
        [
          nodeProto('LogSoftmax', ['x'], ['l'], { axis: 0 }),
          nodeProto('Less', ['l', 'than'], ['y']),
        ],
        'bool',
        new Map([['than', floats(than)]]),
      );
    const found = async (than: number, by: number) => {
      const checked = await checkCase(less(than), [shifted(by)], runtime);
      return checked._tag === 'Checked' ? checked.findings.length : undefined;
    };
    expect(await found(0, -4e-11)).toBe(0);
    expect(await found(-1e-4, -1e-3)).toBe(1);
  });
});

describe('pnpm hunt', () => {
  it.each([
    [[], { seed: 1, minutes: 1, graphs: Number.POSITIVE_INFINITY, folder: '.hunt' }],
    [['--graphs', '5', '--seed', '4'], { seed: 4, graphs: 5, minutes: Number.POSITIVE_INFINITY }],
    [['--tool', 'onnxsim', '--python', 'py'], { tool: 'onnxsim', python: 'py' }],
  ])('%j is a command', (argv, command) => {
    expect(readHunt(argv)).toMatchObject(command);
  });

  it.each([
    [['--minutes', '0'], '--minutes expects how many, found 0'],
    [['--tool', 'x'], '--tool expects onnxsim or onnxslim or onnxruntime, found x'],
    [['--only', 'x'], '--only does not know x'],
    [['--sed', '1'], 'unknown option --sed; did you mean `--seed`?'],
  ])('%j is a mistake', (argv, mistake) => {
    expect(readHunt(argv)).toContain(mistake);
  });
});
