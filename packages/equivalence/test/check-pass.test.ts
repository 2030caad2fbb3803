import { isLeft, orThrow, right } from '@baton/base';
import { checkPass } from '@baton/equivalence';
import { call, constant, type Expr, type IRModule, opRef } from '@baton/ir';
import { evaluateCall } from '@baton/ops';
import type { Pass } from '@baton/pass-manager';
import { isTensor } from '@baton/tensor';
import { expect, test } from 'vitest';
import { onEvery, read, renaming, rewriting, words } from './support.ts';

const m = read(`def @main(%x: Tensor[(2, 3), float32], %v: Tensor[(3), float32]) {
  %x * rsqrt(%v * %v + (0.1f * 0.1f))
}`);

const checked = (pass: Pass, given: IRModule) =>
  onEvery((executor) => {
    const found = checkPass(pass, given, { executor });
    return isLeft(found) ? found : right({ ...found.right, report: undefined });
  });

/** Computes calls whose arguments are constants, in their own dtypes. */
const folding = rewriting('folding', (c) => {
  const args = c.args.flatMap((a: Expr) => (a._tag === 'Constant' ? [a.data] : []));
  if (args.length !== c.args.length || c.op._tag !== 'Op') return undefined;
  const value = orThrow(evaluateCall(m.ops, c, args));
  return isTensor(value) ? constant(value) : undefined;
});

test('constants that a pass rounds are float64 in the shadow', () => {
  const found = orThrow(checked(folding, m));
  expect(found.changed).toBe(true);
  expect(words(found.equivalence)).toMatchObject({ shadow: 'equal', native: 'equal' });
});

test('a pass that drops an epsilon of 1e-5 is seen in the shadow alone', () => {
  const norm = read(`def @main(%x: Tensor[(2, 3), float32], %v: Tensor[(3), float32]) {
    %x * rsqrt(%v * %v + 4f + 0.00001f)
  }`);
  const dropping = rewriting('dropping', (c) => {
    const [left, right] = c.args;
    const isSmall = right?._tag === 'Constant' && Number(right.data.data[0]) < 1e-4;
    return isSmall ? (left as never) : undefined;
  });
  const found = orThrow(checked(dropping, norm));
  expect(words(found.equivalence)).toMatchObject({ shadow: 'different', native: 'equal' });
});

test('the declared needs of the pass are allowed', () => {
  const zeros = (x: Expr) => call(opRef('zeros_like'), [x], { attrs: {} });
  const turn = (needs: readonly 'nsz'[]) =>
    rewriting(
      'turn',
      ({ op, args: [x] }) =>
        op._tag === 'Op' && op.name === 'negative' && x !== undefined
          ? call(opRef('subtract'), [zeros(x), x], { attrs: {} })
          : undefined,
      { needs },
    );
  const given = read('def @main(%x: Tensor[(5, 7), float32]) { negative(%x) }');
  expect(orThrow(checked(turn([]), given)).equivalence.verdict).toBe('different');
  expect(orThrow(checked(turn(['nsz']), given)).equivalence.verdict).toBe('equal');
});

test('a pass that changes nothing is equal without a run', () => {
  const found = orThrow(checked(renaming('nn.relu', 'abs'), m));
  expect(found.changed).toBe(false);
  expect(found.equivalence.verdict).toBe('equal');
});

test('a pass that breaks the module fails with its own diagnostics', () => {
  const found = checked(renaming('rsqrt', 'nn.dense'), m);
  expect(isLeft(found) && found.left[0].code).toBe('PASS_BROKE_MODULE');
});

test('the sign of a zero is a difference unless the pass needs it not to be', () => {
  const drop = (needs: readonly 'nsz'[]) =>
    rewriting(
      'drop',
      ({ op, args: [x] }) => (op._tag === 'Op' && op.name === 'add' ? x : undefined),
      {
        needs,
      },
    );
  const given = read('def @main(%x: Tensor[(5, 7), float32]) { add(%x, 0f) }');
  // −0 + 0 is 0.
  expect(words(orThrow(checked(drop([]), given)).equivalence)).toMatchObject({
    special: 'different',
  });
  expect(orThrow(checked(drop(['nsz']), given)).equivalence.verdict).toBe('equal');
});
