import { DiagnosticsError, diagnostic, fail, isLeft, ok, type Result } from '@baton/base';
import { func, type IRModule, irModule, opTable, scalarType, variable } from '@baton/ir';
import {
  functionPass,
  type Pass,
  type PassContextParts,
  pass,
  runPass,
  sequential,
  withContext,
} from '@baton/pass-manager';
import { describe, expect, it, test } from 'vitest';

/** Misspelled and mistyped input, and the messages. */

const x = variable('x', scalarType('float32'));
const m = irModule({ ops: opTable([]), functions: new Map([['main', func([x], x)]]) });
const idle = (name: string, level = 0): Pass => pass({ name, level, doc: 'Nothing.', run: ok });
const fold = idle('FoldConstant', 2);
const fuse = idle('FuseOps');
const both = sequential([fold, fuse]);

/** The input of a JavaScript program. */
const untyped = <A>(value: unknown): A => value as A;

function said(result: Result<unknown>): string {
  if (!isLeft(result)) return 'nothing';
  const [first] = result.left;
  return [
    `${first.code}: ${first.message}`,
    ...(first.hint === undefined ? [] : [first.hint]),
  ].join('\n');
}

describe('U.4 a context refuses unknown names and wrong types', () => {
  const inContext = (parts: unknown): string =>
    said(runPass(both, untyped<PassContextParts>(parts))(m));

  test.each<[string, unknown, string]>([
    [
      'a disabled pass that is misspelled',
      { disabledPasses: ['FoldConstnat'] },
      'PASS_UNKNOWN: `disabledPasses` names FoldConstnat, and no pass of that name would run\n' +
        'did you mean `FoldConstant`? there is FoldConstant, FuseOps, sequential',
    ],
    [
      'a required pass that there is not',
      { requiredPasses: ['Bogus'] },
      'PASS_UNKNOWN: `requiredPasses` names Bogus, and no pass of that name would run\n' +
        'there is FoldConstant, FuseOps, sequential',
    ],
    [
      'a level below all',
      { level: -3 },
      'OPTION_TYPE: expected a number of at least 0 for option `level` of a pass context, found -3',
    ],
    [
      'a level as a text',
      { level: '3' },
      'OPTION_TYPE: expected a number of at least 0 for option `level` of a pass context, found "3"',
    ],
    [
      'a part that is misspelled',
      { disabledPass: ['FuseOps'] },
      'OPTION_UNKNOWN: a pass context has no option `disabledPass`\n' +
        'did you mean `disabledPasses`? there is level, requiredPasses, disabledPasses, config, ' +
        'configKeys, instruments, now, countNodes, verify, limits',
    ],
    [
      'a name where a list of names belongs',
      { disabledPasses: 'FuseOps' },
      'OPTION_TYPE: expected a list of names of passes for option `disabledPasses` of a pass ' +
        'context, found "FuseOps"',
    ],
    [
      'an instrument whose hook is no function',
      { instruments: [{ name: 'I', beforePass: 'print' }] },
      'OPTION_TYPE: expected a list of instruments: a name and functions as hooks for option ' +
        '`instruments` of a pass context, found a record in it',
    ],
    [
      'a configuration key that is misspelled',
      { config: { 'relay.FuseOps.maxdepth': 3 } },
      'PASS_CONFIG_UNKNOWN: expected a known configuration key, found relay.FuseOps.maxdepth\n' +
        'did you mean `relay.FuseOps.max_depth`? there is relay.FuseOps.link_params, ' +
        'relay.FuseOps.max_depth, relay.ToMixedPrecision.keep_orig_output_dtype, ' +
        'testing.immutable_module',
    ],
    ['a number', 3, 'OPTION_RECORD: a pass context expects a record of options, found 3'],
  ])('%s', (_title, parts, expected) => {
    expect(inContext(parts)).toBe(expected);
    expect(said(runPass(withContext(untyped<PassContextParts>(parts), both))(m))).toBe(expected);
  });

  it('names passes that a pipeline nests, requires, and wraps, and those that a pass says it runs', () => {
    const needed = idle('Needed');
    const whole = sequential([
      withContext({ level: 1 }, sequential([fold])),
      pass({ name: 'P', level: 0, doc: '', requires: [needed], passes: [fuse], run: ok }),
    ]);
    const parts = { disabledPasses: ['FoldConstant', 'Needed', 'FuseOps', 'P'] };
    expect(said(runPass(whole, parts)(m))).toBe('nothing');
  });

  it('says where the context was given', () => {
    const result = runPass(both, { level: -1 })(m);
    const span = isLeft(result) ? result.left[0].span : undefined;
    expect(span).toMatchObject({ name: expect.stringMatching(/mistakes\.test\.ts:\d+:\d+$/) });
  });
});

