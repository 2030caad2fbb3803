import type { PageModel } from '@baton/report';
import {
  headline,
  makeTracer,
  printReport,
  printStats,
  SCHEMA,
  type TraceEvent,
} from '@baton/report';
import { oracle, wasm } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { readArguments } from '../../bench/src/arguments.ts';
import { measured } from './measured.ts';
import { smallSubject } from './small-subject.ts';

const subject = smallSubject({
  model: 'small',
  input: 'x',
  conv: 'conv1',
  norm: 'bn1',
  relu: 'relu1',
});

const named = (model: PageModel, texts: ReadonlyArray<number>): ReadonlyArray<string> =>
  texts.map((text) => model.texts[text] ?? '');

describe('the figures of a model', () => {
  it('have the fields that readers of report.json know', async () => {
    const { report } = await measured(subject, { runs: true });
    expect(Object.keys(report)).toEqual([
      ...['name', 'nodes', 'kernels', 'byOp', 'byOpBefore', 'flops', 'paramBytes'],
      ...['activationBytes', 'bytesMoved', 'importMs', 'weightsMs', 'inferMs', 'optimize'],
      ...['run', 'worse', 'better', 'passes', 'variants', 'levels', 'engines'],
      ...['maxAbsError', 'maxRelError', 'equivalent', 'golden'],
    ]);
    expect(report.levels.map((l) => Object.keys(l))).toEqual(
      Array(4).fill([
        ...['level', 'sameAs', 'nodes', 'kernels', 'flops', 'bytesMoved', 'paramBytes'],
        ...['optimize', 'fuse', 'run', 'maxAbsError', 'maxRelError', 'equivalent'],
      ]),
    );
    expect(SCHEMA).toBe('baton.bench/4');
    expect(report.equivalent).toBe(true);
    expect(report.byOpBefore).toEqual({ 'nn.batch_norm': 1, 'nn.conv2d': 1, 'nn.relu': 1 });
  });

  it('U.14 compare like with like: fused with fused, and a program that is the same with itself', async () => {
    const { report, page } = await measured(subject, { runs: true });
    const { levels, run } = report;
    expect(levels.map((l) => l.sameAs)).toEqual(['fused', 'fused', 'fused', null]);
    // A convolution, its normalization and its rectifier: these two are one kernel before.
    expect([report.nodes, report.kernels]).toEqual([
      { before: 3, after: 2 },
      { before: 2, after: 1 },
    ]);
    expect(levels.map((l) => l.run)).toEqual([run?.before, run?.before, run?.before, run?.after]);
    expect(page.ablation.map((point) => point.doc.length > 20)).toEqual(Array(9).fill(true));
    expect(page.ablation.map((point) => point.sameAs)).toEqual([
      ...[null, null],
      ...['as it is', 'as it is', 'as it is', null],
      ...['level 3', 'level 3', null],
    ]);
    expect(report.worse).toEqual([]);
  });

  it('name every variant with its time, its bytes and its kernels, the original unfused too', async () => {
    const { report } = await measured(subject, { runs: true });
    const { variants, run, levels } = report;
    expect(variants.map(({ name, sameAs }) => [name, sameAs])).toEqual([
      ['unfused', null],
      ['fused', null],
      ['level0', 'fused'],
      ['level1', 'fused'],
      ['level2', 'fused'],
      ['level3', null],
      ['search', 'level3'],
      ['quantized', null],
    ]);
    const [unfused, fused, , , , best, search] = variants;
    expect([unfused?.kernels, fused?.kernels, best?.kernels]).toEqual([3, 2, 1]);
    expect(fused?.bytes).toBe(report.bytesMoved.before);
    expect(unfused?.bytes).toBeGreaterThan(report.bytesMoved.before);
    expect([fused?.ms, best?.ms, search?.ms]).toEqual([
      ...[run?.before.ms, run?.after.ms, run?.after.ms],
    ]);
    expect(best?.maxRelError).toBe(levels.at(-1)?.maxRelError);
    expect(
      variants.every(({ low, ms, high }) => low !== null && ms !== null && high !== null),
    ).toBe(true);
  });

  it('are summed up in one sentence: the gain in time, and at what error', async () => {
    const { report } = await measured(subject, { runs: true });
    const timed = (name: string, ms: number, maxRelError: number) => ({
      ...(report.variants.find((variant) => variant.name === name) ?? report.variants[0]),
      ...{ ms, maxRelError },
    });
    const model = (unfused: number, fused: number, level3: number) =>
      ({
        variants: [
          ...[timed('unfused', unfused, 0), timed('fused', fused, 0)],
          timed('level3', level3, 2e-6),
        ],
      }) as Parameters<typeof headline>[0][number];
    expect(headline([model(8, 4, 1), model(4, 1, 1)])).toBe(
      'At level 3 a run is 2.00 times as fast as the original program, fused, and 5.66 times as fast as with ' +
        'one kernel a call (geometric means of 2 models). Largest relative error: 2.0e-6.',
    );
    expect(headline([(await measured(subject)).report])).toBe(null);
  });

  it('say plainly if programs were not run', async () => {
    const { report, page } = await measured(subject);
    expect([report.equivalent, report.maxRelError, report.run]).toEqual([null, null, null]);
    expect(page.verdict).toBe('not run');
    expect(new Set(page.checks.map((c) => c.verdict))).toEqual(new Set(['not run']));
    expect(page.checks.length).toBe(6);
    expect(page.profile).toEqual([]);
    expect(
      printReport({ schema: SCHEMA, models: [report], unreadable: [], searches: [] }),
    ).toContain('small');
  });

  it('have a verdict for each regime of a model that is small', async () => {
    const { page } = await measured(subject, { runs: true });
    const verdicts = Object.fromEntries(page.checks.map((c) => [c.name, c.verdict]));
    expect(verdicts).toMatchObject({
      outputs: 'equivalent',
      'expected outputs': 'not run',
      'shadow regime': 'equivalent',
      'native regime': 'equivalent',
    });
    expect(Object.values(verdicts)).not.toContain('different');
    expect(page.verdict).toBe('equivalent');
    expect(page.profile.map((row) => row.op)).toContain('nn.conv2d');
  });

  it('show the fate of a batch normalization, by the names of its nodes', async () => {
    const { page } = await measured(subject);
    const step = page.passes.find((p) => p.name === 'SimplifyInference');
    expect(step?.removed.map(({ op, count }) => [op, count])).toEqual([['nn.batch_norm', 1]]);
    expect(step?.removed.map((group) => group.places.map((p) => named(page, p)))).toEqual([
      [['BatchNormalization bn1']],
    ]);
    expect(step?.removed[0]?.into).toContain('sqrt');
    expect(step?.added.map(({ op }) => op)).toContain('multiply');
    const folded = page.passes.find((p) => p.name.endsWith('FoldScaleAxis') && p.changed);
    expect(folded).toBeDefined();
    const unchanged = page.passes.filter((p) => !p.changed);
    expect(unchanged.flatMap((p) => [...p.removed, ...p.added, ...p.rewritten])).toEqual([]);
  });

  it('keep the parts of a kernel', async () => {
    const { page, report } = await measured(subject);
    const cards = page.after.cards.filter((card) => card.rows.some((row) => row.call));
    expect(cards.length).toBe(report.kernels.after);
    const [kernel] = cards;
    expect(kernel?.rows.map((row) => page.texts[row.op])).toEqual(['nn.conv2d', 'add', 'nn.relu']);
    expect(named(page, kernel?.rows[2]?.places ?? [])).toEqual(['Relu relu1']);
    const types = page.before.cards.flatMap((c) => c.rows.map((r) => page.texts[r.type]));
    expect(types).toContain('1×6×3×3 float32');
  });

  it('print as statistics, with the counters of passes', async () => {
    const { passes } = await measured(subject);
    const text = printStats('small', passes);
    expect(text).toMatch(/^SimplifyInference +1 +1 /m);
    expect(text).toMatch(/^ {2}nn\.batch_norm +1$/m);
    expect(text).toMatch(/^FuseOps +1 +1 +\S+ +0$/m);
  });
});

