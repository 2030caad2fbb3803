import { isLeft, orThrow, right } from '@baton/base';
import { call, func, type IRModule, inferTypes, opRef, withFunctions } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { type Pass, pass, passStatistics, runPass } from '@baton/pass-manager';
import { neverWorse, passes } from '@baton/passes';
import { parallels, saturate } from '@baton/rewrites';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';

const m = orThrow(
  inferTypes(
    orThrow(
      parseModule(
        '#[version = "0.0.5"]\ndef @main(%x: Tensor[(2, 3), float32]) { multiply(nn.relu(%x), 1f + 1f) }',
        { ops: standardOps },
      ),
    ),
  ),
);

/** Puts an operator around the result of `main`. */
const around = (name: string): Pass =>
  pass({
    name: 'Around',
    doc: 'Puts an operator around the result.',
    level: 0,
    run: (module: IRModule) => {
      const f = orThrow(right(module.functions.get('main')));
      if (f === undefined) return right(module);
      const body = call(opRef(name), [f.body]);
      return right(withFunctions(module, new Map([['main', func(f.params, body)]])));
    },
  });

const counted = (inner: Pass): Readonly<Record<string, number>> => {
  const { report } = orThrow(runPass(neverWorse(inner))(m));
  return passStatistics(report).get(`NeverWorse(${inner.name})`) ?? {};
};

test('a result that does less is taken', () => {
  const { module } = orThrow(runPass(neverWorse(passes.foldConstant))(m));
  expect(module).toEqual(orThrow(runPass(passes.foldConstant)(m)).module);
  expect(module).not.toBe(m);
  expect(counted(passes.foldConstant)).toEqual({ taken: 1 });
});

test('a result that does more is not, and the report says why', () => {
  const { module } = orThrow(runPass(neverWorse(around('nn.softmax')))(m));
  expect(module).toBe(m);
  expect(counted(around('nn.softmax'))).toEqual({
    'refused: more nodes': 1,
    'refused: more kernels': 1,
    'refused: more flops': 1,
    'refused: more bytesMoved': 1,
  });
});

test('one figure is enough', () => {
  // A negation joins the kernel of the rest.
  expect(counted(around('negative'))).toEqual({
    'refused: more nodes': 1,
    'refused: more flops': 1,
  });
});

test('by time, a faster program may have more nodes', () => {
  const step = (i: number): string =>
    `tanh(nn.dense(take(%x, ${i}i64, axis=1), %0) + Constant(1, (128), float32))`;
  const steps = orThrow(
    inferTypes(
      orThrow(
        parseModule(
          `#[version = "0.0.5"]
          def @main(%x: Tensor[(1, 4, 128), float32]) {
            %0 = Constant(2, (128, 128), float32);
            ${[0, 1, 2, 3].map(step).join(' + ')} }`,
          { ops: standardOps },
        ),
      ),
    ),
  );
  // One product of all steps, whose results are then biased one by one.
  const joined = saturate(parallels);
  const rowsOf = (by: 'work' | 'time') =>
    passStatistics(orThrow(runPass(neverWorse(joined, { by }))(steps)).report).get(
      'NeverWorse(Saturate)',
    );
  expect(rowsOf('work')).toEqual({ 'refused: more nodes': 1 });
  expect(rowsOf('time')).toEqual({ taken: 1 });
});

test('nothing changed is the same object', () => {
  expect(orThrow(runPass(neverWorse(passes.deadCodeElimination))(m)).module).toBe(m);
});

test('what is no pass is told', () => {
  const result = runPass(neverWorse('optimize' as unknown as Pass))(m);
  expect(isLeft(result) && result.left.map(({ code }) => code)).toEqual(['PASS_NOT_A_PASS']);
});