describe('U.11 passes and lists refuse values that are no passes', () => {
  const run = (p: unknown): string => said(runPass(untyped<Pass>(p))(m));
  const made = (result: unknown): Pass =>
    functionPass({ name: 'P', level: 0, doc: '', run: () => untyped<never>(result) });

  test.each<[string, () => unknown, string]>([
    [
      'a list with a hole',
      () => sequential([fold, untyped<Pass>(undefined)]),
      'PASS_NOT_A_PASS: expected a pass as item 1 of a list, found undefined\nis its name misspelled?',
    ],
    [
      'no list',
      () => sequential(untyped<ReadonlyArray<Pass>>(fold)),
      'PASS_NOT_A_PASS: expected a pass in a list, found a Pass',
    ],
    [
      'a function that would make a pass',
      () => sequential,
      'PASS_NOT_A_PASS: expected a pass to run, found a function',
    ],
    [
      'a pipeline with an option that there is not',
      () => sequential([], untyped<object>({ nam: 'whole' })),
      'OPTION_UNKNOWN: sequential has no option `nam`\n' +
        'did you mean `name`? there is name, doc, level, requires, subject',
    ],
    [
      'a pass without a function',
      () => pass(untyped<never>({ name: 'P', level: 0 })),
      'OPTION_MISSING: pass needs `run`, a function',
    ],
    [
      'a pass with a word that is none',
      () => functionPass(untyped<never>({ name: 'P', level: 0, run: ok, needs: ['fast'] })),
      'OPTION_TYPE: expected a list of some of nsz, nnan, ninf, reassoc, contract, arcp, afn, ' +
        'range, narrow, quantized, scaled for option `needs` of functionPass, found "fast" in it',
    ],
    [
      'a context around nothing',
      () => withContext({}, untyped<Pass>(undefined)),
      'PASS_NOT_A_PASS: expected a pass in a context, found undefined\nis its name misspelled?',
    ],
    [
      'a pass that returns a bare function',
      () => made(func([x], x)),
      'PASS_NO_MODULE: pass P is expected to return a result with a function, returned a Function\n' +
        'write ok(f)',
    ],
    [
      'a pass that returns a bare module',
      () => pass({ name: 'P', level: 0, doc: '', run: () => untyped<never>(m) }),
      'PASS_NO_MODULE: pass P is expected to return a result with a module, returned a IRModule\n' +
        'write ok(m)',
    ],
  ])('%s', (_title, wrong, expected) => {
    expect(run(wrong())).toBe(expected);
  });

  it('a result in the place of a module', () => {
    expect(said(runPass(both)(untyped<IRModule>(ok(m))))).toBe(
      'PASS_NOT_A_MODULE: expected a module to run on, found a Right\n' +
        'take the value out of it: orThrow(result)',
    );
  });

  it('the exception of a pass keeps its stack', () => {
    const boom = (): never => {
      throw new TypeError('boom');
    };
    const result = runPass(pass({ name: 'P', level: 0, doc: '', run: () => boom() }))(m);
    const notes = isLeft(result) ? result.left[0].related.map((note) => note.message) : [];
    expect(notes[0]).toMatch(/^at boom .*mistakes\.test\.ts:\d+:\d+\)$/);
    expect(notes.length).toBeGreaterThan(1);
  });

  it('diagnostics that a pass throws are its failure', () => {
    const refused = diagnostic('MY_RULE', 'expected a constant, found a call');
    const throwing = pass({
      name: 'P',
      level: 0,
      doc: '',
      run: () => {
        throw new DiagnosticsError([refused]);
      },
    });
    expect(runPass(throwing)(m)).toEqual(
      fail({ ...refused, related: [{ message: 'pass P threw this' }] }),
    );
  });
});

describe('reports', () => {
  it('U.2 have a flat row for each pass, which a console can show', () => {
    const report = runPass(sequential([fold, sequential([fuse])]), {
      level: 1,
      disabledPasses: ['FuseOps'],
    })(m);
    expect(isLeft(report) ? [] : report.right.report.passes).toEqual([
      row('FoldConstant', "left out: above the context's level"),
      row('FuseOps', 'left out: disabled by the context'),
    ]);
  });

  const row = (name: string, did: string) => ({ name, ms: 0, nodesBefore: 0, nodesAfter: 0, did });
});
