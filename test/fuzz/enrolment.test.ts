import { ENROLLED, GROUPS } from '@baton/testing';
import { passes } from 'baton';
import { expect, test } from 'vitest';

test('every pass is enrolled in the fuzz run', () => {
  expect(ENROLLED.flatMap((e) => [e.counts, e.pass])).toEqual(
    expect.arrayContaining(Object.values(passes)),
  );
});

test('every pass has a group whose programs are made for it', () => {
  const groups = GROUPS.map((g) => g.name);
  expect(ENROLLED.filter((e) => !groups.includes(e.group))).toEqual([]);
});
