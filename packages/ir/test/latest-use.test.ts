/** The table of the latest uses of scopes, compared with a list that is searched. */
import { describe, expect, test } from 'vitest';
import { makeLatestUse } from '../src/equal/latest-use.ts';

/** The deepest place before `depth` that holds `since` or more; −1 if none does. */
const searched = (times: ReadonlyArray<number>, depth: number, since: number): number =>
  times.slice(0, depth).findLastIndex((time) => time >= since);

describe('the deepest scope with a late use', () => {
  test.each([0, 1, 63, 64, 65, 127, 128, 300])(
    'is found after a first use at depth %i',
    (depth) => {
      const table = makeLatestUse();
      table.record(depth, 1);
      expect(table.deepestBelow(depth + 1, 1)).toBe(depth);
      expect(table.deepestBelow(depth, 1)).toBe(-1);
      expect(table.deepestBelow(depth + 1, 2)).toBe(-1);
    },
  );

  test('is the one that a search finds', () => {
    const table = makeLatestUse();
    const times: number[] = new Array(200).fill(-1);
    for (let time = 0; time < 400; time++) {
      const depth = (time * 37) % 200;
      table.record(depth, time);
      times[depth] = time;
      const [below, since] = [(time * 53) % 200, time - ((time * 29) % 150)];
      expect([time, table.deepestBelow(below, since)]).toEqual([
        time,
        searched(times, below, since),
      ]);
    }
  });
});
