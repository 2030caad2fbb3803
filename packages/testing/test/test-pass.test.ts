import { DiagnosticsError, isLeft, ok, orThrow, renderDiagnostics } from '@baton/base';
import {
  call,
  children,
  type Expr,
  type Func,
  opRef,
  postOrderExprs,
  withChildren,
} from '@baton/ir';
import { functionPass, type Pass } from '@baton/pass-manager';
import { readNumber } from '@baton/tensor';
import { type Motif, motif, programOf, programs, testPass } from '@baton/testing';
import { describe, expect, it } from 'vitest';

/** A user's pass: a product with 2 becomes a sum, or by mistake something else. */
const twice = (made: (x: Expr) => Expr): Pass =>
  functionPass({
    name: 'Twice',
    doc: 'Turns products with two into sums.',
    level: 0,
    run: (f) => {
      const results = new Map<Expr, Expr>();
      for (const node of postOrderExprs([f])) {
        const next = withChildren(
          node,
          children(node).map((child) => results.get(child) ?? child),
        );
        results.set(node, isDoubled(next) ? made(next.args[0] as Expr) : next);
      }
      return ok((results.get(f) ?? f) as Func);
    },
  });

const isDoubled = (node: Expr): node is Extract<Expr, { _tag: 'Call' }> => {
  if (node._tag !== 'Call' || node.op._tag !== 'Op' || node.op.name !== 'multiply') return false;
  const [, factor] = node.args;
  const isScalar = factor?._tag === 'Constant' && factor.data.shape.length === 0;
  return isScalar && readNumber(factor.data, 0) === 2;
};

const sound = twice((x) => call(opRef('add'), [x, x]));
const wrong = twice((x) => call(opRef('multiply'), [x, x]));

/** The motif of the pass. */
const doubled = motif(1, 'multiply', (b) =>
  b.tensor('multiply', [b.operand(), b.constant([2], [])]),
);

describe('a motif with a mistake is an error of the user', () => {
  it.each([
    [
      'shapes that do not fit',
      'TESTING_CALL',
      (b) => b.tensor('nn.dense', [b.constant([2], []), b.operand()]),
    ],
    [
      'an attribute that there is not',
      'TESTING_CALL',
      (b) => b.tensor('nn.relu', [b.operand()], { axis: 1 }),
    ],
    [
      'a value of an attribute',
      'TESTING_CALL',
      (b) => b.tensor('transpose', [b.operand()], { axes: [7, 7] }),
    ],
    ['too few arguments', 'TESTING_CALL', (b) => b.tensor('add', [b.operand()])],
    ['too many arguments', 'TESTING_CALL', (b) => b.tensor('nn.relu', [b.operand(), b.operand()])],
    ['no such operator', 'TESTING_CALL', (b) => b.tensor('nn.rellu', [b.operand()])],
    [
      'a tuple for a tensor',
      'TESTING_CALL',
      (b) => b.tensor('split', [b.constant([1, 2], [2])], { axis: 0, indices_or_sections: 2 }),
    ],
    ['an exception', 'TESTING_MOTIF', () => raise()],
  ] satisfies ReadonlyArray<readonly [string, string, Motif['make']]>)('%s', (_, code, make) => {
    const motifs = [motif(1, '', make)];
    const found = testPass(sound, { count: 3, motifs });
    expect(isLeft(found) && found.left[0].code).toBe(code);
    expect(() => programOf(0, { motifs })).toThrow(DiagnosticsError);
  });
});

const raise = (): never => {
  throw new TypeError('a mistake');
};

describe('U.6 a trial of a pass says how often the pass did anything', () => {
  it('refuses to call a pass sound that changed nothing', () => {
    const found = testPass(sound, { count: 20 });
    expect(isLeft(found) && found.left[0]).toMatchObject({
      code: 'TESTING_NEVER_CHANGED',
      message: 'pass Twice changed none of 20 programs',
    });
  });

  it("dwells on the user's motifs, and counts", () => {
    const trial = orThrow(testPass(sound, { count: 20, motifs: [doubled] }));
    expect(trial.programs).toBe(20);
    expect(trial.changed).toBeGreaterThan(15);
    expect(trial.unknown).toBe(0);
  });

  it('shows the smallest program on which a pass is wrong', () => {
    const found = testPass(wrong, { count: 20, motifs: [doubled] });
    const text = isLeft(found) ? renderDiagnostics(found.left) : '';
    expect(text).toContain('pass Twice changed what a program computes');
    expect(text).toMatch(/note: {3}multiply\(%\w+, 2f\)/);
  });

  it('gives the same programs to the same seed, with motifs as without', () => {
    const options = { motifs: [doubled] };
    expect(programOf(5, options).module.functions.size).toBe(
      programOf(5, options).module.functions.size,
    );
  });
});

it('U.4 options that there are not are refused where they were given', () => {
  // @ts-expect-error no such focus
  expect(() => programs({ focus: 'scale-chain' })).toThrow(/did you mean `scale-chains`/);
  // @ts-expect-error no such option
  expect(() => programOf(1, { maxcalls: 3 })).toThrow(/did you mean `maxCalls`/);
  const found = testPass(sound, { count: 0 });
  expect(isLeft(found) && found.left[0].code).toBe('OPTION_TYPE');
});
