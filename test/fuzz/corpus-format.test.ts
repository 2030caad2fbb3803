/** A written failure reads back as the same failure. */

import { structuralEqual } from '@baton/ir';
import { GROUPS, readCorpusEntry, subjectOf, writeFailure } from '@baton/testing';
import { expect, test } from 'vitest';

test.each(GROUPS.map((g) => [g.name, g] as const))(
  'programs of the group %s read back, constants and all',
  (_name, group) => {
    for (let index = 0; index < 10; index++) {
      const { module, seed } = subjectOf(group, 5, index);
      const violation = { property: 'equivalent', detail: 'for the test' } as const;
      const entry = readCorpusEntry(
        writeFailure({ pass: 'foldConstant', seed, violation, module }),
      );
      if (typeof entry === 'string') throw new Error(entry);
      expect(entry).toMatchObject({ pass: 'foldConstant', seed, property: 'equivalent' });
      expect(structuralEqual(entry.module, module)).toBe(true);
    }
  },
);
