/**
 * First, second and third derivatives of every operator at zeros, ties, ones and negative numbers:
 * where the values on both sides say what they are, they are that, and finite.
 */
import { hasGradient, standardOps } from '@baton/ops';
import { expect, test } from 'vitest';
import { amount } from '../tier.ts';
import { edgeCall, lineAt, wrongDerivatives } from './at-edges.ts';

const LINES = amount(18, { quick: 1 });

const NAMES = standardOps.names.filter(
  (name) => hasGradient(standardOps, name) && edgeCall(name, 1) !== undefined,
);

test.each(NAMES)('W12: derivatives of %s at edges', (name) => {
  const wrong: string[] = [];
  for (let seed = 0; seed < LINES; seed++) {
    const of = edgeCall(name, seed);
    // Consecutive operators begin with other edges.
    const line = of && lineAt(of, seed + NAMES.indexOf(name));
    if (of === undefined || line === undefined) continue;
    for (const { order, found, wanted } of wrongDerivatives(of, line, seed) ?? []) {
      wrong.push(`line ${seed}, order ${order}: ${found} for ${wanted}`);
    }
  }
  expect(wrong).toEqual([]);
});
