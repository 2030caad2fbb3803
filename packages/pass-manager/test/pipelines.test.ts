/** Pipelines, contexts and their configuration. */
import { diagnostic, fail, isLeft, orThrow, right } from '@baton/base';
import { type Func, func, irModule, variable } from '@baton/ir';
import {
  functionPass,
  fuseMaxDepthKey,
  intKey,
  type Pass,
  type PassContextParts,
  pass,
  passContext,
  passEnabled,
  readConfig,
  runPass,
  sequential,
  withContext,
} from '@baton/pass-manager';
import { describe, expect, it, test } from 'vitest';
import { base, codes, f32, grow, idle, names, num, ops, ran } from './support.ts';

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
