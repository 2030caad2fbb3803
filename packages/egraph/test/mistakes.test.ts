import {
  applier,
  type ClassId,
  DiagnosticsError,
  defineLanguage,
  EGraph,
  fromGraphData,
  multiRewrite,
  numberLeaf,
  orThrow,
  type Result,
  rewrite,
  run,
  runAsync,
  search,
  when,
  whenEqual,
} from '@baton/egraph';
import { describe, expect, it } from 'vitest';

/** The message that a user gets from this result through `orThrow`. */
const shown = (result: () => unknown): string => {
  try {
    result();
  } catch (error) {
    if (error instanceof DiagnosticsError) return error.message;
    throw error;
  }
  return 'no mistake';
};

const thrown = (result: Result<unknown>): string => shown(() => orThrow(result));

describe('U.11 an unclosed parenthesis names rule and column, with the text and a caret', () => {
  it('of a rewrite', () => {
    expect(thrown(rewrite('add-zero', '(+ ?a (* 0 1)', '?a'))).toBe(
      `error[EGRAPH_UNEXPECTED_END]: expected \`)\`, found the end of the text
  --> rule add-zero, left side:1:14
  |
1 | (+ ?a (* 0 1)
  |              ^
note: it would close this
  --> rule add-zero, left side:1:1
  |
1 | (+ ?a (* 0 1)
  | ^`,
    );
    expect(thrown(rewrite('add-zero', '(+ ?a 0)', '(f (g'))).toContain(
      'note: it would close this\n  --> rule add-zero, right side:1:4',
    );
    expect(thrown(rewrite('add-zero', '(+ ?a 0)', '(f ('))).toContain('right side:1:4');
  });

  it('of a later clause of a multi-pattern, at its place in the whole text', () => {
    expect(thrown(multiRewrite('join', '?x = (f ?a), ?y = (g ?b', '?x = ?y'))).toBe(
      `error[EGRAPH_UNEXPECTED_END]: expected \`)\`, found the end of the text
  --> rule join, left side:1:24
  |
1 | ?x = (f ?a), ?y = (g ?b
  |                        ^
note: it would close this
  --> rule join, left side:1:19
  |
1 | ?x = (f ?a), ?y = (g ?b
  |                   ^`,
    );
    const second = thrown(multiRewrite('join', '?x = (f ?a) = (g ?b))', '?x = ?a'));
    expect(second).toContain('EGRAPH_TRAILING_TEXT');
    expect(second).toContain('rule join, left side:1:21');
    expect(thrown(multiRewrite('join', '?x = (f ?a), (g ?b)', '?x = ?a'))).toContain(
      'rule join, left side:1:13\n  |\n1 | ?x = (f ?a), (g ?b)\n  |             ^^^^^^^',
    );
  });

  it('of a term and of a condition', () => {
    expect(thrown(new EGraph().addExpr('(f\n  (g a)'))).toContain(
      '  --> term:2:8\n  |\n2 |   (g a)\n  |        ^\nnote: it would close this\n  --> term:1:1',
    );
    expect(thrown(new EGraph().addExpr(' '))).toContain('expected an expression, found the end');
    expect(shown(() => whenEqual('?a', '(f ?a'))).toContain('  --> whenEqual:1:6');
  });
});

describe('U.9 a condition or right-hand side that throws', () => {
  const graph = (): EGraph => {
    const egraph = new EGraph();
    orThrow(egraph.addExpr('(f a)'));
    return egraph;
  };
  const thrower = (): never => {
    throw new TypeError('no such data');
  };

  it.each([
    ['condition', rewrite('rule-7', '(f ?a)', '?a', { when: when('?a', thrower) })],
    ['right-hand side', rewrite('rule-7', '(f ?a)', applier(['?a'], thrower))],
  ])('names its rule, in the report and as a value: a %s', async (_, rule) => {
    const egraph = graph();
    const report = run(egraph, [rule]);
    expect(report.stopReason).toMatchObject({
      _tag: 'Failed',
      diagnostics: [{ code: 'EGRAPH_RULE_THREW' }],
    });
    const text = thrown(report.outcome);
    expect(text).toMatch(
      /^error\[EGRAPH_RULE_THREW\]: rule `rule-7` threw TypeError: no such data\nnote: at .*thrower/,
    );
    expect(text).toContain('mistakes.test.ts:');
    // The e-graph is unchanged, and usable.
    expect([egraph.nodeCount, egraph.classCount, egraph.dirty]).toEqual([2, 2, false]);
    expect(run(egraph, [rewrite('f', '(f ?a)', '?a')]).outcome).toEqual({
      _tag: 'Right',
      right: { _tag: 'Saturated' },
    });
    const later = await runAsync(graph(), [rule], { now: () => 0 });
    expect(thrown(later.outcome)).toBe(text);
  });

  it('shows a thrown value that is no error, and is not blamed for a limit', () => {
    const rule = rewrite(
      'odd',
      '(f ?a)',
      applier(['?a'], () => {
        throw 'a text';
      }),
    );
    expect(thrown(run(graph(), [rule]).outcome)).toBe(
      'error[EGRAPH_RULE_THREW]: rule `odd` threw a text',
    );
    const grow = rewrite(
      'grow',
      '(f ?a)',
      applier(['?a'], ({ egraph }) => egraph.add('f', [egraph.add(`a${egraph.nodeCount}`)])),
    );
    expect(run(graph(), [grow], { nodeLimit: 5 }).stopReason._tag).toBe('NodeLimit');
  });
});

