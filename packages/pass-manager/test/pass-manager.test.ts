import { diagnostic, fail, isLeft, orThrow, right } from '@baton/base';
import {
  call,
  constant,
  type Expr,
  type Func,
  func,
  type IRModule,
  irModule,
  letIn,
  type OpInfo,
  opRef,
  opTable,
  scalarType,
  tempExpr,
  variable,
  withFunctions,
} from '@baton/ir';
import {
  functionPass,
  fuseMaxDepthKey,
  type Instrument,
  intKey,
  type Pass,
  type PassContextParts,
  type PassReportEntry,
  type PassResult,
  pass,
  passContext,
  passEnabled,
  passesRun,
  passStatistics,
  passTiming,
  printAfter,
  printBefore,
  readConfig,
  runPass,
  sequential,
  withContext,
} from '@baton/pass-manager';
import { scalar } from '@baton/tensor';
import { describe, expect, it, test } from 'vitest';

const log: OpInfo = {
  name: 'log',
  doc: 'log',
  source: 'this test',
  inputs: [{ name: 'x' }],
  attrs: { fields: [], decode: (attrs) => right(attrs) },
  relation: ([x], _attrs, context) =>
    x?._tag === 'TensorType' ? x : context.fail('OP_NOT_TENSOR', 'expected a tensor'),
  effect: 'total',
  nonComputational: false,
  facets: new Map(),
};
const ops = opTable([log]);
const apply = (e: Expr): Expr => call(opRef('log'), [e]);
const f32 = scalarType('float32');
const x = variable('x', f32);
const num = constant(scalar(1, 'float32'));
const base = irModule({ ops, functions: new Map([['main', func([x], apply(x))]]) });
const main = (m: IRModule): Func => m.functions.get('main') as Func;
const withBody = (m: IRModule, body: Expr): IRModule =>
  withFunctions(m, new Map([['main', func([x], body)]]));

/** A pass that puts one more logarithm around the body. */
const grow = (name: string, level = 0, requires: ReadonlyArray<Pass> = []): Pass =>
  functionPass({
    name,
    doc: 'One more logarithm.',
    level,
    requires,
    run: (f) => right(func(f.params, apply(f.body), f)),
  });
const idle = (name: string): Pass =>
  pass({ name, doc: 'Nothing.', level: 0, run: (m) => right(m) });

const names = (result: PassResult): ReadonlyArray<string> =>
  passesRun(result.report).map((entry) => entry.name);
const ran = (p: Pass, parts?: PassContextParts): PassResult => orThrow(runPass(p, parts)(base));
const codes = (p: Pass, parts?: PassContextParts, m = base): ReadonlyArray<string> => {
  const result = runPass(p, parts)(m);
  return isLeft(result) ? result.left.map((d) => `${d.severity} ${d.code}: ${d.message}`) : [];
};

