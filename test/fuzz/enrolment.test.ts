import { ENROLLED, GROUPS, notEnrolled } from '@baton/testing';
import { expect, test } from 'vitest';

test('every pass is enrolled in the fuzz run', () => {
  expect(notEnrolled()).toEqual([]);
});

test('every pass has a group whose programs are made for it', () => {
  const groups = GROUPS.map((g) => g.name);
  expect(ENROLLED.filter((e) => !groups.includes(e.group))).toEqual([]);
});