describe('U.12 a run that fails says so as a value', () => {
  it('for rules that were not built or do not fit', () => {
    const language = defineLanguage({ operators: { f: 1, a: 0 } });
    const make = (): EGraph => new EGraph({ language });
    expect(thrown(run(make(), [rewrite('r', '(f ?a', '?a')]).outcome)).toContain(
      'rule r, left side:1:6',
    );
    expect(thrown(run(make(), [rewrite('r', '(f ?a)', '(g ?a)')]).outcome)).toContain(
      'EGRAPH_UNKNOWN_OPERATOR',
    );
    expect(run(make(), []).outcome).toEqual({ _tag: 'Right', right: { _tag: 'Saturated' } });
  });
});

describe('U.12 ids and operators that an e-graph does not have are refused', () => {
  const language = defineLanguage({ operators: { f: 1, a: 0 }, leaves: { num: numberLeaf } });
  const made = (): EGraph => {
    const egraph = new EGraph({ language });
    orThrow(egraph.addExpr('(f a)'));
    return egraph;
  };

  it.each([99, 2, -1, 0.5, Number.NaN])('%s, which is the id of no class', (number) => {
    const id = number as ClassId;
    const known = 0 as ClassId;
    const uses: ReadonlyArray<(egraph: EGraph) => unknown> = [
      (egraph) => egraph.add('f', [id]),
      (egraph) => egraph.addNode(egraph.operator('f', 1), [id]),
      (egraph) => egraph.lookup('f', [id]),
      (egraph) => egraph.find(id),
      (egraph) => egraph.union(known, id),
      (egraph) => egraph.union(id, known),
      (egraph) => egraph.data(id),
      (egraph) => egraph.setData(id, undefined),
      (egraph) => egraph.prune(id, () => true),
      (egraph) => egraph.nodes(id),
      (egraph) => search(egraph, { _tag: 'Variable', name: '?a' }, { within: id }),
    ];
    for (const use of uses) {
      const egraph = made();
      expect(shown(() => use(egraph))).toBe(
        `error[EGRAPH_UNKNOWN_CLASS]: expected the id of a class of this e-graph, found ${number}`,
      );
      expect([egraph.nodeCount, egraph.classCount, egraph.dirty]).toEqual([2, 2, false]);
    }
  });

  it('an id that a pop took back', () => {
    const egraph = made();
    egraph.push();
    const late = egraph.add('num', [], 7);
    orThrow(egraph.pop());
    expect(shown(() => egraph.add('f', [late]))).toContain('EGRAPH_UNKNOWN_CLASS');
  });

  it('a wrong number of children and an unknown operator', () => {
    const egraph = made();
    const a = egraph.add('a');
    expect(shown(() => egraph.add('f', [a, a]))).toBe(
      'error[EGRAPH_ARITY_MISMATCH]: operator `f` takes 1 children, found 2',
    );
    expect(shown(() => egraph.add('g', [a]))).toContain('EGRAPH_UNKNOWN_OPERATOR');
    expect(shown(() => egraph.addTerm({ name: 'f', payload: 1, children: [] }))).toContain(
      'EGRAPH_ARITY_MISMATCH',
    );
    expect(egraph.operators.map(({ name }) => name)).toEqual(['a', 'f']);
    const data = { nodes: { x: { op: 'g', children: [], eclass: '0' } } };
    expect(thrown(fromGraphData(data, { language }))).toContain('EGRAPH_UNKNOWN_OPERATOR');
  });
});