describe('pipelines', () => {
  const level2 = sequential([grow('FoldConstant', 2)]);
  test.each<[string, PassContextParts, ReadonlyArray<string>]>([
    ['C368: a pass above the level is left out', { level: 1 }, []],
    [
      'C368: unless it is required',
      { level: 1, requiredPasses: ['FoldConstant'] },
      ['FoldConstant'],
    ],
    ['U.1 without a level each pass that is listed runs', {}, ['FoldConstant']],
    ['disabled beats level', { disabledPasses: ['FoldConstant'] }, []],
    [
      'disabled beats required',
      { requiredPasses: ['FoldConstant'], disabledPasses: ['FoldConstant'] },
      [],
    ],
  ])('%s', (_title, parts, expected) => {
    expect(names(ran(level2, parts))).toStrictEqual(expected);
    const context = orThrow(passContext(parts));
    expect(passEnabled(context, { name: 'FoldConstant', level: 2 })).toBe(expected.length > 0);
  });

  it('C370: runs the required passes, each time', () => {
    const needed = grow('InferType');
    const p = sequential([grow('A', 0, [needed]), grow('B', 0, [needed])]);
    expect(names(ran(p, { level: 3 }))).toStrictEqual(['InferType', 'A', 'InferType', 'B']);
    expect(names(ran(grow('A', 0, [needed])))).toStrictEqual(['InferType', 'A']);
  });

  it('gives the module itself when there is nothing to do', () => {
    const typed = ran(idle('I')).module;
    const again = orThrow(runPass(sequential([]))(typed));
    expect(again.module).toBe(typed);
    expect(again.report.tree).toMatchObject([{ name: 'sequential', changed: false }]);
  });

  it('nests, and inner pipelines obey the same context', () => {
    const inner = sequential([grow('A'), grow('Late', 3)], { name: 'inner' });
    const result = ran(sequential([inner, grow('B')]), { level: 2 });
    expect(names(result)).toStrictEqual(['A', 'B']);
    const entry = result.report.tree[0]?.children[0];
    expect(entry?.children).toMatchObject([{ name: 'A' }, { name: 'Late', skipped: 'level' }]);
  });

  it('changes the context of a part', () => {
    const key = intKey('user.depth', 7, 'A depth.');
    const seen: number[] = [];
    const read = (name: string): Pass =>
      pass({
        name,
        doc: 'Reads.',
        level: 3,
        run: (m, context) => {
          seen.push(context.level, readConfig(context, key), readConfig(context, fuseMaxDepthKey));
          return right(m);
        },
      });
    const inner = withContext({ level: 4, config: { 'user.depth': 9 } }, sequential([read('in')]));
    ran(sequential([inner, read('out')]), {
      level: 3,
      configKeys: [key],
      config: { 'relay.FuseOps.max_depth': 5 },
    });
    expect(seen).toStrictEqual([4, 9, 5, 3, 7, 5]);
  });

  it('leaves functions alone that ask for it', () => {
    const marked = (attrs: Func['attrs']): Func => {
      const own = variable('x', f32);
      return func([own], own, { retType: f32, attrs });
    };
    const f = marked({});
    const m = irModule({
      ops,
      functions: new Map([
        ['f', f],
        ['skip', marked({ SkipOptimization: 1 })],
        ['compiler', marked({ Compiler: 'dnnl' })],
        ['extern', marked({ Extern: 1 })],
        ['primitive', marked({ Primitive: 1 })],
      ]),
    });
    const result = orThrow(runPass(grow('G'))(m));
    const changed = [...m.functions].flatMap(([name, old]) =>
      result.module.functions.get(name) === old ? [] : [name],
    );
    expect(changed).toStrictEqual(['f', 'primitive']);
  });

  it('gathers the diagnostics of all functions', () => {
    const refuse = functionPass({
      name: 'R',
      doc: 'Refuses.',
      level: 0,
      run: () => fail(diagnostic('NO', 'no')),
    });
    const two = irModule({ ops, functions: new Map([...base.functions, ['g', func([], num)]]) });
    expect(codes(refuse, {}, two)).toStrictEqual(['error NO: no', 'error NO: no']);
  });
});

describe('C371: configuration', () => {
  test.each<[string, Record<string, unknown>, ReadonlyArray<string>]>([
    ['a known key', { 'relay.FuseOps.max_depth': 5 }, []],
    ['an unknown key', { 'no.such': 1 }, ['PASS_CONFIG_UNKNOWN']],
    ['a wrong type', { 'relay.FuseOps.max_depth': 'x' }, ['PASS_CONFIG_TYPE']],
    ['a fraction', { 'relay.FuseOps.max_depth': 1.5 }, ['PASS_CONFIG_TYPE']],
    ['null', { 'relay.FuseOps.max_depth': null }, ['PASS_CONFIG_NULL']],
    ['two mistakes', { a: 1, b: 2 }, ['PASS_CONFIG_UNKNOWN', 'PASS_CONFIG_UNKNOWN']],
  ])('%s', (_title, config, expected) => {
    const result = passContext({ config: config as PassContextParts['config'] & object });
    expect(isLeft(result) ? result.left.map((d) => d.code) : []).toStrictEqual(expected);
  });

  it('names the candidates', () => {
    const result = passContext({ config: { 'no.such': 1 } });
    const hint = isLeft(result) ? result.left[0].hint : '';
    expect(hint).toContain('relay.FuseOps.max_depth');
  });
});

