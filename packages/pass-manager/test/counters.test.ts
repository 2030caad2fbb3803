/** The counters and remarks of passes. */
import { isLeft, right } from '@baton/base';
import { opTable } from '@baton/ir';
import {
  operatorCounter,
  type Pass,
  pass,
  passesRun,
  passStatistics,
  runPass,
  sequential,
  withContext,
} from '@baton/pass-manager';
import { describe, expect, it } from 'vitest';
import { base, ran } from './support.ts';

describe('the counters of a pass', () => {
  const counting = (name: string, times: number): Pass =>
    pass({
      name,
      doc: 'Counts.',
      level: 0,
      counters: ['merged', 'kept', 'never'],
      run: (m, { count }) => {
        for (let i = 0; i < times; i++) count('merged');
        count('kept', 3);
        return right(m);
      },
    });

  it('have deprecated names, which are accepted and listed too', () => {
    const old = pass({
      name: 'Old',
      doc: 'Has the names of before.',
      level: 0,
      rows: ['merged'],
      notes: ['kept'],
      operatorRows: () => [operatorCounter('add')],
      run: (m, { count }) => {
        for (const name of ['merged', 'kept', 'add'] as const) count(name as 'merged');
        return right(m);
      },
    });
    const [counters, remarks] = [['merged'], ['kept']];
    expect(old).toMatchObject({ counters, remarks, rows: counters, notes: remarks });
    const { operatorCounters } = old;
    expect(counting('A', 1)).toMatchObject({ rows: ['merged', 'kept', 'never'], notes: [] });
    expect([old.operatorRows, operatorCounters(opTable([]))]).toEqual([operatorCounters, ['add']]);
    expect(passesRun(ran(old).report)[0]?.counts).toEqual({ merged: 1, kept: 1, add: 1 });
  });

  it('are listed, and counted in the entry of the application', () => {
    const result = ran(sequential([counting('A', 2), counting('A', 1), counting('B', 0)]));
    expect(counting('A', 1).counters).toStrictEqual(['merged', 'kept', 'never']);
    expect(sequential([counting('A', 1)]).counters).toStrictEqual([]);
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
      counters: ['kept'],
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

  it('have their times by the clock of the context', () => {
    let time = 0;
    const timed = pass({
      name: 'Timed',
      doc: 'Has a row within another.',
      level: 0,
      counters: ['outer', 'inner'],
      run: (m, { timed: take }) => {
        const inner = () => {
          time += 2;
          return right(m);
        };
        return take('outer', () => {
          time += 5;
          return take('inner', inner);
        });
      },
    });
    const { report } = ran(timed, { now: () => time });
    expect(report.tree[0]?.rowMs).toStrictEqual({ inner: 2, outer: 7 });
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
      'PASS_THREW pass P threw: pass P counts only what it declares: toString',
    ]);
  });

  it('stand under one name for a pass in a context of its own', () => {
    const { report } = ran(
      withContext({ level: 1 }, sequential([counting('A', 1)], { name: 'S' })),
    );
    expect(report.tree).toMatchObject([{ name: 'S', children: [{ name: 'A', children: [] }] }]);
  });
});
