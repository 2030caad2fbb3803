import { isLeft } from '@baton/base';
import { runPass } from '@baton/pass-manager';
import * as rewrites from '@baton/rewrites';
import {
  greedy,
  orThrow,
  parsePattern,
  type Result,
  rule,
  ruleSet,
  saturate,
} from '@baton/rewrites';
import { describe, expect, it } from 'vitest';
import { program } from './support.ts';

const codes = (made: Result<unknown>): ReadonlyArray<string> =>
  isLeft(made) ? made.left.map(({ code }) => code) : [];

describe('patterns', () => {
  it.each([
    ['add(?x, 0)', { _tag: 'Call', op: 'add' }],
    ['?x + 0', { _tag: 'Call', op: 'add' }],
    ['(?x, ?y).1', { _tag: 'Field', index: 1 }],
    ['2f', { _tag: 'Number', value: 2, dtype: 'float32' }],
    ['-1', { _tag: 'Number', value: -1, dtype: undefined }],
  ])('%s', (text, expected) => {
    expect(orThrow(parsePattern(text, 'test'))).toMatchObject(expected);
  });

  it('hold attributes, holes for them, and a hole for all others', () => {
    const p = orThrow(
      parsePattern('nn.conv2d(?x, ?w, strides=[1, 1], padding=?p, attrs=?a)', 'test'),
    );
    expect(p).toMatchObject({
      attrs: new Map<string, unknown>([
        ['strides', [1, 1]],
        ['padding', { _tag: 'AttrHole', name: 'p' }],
      ]),
      rest: 'a',
    });
  });

  it.each([
    ['let %x = ?y; %x', 'RULE_PATTERN'],
    ['%x + 1', 'NAME_LOCAL'],
    ['add(?x', 'PARSE'],
    ['add', 'RULE_PATTERN'],
    ['if (?c) { ?x } else { ?y }', 'RULE_PATTERN'],
  ])('%s is none', (text, code) => {
    expect(codes(parsePattern(text, 'test')).join(' ')).toContain(code);
  });
});

describe('rules', () => {
  it('take conditions of profit by their earlier name', () => {
    const never = (): boolean => false;
    const made = orThrow(rule('r', '?x + 0', '?x', { pays: never, profitable: [] }));
    expect(made.profitable).toEqual([never]);
  });

  it('bind every hole of the right side', () => {
    const right: string = '?y + 1';
    expect(codes(rule('r', '?x + 0', right))).toEqual(['RULE_UNBOUND']);
    // @ts-expect-error the compiler says so, too
    expect(codes(rule('r', '?x + 0', '?y'))).toEqual(['RULE_UNBOUND']);
  });

  it('may compute holes', () => {
    const made = rule('r', 'transpose(?x, axes=?a)', 'transpose(?x, axes=?b)', {
      let: { b: ({ a }) => a },
    });
    expect(codes(made)).toEqual([]);
  });

  it('in both directions bind the holes of both sides', () => {
    expect(codes(rule('r', '?x * ?y', '?x + ?x', { orient: 'both' }))).toEqual(['RULE_UNBOUND']);
    expect(codes(rule('r', '?x + 0', '?x', { orient: 'both' }))).toEqual(['RULE_MATCHES_ALL']);
  });

  it('say which operators a hole for operators stands for', () => {
    const left: string = '?op(?x)';
    expect(codes(rule('r', left, '?x'))).toEqual(['RULE_UNBOUND']);
    const right: string = '?other(?x)';
    const operators = { op: () => true };
    expect(codes(rule('r', '?op(?x)', right, { operators }))).toEqual(['RULE_UNBOUND']);
  });

  it('have a call on the left', () => {
    expect(codes(rule('r', '?x', '?x + 0'))).toEqual(['RULE_MATCHES_ALL']);
  });

  it('have names of their own in a set', () => {
    const one = rule('r', '?x + 0', '?x');
    expect(codes(ruleSet('set', one, one))).toEqual(['RULE_DUPLICATE']);
  });

  it.each([
    ['nosuch(?x)', '?x', 'RULE_OPERATOR'],
    ['sqrt(?x, ?x)', '?x', 'RULE_ARITY'],
    ['sqrt(?x, axis=1)', '?x', 'RULE_ATTRIBUTE'],
    ['reshape(?x)', '?x', 'RULE_ATTRIBUTE'],
  ])('%s does not fit the operators', (left, right, code) => {
    const m = program('%x', 'sqrt(%x)');
    for (const engine of [greedy, saturate]) {
      const result = runPass(engine(rule('r', left, right)))(m);
      expect(codes(result)).toContain(code);
    }
  });

  it('that are wrong fail the pass when it runs', () => {
    const wrong = rule('r', '?x', '?x');
    for (const engine of [greedy, saturate]) {
      expect(codes(runPass(engine(wrong))(program('%x', '%x')))).toContain('RULE_MATCHES_ALL');
    }
  });
});

describe('the list of rule sets', () => {
  it('has every set that is exported, but parts of others, in order', () => {
    const exported = Object.values(rewrites).filter(
      (value: unknown): value is (typeof rewrites.ruleSets)[number] =>
        rewrites.ruleSets.includes(value as never) ||
        (value as { right?: { _tag?: string } } | undefined)?.right?._tag === 'RuleSet',
    );
    // A part of a set may have a name of its own.
    const isPart = (set: (typeof exported)[number]): boolean =>
      rewrites.ruleSets.some(
        (other) =>
          other !== set &&
          rewrites.orThrow(set).rules.every((r) => rewrites.orThrow(other).rules.includes(r)),
      );
    expect(new Set(rewrites.ruleSets)).toEqual(new Set(exported.filter((set) => !isPart(set))));
    const names = rewrites.ruleSets.map((set) => rewrites.orThrow(set).name);
    expect(names).toEqual([...names].sort());
  });
});
