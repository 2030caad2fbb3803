import { orThrow, spanLeaves } from '@baton/base';
import { postOrderExprs } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';

const TWINS = `#[version = "0.0.5"]
def @main(%x: Tensor[(1, 16), float32]) {
  %0 = nn.relu(%x); %1 = nn.relu(%x); %2 = add(%0, 1f); %3 = add(%1, 1f); add(%2, %3)
}`;

const twins = orThrow(parseModule(TWINS, { ops: standardOps, source: 'twins' }));

const countOf = (m: typeof twins, name: string): number =>
  postOrderExprs([...m.functions.values()]).filter(
    (e) => e._tag === 'Call' && e.op._tag === 'Op' && e.op.name === name,
  ).length;

test('calls that the callback skips are left alone (C230)', () => {
  const pass = passes.eliminateCommonSubexpr({
    skip: (call) => call.op._tag === 'Op' && call.op.name === 'add',
  });
  const { module } = orThrow(runPass(pass)(twins));
  expect(countOf(module, 'nn.relu')).toBe(1);
  expect(countOf(module, 'add')).toBe(3);
});

test('a merged call names every place that it came from', () => {
  const { module } = orThrow(runPass(passes.eliminateCommonSubexpr)(twins));
  const relu = postOrderExprs([...module.functions.values()]).find(
    (e) => e._tag === 'Call' && e.op._tag === 'Op' && e.op.name === 'nn.relu',
  );
  expect(spanLeaves(relu?.span).length).toBe(2);
});
