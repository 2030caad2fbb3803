import { isLeft, orThrow, right } from '@baton/base';
import { call, func, type IRModule, inferTypes, opRef, withFunctions } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { type Pass, pass, passStatistics, runPass } from '@baton/pass-manager';
import { neverWorse, passes } from '@baton/passes';
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

test('nothing changed is the same object', () => {
  expect(orThrow(runPass(neverWorse(passes.deadCodeElimination))(m)).module).toBe(m);
});

test('what is no pass is told', () => {
  const result = runPass(neverWorse('optimize' as unknown as Pass))(m);
  expect(isLeft(result) && result.left.map(({ code }) => code)).toEqual(['PASS_NOT_A_PASS']);
});
