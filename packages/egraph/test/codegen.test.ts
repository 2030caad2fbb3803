import { orThrow } from '@baton/base';
import { EGraph, multiRewrite, rewrite, run, simpleScheduler } from '@baton/egraph';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  constantFolding,
  MATH7,
  math,
  mathRules,
} from '../../../bench/src/egraph/languages/math.ts';
import { stateOf } from './invariants.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Acts like a Content-Security-Policy without `unsafe-eval`. */
function forbidCodeGeneration(): void {
  vi.stubGlobal(
    'Function',
    class {
      constructor() {
        throw new EvalError('code generation from strings is not allowed');
      }
    },
  );
}

function mathState(codeGeneration: 'always' | 'never', delta: boolean): string {
  const egraph = new EGraph({ language: math, analysis: constantFolding });
  for (const text of MATH7) orThrow(egraph.addExpr(text));
  const options = { iterationLimit: 5, nodeLimit: 1e6, scheduler: simpleScheduler };
  run(egraph, mathRules, { ...options, codeGeneration, delta });
  return `${egraph.nodeCount} ${egraph.classCount}`;
}

describe('matchers', () => {
  it('that are generated and interpreted find the same, with and without delta matching', () => {
    for (const delta of [true, false]) {
      for (const mode of ['always', 'never'] as const) {
        expect(mathState(mode, delta)).toBe('3643 1176');
      }
    }
  });

  it('are interpreted where code generation is forbidden', () => {
    const state = (): string => {
      // New rules each time: generated code is kept with the rule.
      const rules = [
        rewrite('comm', '(+ ?a ?b)', '(+ ?b ?a)'),
        rewrite('assoc', '(+ ?a (+ ?b ?c))', '(+ (+ ?a ?b) ?c)'),
        rewrite('wide', '(w ?a ?b ?c ?d)', '(w ?d ?c ?b (+ ?a ?a))'),
        multiRewrite('join', '?x = (+ ?a ?b), ?y = (w ?a ?p ?q ?r)', '?y = (pair ?x ?b)'),
      ];
      const egraph = new EGraph();
      orThrow(egraph.addExpr('(+ a (+ b (+ c (w a b c d))))'));
      run(egraph, rules, { codeGeneration: 'always', iterationLimit: 5, nodeLimit: 3000 });
      return stateOf(egraph);
    };
    const allowed = state();
    forbidCodeGeneration();
    expect(() => new Function('return 1')).toThrow(EvalError);
    const forbidden = state();
    expect(forbidden.length).toBeGreaterThan(1000);
    // Nodes may be numbered differently; equalities may not differ.
    expect(JSON.parse(forbidden).slice(1, 3)).toEqual(JSON.parse(allowed).slice(1, 3));
  });
});
