import { scaleAxisColumn, standardOps } from '@baton/ops';
import { passes } from '@baton/passes';
import { expect, test } from 'vitest';

test('FoldScaleAxis has a counter for each operator with an equation, in both directions', () => {
  const known = standardOps.names.filter((n) => standardOps.read(scaleAxisColumn, n) !== undefined);
  const operators = (counters: ReadonlyArray<string>, direction: string): ReadonlyArray<string> =>
    counters
      .filter((counter) => counter.startsWith(direction))
      .map((counter) => counter.slice(direction.length))
      .sort();
  expect(
    operators(passes.backwardFoldScaleAxis.operatorCounters(standardOps), 'backward '),
  ).toEqual(known);
  // A bias would have to be divided by the scale: as in TVM, it has no rule in this direction.
  expect(operators(passes.forwardFoldScaleAxis.operatorCounters(standardOps), 'forward ')).toEqual(
    known.filter((name) => name !== 'nn.bias_add'),
  );
});