describe('instruments', () => {
  const events: string[] = [];
  const spy = (name: string, parts: Partial<Instrument> = {}): Instrument => ({
    name,
    enter: () => events.push(`enter ${name}`),
    exit: () => events.push(`exit ${name}`),
    shouldRun: () => events.push(`should ${name}`) > 0,
    beforePass: (_m, p) => events.push(`before ${name} ${p.name}`),
    afterPass: (_m, p) => events.push(`after ${name} ${p.name}`),
    ...parts,
  });
  const observed = (p: Pass, parts: PassContextParts): ReadonlyArray<string> => {
    events.length = 0;
    runPass(p, parts)(base);
    return [...events];
  };
  const boom = (): never => {
    throw new Error('boom');
  };
  const around = (p: string): ReadonlyArray<string> => [
    'should I1',
    'should I2',
    `before I1 ${p}`,
    `before I2 ${p}`,
    `after I1 ${p}`,
    `after I2 ${p}`,
  ];

  it('C373: are called in order', () => {
    const pq = pass({
      name: 'PQ',
      doc: 'P, then Q.',
      level: 0,
      run: (m, context) => {
        const first = context.apply(idle('P'), m);
        return isLeft(first) ? first : context.apply(idle('Q'), first.right);
      },
    });
    const found = observed(pq, { instruments: [spy('I1'), spy('I2')] });
    const inner = found.filter((e) => !e.endsWith('PQ'));
    expect(inner).toStrictEqual([
      'enter I1',
      'enter I2',
      'should I1',
      'should I2',
      ...around('P'),
      ...around('Q'),
      'exit I1',
      'exit I2',
    ]);
  });

  it('C374: one veto skips a pass, and all are asked', () => {
    const veto = spy('I1', { shouldRun: () => events.push('veto') < 0 });
    const parts = { instruments: [veto, spy('I2')] };
    expect(observed(idle('P'), parts)).toStrictEqual([
      'enter I1',
      'enter I2',
      'veto',
      'should I2',
      'exit I1',
      'exit I2',
    ]);
    expect(ran(grow('P'), parts).report.tree).toMatchObject([
      { name: 'P', skipped: 'instrument', changed: false },
    ]);
    const required = observed(idle('P'), { ...parts, requiredPasses: ['P'] });
    expect(required).toStrictEqual([
      'enter I1',
      'enter I2',
      'before I1 P',
      'before I2 P',
      'after I1 P',
      'after I2 P',
      'exit I1',
      'exit I2',
    ]);
  });

  it('C376: a pass that throws has no after, the context is left, and the error comes out', () => {
    const p = pass({ name: 'P', doc: 'Throws.', level: 0, run: boom });
    expect(observed(p, { instruments: [spy('I1')] })).toStrictEqual([
      'enter I1',
      'should I1',
      'before I1 P',
      'exit I1',
    ]);
    expect(codes(p)).toStrictEqual(['bug PASS_THREW: pass P threw: boom']);
  });

  test.each<[string, Partial<Instrument>, ReadonlyArray<string>]>([
    ['enter', { enter: boom }, ['enter I1', 'exit I1']],
    ['shouldRun', { shouldRun: boom }, ['enter I1', 'enter I2', 'should I1', 'exit I1', 'exit I2']],
    [
      'beforePass',
      { beforePass: boom },
      ['enter I1', 'enter I2', 'should I1', 'should I2', 'before I1 P', 'exit I1', 'exit I2'],
    ],
    [
      'afterPass',
      { afterPass: boom },
      [...['enter I1', 'enter I2'], ...around('P').slice(0, 5), ...['exit I1', 'exit I2']],
    ],
    ['exit', { exit: boom }, [...['enter I1', 'enter I2'], ...around('P'), 'exit I1']],
  ])('one that throws in %s', (event, parts, expected) => {
    const instruments = [spy('I1'), spy('I2', parts), spy('I3', { enter: undefined as never })];
    const only = observed(idle('P'), { instruments: instruments.slice(0, 2) });
    expect(only).toStrictEqual(expected);
    expect(codes(idle('P'), { instruments: instruments.slice(0, 2) })).toStrictEqual([
      `bug PASS_INSTRUMENT_THREW: instrument I2 threw in ${event}: boom`,
    ]);
  });

  it('C377: timing gives a tree of total and own time', () => {
    let clock = 0;
    const now = (): number => clock;
    const busy = (name: string, ms: number): Pass =>
      pass({
        name,
        doc: 'Takes its time.',
        level: 0,
        run: (m) => {
          clock += ms;
          return right(m);
        },
      });
    const timing = passTiming(now);
    let text = '';
    const reader: Instrument = {
      name: 'reader',
      exit: () => {
        text = timing.render();
      },
    };
    const p = sequential([busy('InferType', 1), busy('FoldConstant', 3), busy('FoldConstant', 0)]);
    const result = ran(p, { instruments: [reader, timing], now });
    expect(text.split('\n')).toStrictEqual([
      'sequential: 4000us [0us] (100.00%; 100.00%)',
      '  InferType: 1000us [1000us] (25.00%; 25.00%)',
      '  FoldConstant: 3000us [3000us] (75.00%; 75.00%)',
      '  FoldConstant: 0us [0us] (0.00%; 0.00%)',
    ]);
    // U.3: it is still there when the run is over.
    expect(timing.render()).toBe(text);
    expect(result.report.ms).toBe(4);
    expect(passesRun(result.report).map((e: PassReportEntry) => e.ms)).toStrictEqual([1, 3, 0]);
  });

  it('printing gives the text of the passes that were named', () => {
    const texts: string[] = [];
    const emit = (p: { when: string; pass: string; text: string }): void => {
      texts.push(`${p.when} ${p.pass} ${p.text}`);
    };
    const print = (m: IRModule): string => (main(m).body === x ? 'x' : 'log');
    const instruments = [printBefore({ print, emit }), printAfter({ print, emit, passes: ['B'] })];
    ran(sequential([grow('A'), grow('B')], { name: 'S' }), { instruments });
    const plain: string[] = [];
    const toText = printAfter({ emit: ({ text }) => plain.push(text) });
    ran(idle('I'), { instruments: [toText] });
    expect(plain.join()).toContain('log(%x)');
    expect(texts).toStrictEqual(['before S log', 'before A log', 'before B log', 'after B log']);
  });

  it('replace the instruments of the context around a part', () => {
    const p = sequential([withContext({ instruments: [spy('I2')] }, idle('P')), idle('Q')]);
    const found = observed(p, { instruments: [spy('I1')] });
    const without = found.filter((e) => !e.startsWith('should') && !e.includes('sequential'));
    expect(without).toStrictEqual([
      'enter I1',
      'before I1 P',
      'enter I2',
      'before I2 P',
      'after I2 P',
      'exit I2',
      'after I1 P',
      'before I1 Q',
      'after I1 Q',
      'exit I1',
    ]);
  });
});

