/** Instruments: their order, their failures, timing and printing. */
import { isLeft, right } from '@baton/base';
import { type IRModule, postOrderExprs } from '@baton/ir';
import {
  type Instrument,
  type Pass,
  type PassContextParts,
  type PassReportEntry,
  pass,
  passesRun,
  passTiming,
  printAfter,
  printBefore,
  printIr,
  runPass,
  sequential,
  withContext,
} from '@baton/pass-manager';
import { describe, expect, it, test } from 'vitest';
import { base, codes, grow, idle, main, names, ran, x } from './support.ts';

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

  it('PrintIR prints once for each time that it stands in a list, and changes nothing', () => {
    const sizes: number[] = [];
    const size = (m: IRModule): string => `${postOrderExprs([main(m).body]).length}`;
    const print = printIr((text) => sizes.push(Number(text)), size);
    const p = sequential([print, grow('A'), print, print]);
    expect(names(ran(p))).toStrictEqual(['PrintIR', 'A', 'PrintIR', 'PrintIR']);
    expect(sizes).toStrictEqual([3, 5, 5]);
    expect(ran(print).module.functions).toStrictEqual(ran(idle('I')).module.functions);
    const texts: string[] = [];
    ran(printIr((text) => texts.push(text)));
    expect(texts.join()).toContain('log(%x)');
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
