/** PartialEvaluate on the library. */
import { orThrow } from '@baton/base';
import { irModule } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { runPass, sequential } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { importStd } from '@baton/text';
import { expect, test } from 'vitest';

test('the whole library goes through in A-normal form, and keeps its functions', () => {
  const library = orThrow(importStd(irModule({ ops: standardOps }), 'nat.rly'));
  const p = sequential([passes.toANormalForm, passes.partialEvaluate]);
  const { module, report } = orThrow(runPass(p)(library));
  expect([...module.functions.keys()].sort()).toEqual([...library.functions.keys()].sort());
  expect(report.tree[0]?.changed).toBe(true);
});