describe('the result of a pass', () => {
  it('is counted and compared', () => {
    const result = ran(sequential([grow('A'), idle('B')]));
    expect(passesRun(result.report)).toMatchObject([
      { name: 'A', nodesBefore: 1, nodesAfter: 2, changed: true },
      { name: 'B', nodesBefore: 2, nodesAfter: 2, changed: false },
    ]);
    expect(result.report).toMatchObject({ nodesBefore: 1, nodesAfter: 2, ms: 0, inferMs: 0 });
  });

  it('has its types, literals included, and so has the input of a pass', () => {
    const one = constant(scalar(1, 'int32'), undefined, 'int');
    const m = irModule({ ops, functions: new Map([['main', func([], one)]]) });
    let given: Func | undefined;
    const look = pass({
      name: 'Look',
      doc: 'Looks.',
      level: 0,
      run: (found) => {
        given = main(found);
        return right(withFunctions(found, new Map([['main', func([], apply(one))]])));
      },
    });
    const result = orThrow(runPass(look)(m));
    expect(given?.body).toMatchObject({ literal: undefined });
    expect(main(result.module)).toMatchObject({ retType: scalarType('int32') });
  });

  test.each<[string, Pass, RegExp]>([
    [
      'a private node that is left',
      pass({
        name: 'P',
        doc: 'Forgets.',
        level: 0,
        run: (m) =>
          right(
            withBody(
              m,
              tempExpr(0, () => x),
            ),
          ),
      }),
      /^bug PASS_BROKE_MODULE: pass P left a bad module: .*private node/,
    ],
    [
      'an ill-typed program',
      pass({
        name: 'P',
        doc: 'Breaks.',
        level: 0,
        run: (m) => right(withBody(m, apply(func([variable('y', f32)], x)))),
      }),
      /^bug PASS_BROKE_MODULE: pass P left a bad module: .*expected a tensor/,
    ],
    [
      'a variable that is bound twice',
      pass({
        name: 'P',
        doc: 'Binds twice.',
        level: 0,
        run: (m) => right(withBody(m, letIn(x, x, x))),
      }),
      /^bug PASS_BROKE_MODULE: pass P left a bad module: variable %x is bound more than once/,
    ],
    [
      'a variable that nothing binds',
      pass({
        name: 'P',
        doc: 'Drops a binding.',
        level: 0,
        run: (m) => right(withBody(m, apply(variable('y', f32)))),
      }),
      /^bug PASS_BROKE_MODULE: pass P left a bad module: nothing binds variable %y$/,
    ],
    [
      'nothing',
      pass({ name: 'P', doc: 'Forgets.', level: 0, run: () => right(undefined as never) }),
      /^bug PASS_NO_MODULE: pass P is expected to return a result with a module, returned a result with undefined$/,
    ],
    [
      'not even a result',
      pass({ name: 'P', doc: 'Forgets.', level: 0, run: () => undefined as never }),
      /^bug PASS_NO_MODULE: pass P is expected to return a result with a module, returned nothing$/,
    ],
    [
      'no function',
      functionPass({ name: 'P', doc: 'Forgets.', level: 0, run: () => undefined as never }),
      /^bug PASS_NO_MODULE: pass P is expected to return a result with a function, returned nothing$/,
    ],
  ])('is refused: %s', (_title, p, expected) => {
    const found = codes(p);
    expect(found[0]).toMatch(expected);
    expect(found.every((d) => d.startsWith('bug PASS_'))).toBe(true);
  });

  it('C379: is refused if the pass wrote into its input', () => {
    const write = pass({
      name: 'Writer',
      doc: 'Writes where it must not.',
      level: 0,
      run: (m) => {
        (main(m).body as { args: ReadonlyArray<Expr> }).args = [apply(x)];
        return right(m);
      },
    });
    const fresh = (): IRModule =>
      irModule({ ops, functions: new Map([['main', func([x], apply(x), { retType: f32 })]]) });
    const config = { 'testing.immutable_module': true };
    expect(codes(write, { config }, fresh())).toStrictEqual([
      'bug PASS_MUTATED: pass Writer changed its input module in place',
    ]);
    expect(codes(grow('A'), { config }, fresh())).toStrictEqual([]);
  });

  it('is not looked at when the given module has no types to begin with', () => {
    const bad = withBody(base, apply(func([variable('y', f32)], x)));
    expect(codes(idle('P'), {}, bad)).toStrictEqual([
      'error OP_NOT_TENSOR: log: expected a tensor',
    ]);
  });
});

