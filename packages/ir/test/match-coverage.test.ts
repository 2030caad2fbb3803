/**
 * The rest of a match after its clauses, and unreachable clauses:
 * [types §8](https://batonjs.github.io/baton/spec/types#8).
 */
import {
  clause,
  type Expr,
  match,
  matchCoverage,
  type Pattern,
  printCase,
  tuple,
  unmatchedCases,
  variable,
} from '@baton/ir';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { list } from './adt-support.ts';

const wild: Pattern = { _tag: 'PatternWildcard', span: undefined };
const bound = (): Pattern => ({ _tag: 'PatternVar', variable: variable('v'), span: undefined });
const pair = (...patterns: Pattern[]): Pattern => ({
  _tag: 'PatternTuple',
  patterns,
  span: undefined,
});
const { consPattern: cons, nilPattern: nil } = list;
const { typeDefinitions } = list.parts;

const unit: Expr = tuple([]);
const clauses = (...patterns: Pattern[]) =>
  match(
    unit,
    patterns.map((p) => clause(p, unit)),
    true,
  );

describe('the cases that are left', () => {
  test.each<[string, ReadonlyArray<Pattern>, ReadonlyArray<string>]>([
    ['no clause', [], ['_']],
    ['a wildcard', [wild], []],
    ['a variable', [bound()], []],
    ['one constructor', [nil], ['Cons(_, _)']],
    ['both', [nil, cons(wild)], []],
    ['C124: a nested constructor', [cons(cons(wild))], ['Cons(_, Nil)', 'Nil']],
    ['a head that is looked into', [cons(wild, nil), nil], ['Cons(Cons(_, _), _)']],
    ['a pair', [pair(nil, wild)], ['(Cons(_, _), _)']],
    ['C125: three of four', [pair(nil, nil), pair(cons(wild), wild)], ['(Nil, Cons(_, _))']],
    ['the order of clauses does not change the verdict', [wild, nil], []],
  ])('%s', (_title, patterns, expected) => {
    expect(unmatchedCases(clauses(...patterns), typeDefinitions)).toStrictEqual(expected);
  });
});

describe('the clauses that nothing reaches', () => {
  test.each<[string, ReadonlyArray<Pattern>, ReadonlyArray<number>]>([
    ['none', [nil, cons(wild)], []],
    ['C127: after a wildcard', [wild, nil], [1]],
    ['a constructor twice', [nil, nil, cons(wild)], [1]],
    ['what others cover together', [cons(nil), cons(cons(wild)), cons(wild), nil], [2]],
  ])('%s', (_title, patterns, expected) => {
    const coverage = matchCoverage(clauses(...patterns), typeDefinitions);
    expect(coverage).toMatchObject({ _tag: 'Coverage', redundant: expected });
  });
});

describe('random matches', () => {
  type Value = null | readonly [Value, Value];
  /** Lists of lists of lists, deeper than any pattern of the test. */
  const values: ReadonlyArray<Value> = (() => {
    let all: Value[] = [null];
    for (let depth = 0; depth < 3; depth++) {
      all = [null, ...all.slice(0, 12).flatMap((h) => all.slice(0, 12).map((t): Value => [h, t]))];
    }
    return all;
  })();
  const matches = (pattern: Pattern, value: Value): boolean => {
    if (pattern._tag !== 'PatternConstructor') return true;
    if (value === null) return pattern.ctor.nameHint === 'Nil';
    if (pattern.ctor.nameHint !== 'Cons') return false;
    const [head, tail] = pattern.patterns;
    return (
      head !== undefined && tail !== undefined && matches(head, value[0]) && matches(tail, value[1])
    );
  };
  const { pattern } = fc.letrec<{ pattern: Pattern }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(wild, nil),
      fc.tuple(tie('pattern'), tie('pattern')).map(([head, tail]) => cons(tail, head)),
    ),
  }));

  it('cover the values that their clauses match, and leave the rest', () => {
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 5 }), (patterns) => {
        const coverage = matchCoverage(clauses(...patterns), typeDefinitions);
        if (coverage._tag === 'TooLarge') throw new Error('too large');
        const texts = coverage.uncovered.map(printCase);
        expect(new Set(texts).size).toBe(texts.length);
        for (const value of values) {
          const first = patterns.findIndex((p) => matches(p, value));
          if (first >= 0) expect(coverage.redundant).not.toContain(first);
          else expect(texts).not.toHaveLength(0);
        }
        if (texts.length > 0) {
          expect(values.some((value) => !patterns.some((p) => matches(p, value)))).toBe(true);
        }
      }),
      { seed: 20_261_124, numRuns: 300 },
    );
  });
});
