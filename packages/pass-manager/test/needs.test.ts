/** The freedoms that passes took, over several runs, and contexts inside contexts. */
import { orThrow, right } from '@baton/base';
import {
  type FastMath,
  intKey,
  needsOf,
  type Pass,
  pass,
  readConfig,
  runPass,
  sequential,
  withContext,
} from '@baton/pass-manager';
import { describe, expect, it } from 'vitest';
import { base, grow, idle, ran } from './support.ts';

const taking = (name: string, needs: ReadonlyArray<FastMath>, inner: Pass = grow(name)): Pass => ({
  ...inner,
  needs,
});

describe('needs', () => {
  it('of several runs are those of all', () => {
    const first = orThrow(runPass(taking('A', ['nsz']))(base)).module;
    const second = orThrow(runPass(taking('B', ['arcp']))(first)).module;
    const third = orThrow(runPass(taking('C', []))(second)).module;
    expect([first, second, third].map(needsOf)).toEqual([
      ['nsz'],
      ['nsz', 'arcp'],
      ['nsz', 'arcp'],
    ]);
  });

  it('of passes that change nothing are not taken', () => {
    const p = sequential([
      taking('A', ['arcp'], idle('A')),
      taking('B', ['nsz']),
      taking('C', ['afn'], idle('C')),
    ]);
    const { module, report } = ran(p);
    expect(report.needs).toEqual(['nsz']);
    expect(needsOf(module)).toEqual(['nsz']);
  });

  it('of a run that changes nothing are those of earlier runs', () => {
    const first = orThrow(runPass(taking('A', ['nsz']))(base)).module;
    const second = orThrow(runPass(taking('B', ['arcp'], idle('B')))(first)).module;
    expect(needsOf(second)).toEqual(['nsz']);
  });
});

describe('contexts in contexts', () => {
  const key = intKey('user.depth', 7, 'A depth.');
  const other = intKey('user.width', 1, 'A width.');
  const seen: number[] = [];
  const reads = pass({
    name: 'Reads',
    doc: 'Reads.',
    level: 0,
    run: (m, context) => {
      seen.push(context.level, readConfig(context, key), readConfig(context, other));
      return right(m);
    },
  });
  const inside = (parts: Parameters<typeof withContext>[0], p: Pass): ReadonlyArray<number> => {
    seen.length = 0;
    ran(withContext(parts, p), { level: 3, configKeys: [key, other] });
    return [...seen];
  };

  it('the innermost has the last word, and the others have what it leaves open', () => {
    const config = { 'user.depth': 9 };
    expect(inside({ config: { 'user.depth': 8 } }, withContext({ config }, reads))).toEqual([
      3, 9, 1,
    ]);
    expect(
      inside({ level: 2, config: { 'user.width': 5 } }, withContext({ config }, reads)),
    ).toEqual([2, 9, 5]);
    expect(inside({ config }, withContext({ level: 1 }, reads))).toEqual([1, 9, 1]);
    const deep = withContext({ config: { 'user.depth': 8 } }, withContext({ config }, reads));
    expect(inside({ level: 1, config: { 'user.depth': 5 } }, deep)).toEqual([1, 9, 1]);
  });

  it('a pass after an inner context has the outer one', () => {
    const inner = withContext({ level: 1, config: { 'user.depth': 9 } }, reads);
    expect(inside({ config: { 'user.depth': 8 } }, sequential([inner, reads]))).toEqual([
      1, 9, 1, 3, 8, 1,
    ]);
  });
});