describe('the rows of a pass', () => {
  const counting = (name: string, times: number): Pass =>
    pass({
      name,
      doc: 'Counts.',
      level: 0,
      rows: ['merged', 'kept', 'never'],
      run: (m, { count }) => {
        for (let i = 0; i < times; i++) count('merged');
        count('kept', 3);
        return right(m);
      },
    });

  it('are listed, and counted in the entry of the application', () => {
    const result = ran(sequential([counting('A', 2), counting('A', 1), counting('B', 0)]));
    expect(counting('A', 1).rows).toStrictEqual(['merged', 'kept', 'never']);
    expect(sequential([counting('A', 1)]).rows).toStrictEqual([]);
    expect(passesRun(result.report).map((entry) => entry.counts)).toStrictEqual([
      { merged: 2, kept: 3 },
      { merged: 1, kept: 3 },
      { kept: 3 },
    ]);
    expect(result.report.tree[0]?.counts).toStrictEqual({});
    expect([...passStatistics(result.report)]).toStrictEqual([
      ['A', { merged: 3, kept: 6 }],
      ['B', { kept: 3 }],
    ]);
  });

  it('of a nested application are in its own entry', () => {
    const outer = pass({
      name: 'Outer',
      doc: 'Runs another twice.',
      level: 0,
      rows: ['kept'],
      run: (m, context) => {
        context.count('kept');
        context.apply(counting('Inner', 1), m);
        return context.apply(counting('Inner', 2), m);
      },
    });
    const { report } = ran(outer);
    expect(report.tree).toMatchObject([
      { counts: { kept: 1 }, children: [{ counts: { merged: 1 } }, { counts: { merged: 2 } }] },
    ]);
    expect(Object.fromEntries(passStatistics(report))).toStrictEqual({
      Outer: { kept: 1 },
      Inner: { merged: 3, kept: 6 },
    });
  });

  it('are no others than those that it declares', () => {
    const p = pass({
      name: 'P',
      doc: 'Counts what it does not declare.',
      level: 0,
      run: (m, context) => {
        (context.count as (row: string) => void)('toString');
        return right(m);
      },
    });
    const result = runPass(p)(base);
    expect(isLeft(result) ? result.left.map((d) => `${d.code} ${d.message}`) : []).toStrictEqual([
      'PASS_THREW pass P threw: pass P counts only the rows that it declares: toString',
    ]);
  });

  it('stand under one name for a pass in a context of its own', () => {
    const { report } = ran(
      withContext({ level: 1 }, sequential([counting('A', 1)], { name: 'S' })),
    );
    expect(report.tree).toMatchObject([{ name: 'S', children: [{ name: 'A', children: [] }] }]);
  });
});
