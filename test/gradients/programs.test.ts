/** Gradients of random programs of the full language, against central differences. */
import { standardOps } from '@baton/ops';
import { checkGradients } from '@baton/testing';
import { expect, test } from 'vitest';
import { amount } from '../tier.ts';

const PROGRAMS = amount(120, { quick: 40 });

test('gradients of programs with closures, branches, recursion and references agree', () => {
  const { counts, differs } = checkGradients(standardOps, 1, PROGRAMS);
  expect(differs).toEqual([]);
  // The others have no floats to differentiate, or lie on a corner.
  expect(counts.get('Agrees') ?? 0).toBeGreaterThan(PROGRAMS / 2);
});
