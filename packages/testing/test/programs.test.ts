import { right } from '@baton/base';
import { type Expr, inferTypes, postOrderExprs, wellFormed } from '@baton/ir';
import { defineOp, kernelColumn, noAttributes, standardOps, staticTensor } from '@baton/ops';
import {
  type Focus,
  operatorsWithoutSampler,
  type ProgramOptions,
  programOf,
  programs,
} from '@baton/testing';
import { printModule } from '@baton/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const SEED = 20_261_121;

const FOCUSES: ReadonlyArray<Focus> = [
  'scale-chains',
  'scale-inputs',
  'scale-results',
  'constants',
  'batch-norm',
  'bias',
  'padding',
  'casts',
  'movement',
  'arith',
  'like',
  'duplicates',
  'dead',
  'unused-functions',
  'fusable',
  'normal-form',
];

const OPTIONS: ReadonlyArray<ProgramOptions> = [
  {},
  { maxCalls: 30 },
  { numerics: 'exact' },
  { numerics: 'smooth' },
  { dtype: 'float64' },
  { dtype: 'float16' },
  { dtype: 'bfloat16' },
  ...FOCUSES.map((focus) => ({ focus })),
  ...FOCUSES.map((focus) => ({ focus, numerics: 'exact' as const })),
];

const nodesOf = (seed: number, options?: ProgramOptions): ReadonlyArray<Expr> =>
  postOrderExprs([...programOf(seed, options).module.functions.values()]);

const calledOps = (nodes: ReadonlyArray<Expr>): ReadonlyArray<string> =>
  nodes.flatMap((e) => (e._tag === 'Call' && e.op._tag === 'Op' ? [e.op.name] : []));

describe('a generated program', () => {
  it('searches for values of the type of the row', () => {
    expect(() => programOf(650, { maxCalls: 60, dtype: 'float16' })).not.toThrow();
  });

  it.each(OPTIONS)('is well-formed, inferred, and of static shapes: %j', (options) => {
    fc.assert(
      fc.property(programs(options), ({ module }) => {
        expect(wellFormed(module)).toEqual([]);
        expect(inferTypes(module)).toEqual(right(module));
        const main = module.functions.get('main');
        const types = [main?.retType, ...(main?.params.map((p) => p.typeAnnotation) ?? [])];
        for (const type of types) {
          const fields = type?._tag === 'TupleType' ? type.fields : [type];
          expect(fields.every((field) => field !== undefined && staticTensor(field))).toBeTruthy();
        }
      }),
      { seed: SEED, numRuns: 25 },
    );
  });

  it('is the same for the same seed', () => {
    for (const options of OPTIONS) {
      const texts = [0, 0].map(() => printModule(programOf(SEED, options).module));
      expect(texts[0]).toBe(texts[1]);
    }
  });

  it('has about as many calls as it may have', () => {
    const counts = Array.from({ length: 200 }, (_, seed) => calledOps(nodesOf(seed)).length);
    const large = Array.from(
      { length: 100 },
      (_, seed) => calledOps(nodesOf(seed, { maxCalls: 50 })).length,
    );
    expect(Math.max(...counts)).toBeLessThan(30);
    expect(Math.max(...large)).toBeGreaterThan(30);
  });
});