describe('the trace of a model', () => {
  const trace = async (): Promise<ReadonlyArray<TraceEvent>> => {
    let time = 0;
    const tracer = makeTracer(() => {
      time += 0.25;
      return time;
    });
    await measured(subject, { runs: true, tracer, traced: true });
    const file: { readonly traceEvents: ReadonlyArray<TraceEvent> } = JSON.parse(
      JSON.stringify(tracer.file()),
    );
    return file.traceEvents;
  };

  it('has slices that nest: phases around passes and kernels, pipelines around passes', async () => {
    const slices = (await trace()).filter((event) => event.ph === 'X');
    const inside = (outer: TraceEvent) =>
      slices.filter(
        (s) =>
          s.ts >= outer.ts && s.ts + (s.dur ?? 0) <= outer.ts + (outer.dur ?? 0) && s !== outer,
      );
    const find = (name: string) => slices.filter((s) => s.name === name);
    const [optimizing] = find('optimize at level 3');
    const [pipeline] = find('optimize-3');
    const [running] = find('run as it is');
    if (optimizing === undefined || pipeline === undefined || running === undefined) {
      throw new Error('the trace lacks a phase');
    }
    const names = (events: ReadonlyArray<TraceEvent>) => events.map((e) => e.name);
    expect(names(inside(optimizing))).toEqual(expect.arrayContaining(['optimize-3', 'FuseOps']));
    expect(names(inside(pipeline))).toEqual(
      expect.arrayContaining(['SimplifyInference', 'FoldConstant']),
    );
    expect(names(inside(running)).sort()).toEqual(['nn.batch_norm', 'nn.conv2d', 'nn.relu']);
    // Two slices of a row are apart, or one is inside the other.
    const end = (slice: TraceEvent): number => slice.ts + (slice.dur ?? 0);
    const crossing = slices.flatMap((a) =>
      slices.filter((b) => a.ts < b.ts && b.ts < end(a) && end(a) < end(b)),
    );
    expect(crossing).toEqual([]);
  });

  it('counts nodes after each pass, and names its row', async () => {
    const events = await trace();
    const counts = events.filter((event) => event.ph === 'C').map((event) => event.args?.nodes);
    expect(new Set(counts).size).toBeGreaterThan(2);
    expect(counts[0]).toBe(3);
    expect(events.find((e) => e.name === 'thread_name')?.args).toEqual({ name: 'small' });
  });
});

describe('the command line', () => {
  it.each([
    [['--trace', 't.json'], { trace: 't.json' }],
    [
      ['--print-after', 'FoldConstant', '--print-after', 'FuseOps'],
      { printAfter: ['FoldConstant', 'FuseOps'] },
    ],
    [['--stats', '--no-run'], { stats: true, runs: false }],
    [['--html', 'a.html', '--regimes'], { html: 'a.html', regimes: true }],
    [['--executor', 'oracle'], { executor: oracle }],
    [[], { trace: undefined, printAfter: [], stats: false, runs: true, executor: wasm }],
  ])('reads %j', (argv, expected) => {
    expect(readArguments(argv)).toMatchObject(expected);
  });

  it('reports the mistake, with the usage', () => {
    expect(readArguments(['--level', '9'])).toMatch(/--level expects .*\n\npnpm bench/);
    expect(readArguments(['--executor', 'machine'])).toMatch(
      /^--executor expects interpreter or oracle or wasm, found machine\n\npnpm bench/,
    );
    expect(readArguments(['--trace'])).toMatch(/pnpm bench/);
  });
});
