import { describe, expect, it } from 'vitest';
import { lambdaProblems, proveLambda } from '../../../bench/src/egraph/languages/lambda.ts';

describe('lambda calculus', () => {
  const prove = (start: string, ...goals: ReadonlyArray<string>): string => {
    const [, report] = proveLambda({ start, goals, nodeLimit: 10_000 }, { iterationLimit: 30 });
    return report.stopReason._tag;
  };
  it.each([
    ['(lam x (+ 4 (app (lam y (var y)) 4)))', '(lam x 8)'],
    ['(if (= (var a) (var b)) (+ (var a) (var a)) (+ (var a) (var b)))', '(+ (var a) (var b))'],
    ['(let x 0 (let y 1 (+ (var x) (var y))))', '1'],
    ['(if (= 1 1) 7 9)', '7'],
    [
      '(let zeroone (lam x (if (= (var x) 0) 0 1)) (+ (app (var zeroone) 0) (app (var zeroone) 10)))',
      '1',
    ],
  ])('%s becomes %s', (start, goal) => {
    expect(prove(start, goal)).toBe('Hook');
  });

  it.each([
    ['(let x 1 (lam x (var x)))', '(lam x 1)'],
    ['(let y (+ (var x) (var x)) (lam x (var y)))', '(lam x (+ (var x) (var x)))'],
    [
      '(let five 5 (let add-five (lam x (+ (var x) (var five))) (let five 6 (app (var add-five) 1))))',
      '7',
    ],
  ])('%s does not become %s', (start, goal) => {
    expect(prove(start, goal)).not.toBe('Hook');
  });

  it('knows its two benchmarks', () => {
    expect(Object.keys(lambdaProblems)).toEqual(['lambda-fib', 'lambda-repeat']);
  });
});