describe('many programs', () => {
  it('call every operator of the table, each by name', () => {
    const isComputed = (name: string) => standardOps.read(kernelColumn, name) !== undefined;
    const missing = new Set(standardOps.names.filter(isComputed));
    for (let seed = 0; seed < 2000 && missing.size > 0; seed++) {
      for (const name of calledOps(nodesOf(seed))) missing.delete(name);
    }
    expect([...missing]).toEqual([]);
  });

  it('have every construct of dataflow, shared nodes and shadowed names', () => {
    const found = new Set<string>();
    for (let seed = 0; seed < 400; seed++) {
      const nodes = nodesOf(seed);
      for (const node of nodes) {
        found.add(node._tag);
        if (node._tag === 'Call') found.add(`call of ${node.op._tag}`);
      }
      const names = nodes.flatMap((e) => (e._tag === 'Let' ? [e.variable.nameHint] : []));
      if (new Set(names).size < names.length) found.add('a name bound twice');
      const uses = nodes.flatMap((e) => (e._tag === 'Call' ? e.args : []));
      if (new Set(uses).size < uses.length) found.add('a shared node');
    }
    for (const wanted of [
      'Let',
      'If',
      'Tuple',
      'TupleGetItem',
      'Function',
      'GlobalVar',
      'Constant',
      'call of Op',
      'call of Function',
      'call of Var',
      'call of GlobalVar',
      'a name bound twice',
      'a shared node',
    ]) {
      expect(found).toContain(wanted);
    }
  });

  it('have tensors of rank 0 to 5, with axes of size 0 and 1', () => {
    const ranks = new Set<number>();
    const sizes = new Set<number>();
    for (let seed = 0; seed < 400; seed++) {
      for (const param of programOf(seed).module.functions.get('main')?.params ?? []) {
        const type = param.typeAnnotation && staticTensor(param.typeAnnotation);
        ranks.add(type?.shape.length ?? -1);
        for (const dim of type?.shape ?? []) sizes.add(dim);
      }
    }
    expect([...ranks].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    for (const size of [0, 1, 2, 3, 5, 7]) expect(sizes).toContain(size);
  });

  it('have operators along any axis, counted from either end', () => {
    const axes = new Map<string, Set<unknown>>();
    for (let seed = 0; seed < 500; seed++) {
      for (const node of nodesOf(seed, { focus: seed % 2 === 0 ? 'batch-norm' : 'bias' })) {
        if (node._tag !== 'Call' || node.op._tag !== 'Op') continue;
        const known = axes.get(node.op.name) ?? new Set();
        axes.set(node.op.name, known.add(node.attrs?.axis));
      }
    }
    for (const name of ['batch_norm', 'layer_norm', 'instance_norm', 'group_norm', 'bias_add']) {
      const found = [...(axes.get(`nn.${name}`) ?? [])];
      expect(found, name).toEqual(expect.arrayContaining([0, 1, 2, -1, -2]));
    }
  });

  it('have images of other layouts than with the channels on axis 1', () => {
    const layouts = new Map<string, Set<unknown>>();
    for (let seed = 0; seed < 1500; seed++) {
      for (const node of nodesOf(seed, { focus: 'padding' })) {
        if (node._tag !== 'Call' || node.op._tag !== 'Op') continue;
        const known = layouts.get(node.op.name) ?? new Set();
        layouts.set(node.op.name, known.add(node.attrs?.data_layout ?? node.attrs?.layout));
      }
    }
    for (const name of ['conv2d', 'max_pool2d', 'avg_pool2d']) {
      const found = [...(layouts.get(`nn.${name}`) ?? [])];
      expect(found, name).toEqual(expect.arrayContaining(['NCHW', 'NHWC', 'CNHW']));
    }
  });

  it('call an operator that a user has defined, with no more said than its definition', () => {
    const square = defineOp({
      name: 'my.square',
      doc: 'x times x.',
      source: 'this test',
      inputs: ['x'],
      attrs: noAttributes,
      relation: ([x]) => x,
      kernel: (args) => args.tensor(0),
      cost: () => 0,
      fusion: 'elemwise',
      kind: 'other',
      numerics: 'smooth',
      domain: 'any',
      scaleAxis: 'none',
      examples: [],
    });
    const ops = standardOps.with(square);
    const called = Array.from({ length: 600 }, (_, seed) => calledOps(nodesOf(seed, { ops })));
    expect(called.flat()).toContain('my.square');
  });

  it('leave out no operator in silence', () => {
    const taking = (name: string, sampled?: string) =>
      defineOp({
        name,
        ...(sampled === undefined ? {} : { sampled }),
        doc: 'An operator of three tensors, with nothing to tell what they are.',
        source: 'this test',
        inputs: ['x', 'y', 'z'],
        attrs: noAttributes,
        relation: ([x]) => x,
        kernel: (args) => args.tensor(0),
        cost: () => 0,
        fusion: 'opaque',
        kind: 'other',
        numerics: 'smooth',
        domain: 'any',
        scaleAxis: 'none',
        examples: [],
      });
    const [unclear, unlike, like] = [
      taking('my.unclear'),
      taking('my.unlike', 'my.unclear'),
      taking('my.like', 'where'),
    ];
    expect(operatorsWithoutSampler(standardOps)).toEqual([]);
    expect(operatorsWithoutSampler(standardOps.with(unclear).with(unlike).with(like))).toEqual([
      'my.unclear',
      'my.unlike',
    ]);
  });
});
