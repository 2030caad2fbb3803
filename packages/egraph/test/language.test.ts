/** Languages: the meaning of atoms and operators, checks of them, and their text. */
import { orThrow } from '@baton/base';
import {
  booleanLeaf,
  defineLanguage,
  EGraph,
  type LeafKind,
  numberLeaf,
  parsePattern,
  parseTerm,
  printTerm,
  symbolLeaf,
  type Term,
  term,
} from '@baton/egraph';
import { describe, expect, it } from 'vitest';

const codeOf = (result: { _tag: string; left?: ReadonlyArray<{ code: string }> }): unknown =>
  result._tag === 'Left' ? result.left?.map((d) => d.code).join() : 'success';

const UNKNOWN = 'EGRAPH_UNKNOWN_OPERATOR';
const ARITY = 'EGRAPH_ARITY_MISMATCH';

const listKind: LeafKind<ReadonlyArray<number>> = {
  parse: (token) =>
    /^\[[\d,]*\]$/.test(token) ? token.slice(1, -1).split(',').map(Number) : undefined,
  print: (list) => `[${list.join()}]`,
  key: (list) => list.join(),
};
const language = defineLanguage({
  operators: { '+': 2, '-': [1, 2], max: 'any', pi: 0, num: 1, scale: 1, perm: 1 },
  leaves: { num: numberLeaf, bool: booleanLeaf },
  payloads: { scale: numberLeaf, perm: listKind },
});

describe('an operator of a language', () => {
  it.each<[string, string]>([
    ['(+ 1 2)', 'success'],
    ['(+ 1)', ARITY],
    ['(+ 1 2 3)', ARITY],
    ['+', ARITY],
    ['(- 1)', 'success'],
    ['(- 1 2)', 'success'],
    ['-', ARITY],
    ['(- 1 2 3)', ARITY],
    ['max', 'success'],
    ['(max 1 2 3 4 5)', 'success'],
    ['pi', 'success'],
    ['(pi 1)', ARITY],
    ['(sin 1)', UNKNOWN],
    ['sin', UNKNOWN],
    ['1', 'success'],
    ['true', 'success'],
    ['truth', UNKNOWN],
    // The name of a kind of leaves is an operator only if the operators have it.
    ['(num 1)', 'success'],
    ['num', ARITY],
    ['(bool 1)', UNKNOWN],
    ['bool', UNKNOWN],
    ['(scale:2 1)', 'success'],
    ['(scale:x 1)', UNKNOWN],
    ['(scale 1)', 'success'],
    ['(scale:2 1 1)', ARITY],
    ['(toString 1)', UNKNOWN],
  ])('%s: %s', (text, expected) => {
    expect(codeOf(parseTerm(text, language))).toBe(expected);
    expect(codeOf(new EGraph({ language }).addExpr(text))).toBe(expected);
  });

  it('that is unknown is reported with the known ones', () => {
    const result = parseTerm('(maz 1)', language);
    expect(result._tag === 'Left' && JSON.stringify(result.left[0])).toContain('max');
  });

  it('is checked where a term was made by hand', () => {
    const egraph = new EGraph({ language });
    expect(codeOf(egraph.addChecked(term('num', [], 3)))).toBe('success');
    expect(codeOf(egraph.addChecked(term('num', [term('pi')], 3)))).toBe('success');
    expect(codeOf(egraph.addChecked(term('bool', [term('pi')], true)))).toBe(UNKNOWN);
    expect(codeOf(egraph.addChecked(term('bool', [])))).toBe(UNKNOWN);
    expect(codeOf(egraph.addChecked(term('+', [term('pi')])))).toBe(ARITY);
    expect(egraph.nodeCount).toBe(3);
  });

  it('of a language without a list of operators is any', () => {
    const open = defineLanguage({ leaves: { num: numberLeaf } });
    for (const text of ['x', '(f 1)', '(f)', '(num 1)']) {
      expect(codeOf(parseTerm(text, open))).toBe('success');
    }
  });
});

describe('a leaf', () => {
  const leafOf = (text: string): unknown => {
    const kinds = defineLanguage({
      leaves: { num: numberLeaf, bool: booleanLeaf, sym: symbolLeaf },
    });
    const { name, payload } = orThrow(parseTerm(text, kinds));
    return [name, payload];
  };
  it.each<[string, unknown]>([
    ['1', ['num', 1]],
    ['-1', ['num', -1]],
    ['+1', ['num', 1]],
    ['1.', ['num', 1]],
    ['.5', ['num', 0.5]],
    ['1.5', ['num', 1.5]],
    ['12.25', ['num', 12.25]],
    ['1e3', ['num', 1000]],
    ['1E-3', ['num', 0.001]],
    ['1e+12', ['num', 1e12]],
    ['.', ['sym', '.']],
    ['1e', ['sym', '1e']],
    ['e1', ['sym', 'e1']],
    ['1x', ['sym', '1x']],
    ['x1', ['sym', 'x1']],
    ['--1', ['sym', '--1']],
    ['0x10', ['sym', '0x10']],
    ['true', ['bool', true]],
    ['false', ['bool', false]],
    ['True', ['sym', 'True']],
  ])('%s', (text, expected) => {
    expect(leafOf(text)).toEqual(expected);
  });
});

describe('a term', () => {
  it.each([
    '(+ 1 2)',
    '(- 1)',
    '(max 1 true false)',
    'max',
    '(scale:2 pi)',
    '(scale:-0.5 (scale pi))',
    '(perm:[1,0] pi)',
    '(num 1)',
  ])('%s is written as it is read', (text) => {
    const egraph = new EGraph({ language });
    const read = orThrow(parseTerm(text, language));
    expect(egraph.print(read)).toBe(text);
    const id = orThrow(egraph.addExpr(text));
    expect(orThrow(egraph.lookupExpr(text))).toBe(id);
    expect(egraph.nodes(id).map((n) => egraph.printOperator(n))).toEqual([
      text.replace(/^\((\S+) .*\)$/, '$1'),
    ]);
  });

  it('has payloads that are told apart by their key', () => {
    const egraph = new EGraph({ language });
    const pi = egraph.add('pi');
    const id = egraph.add('perm', [pi], [1, 0]);
    expect(egraph.add('perm', [pi], [1, 0])).toBe(id);
    expect(egraph.add('perm', [pi], [0, 1])).not.toBe(id);
    const scaled = egraph.add('scale', [pi], 2);
    expect(egraph.add('scale', [pi], 2)).toBe(scaled);
    expect(egraph.add('scale', [pi], 3)).not.toBe(scaled);
  });

  it('has payloads of any operator told apart by a key of the language', () => {
    const asked: unknown[] = [];
    const keyed = defineLanguage({
      leaves: { list: listKind },
      payloadKey: (name, payload) => {
        asked.push(name);
        return JSON.stringify(payload);
      },
    });
    const egraph = new EGraph({ language: keyed });
    const x = egraph.add('x', [], { at: 1 });
    expect(egraph.add('x', [], { at: 1 })).toBe(x);
    expect(egraph.add('x', [], { at: 2 })).not.toBe(x);
    expect(egraph.add('list', [], [1])).toBe(egraph.add('list', [], [1]));
    expect(new Set(asked)).toEqual(new Set(['x']));
  });

  it('without a language has payloads behind a colon', () => {
    const made: Term = term('conv', [term('x', [], 3)], 'same');
    expect(printTerm(made)).toBe('(conv:same x:3)');
  });
});

describe('a pattern', () => {
  const shape = (text: string): unknown => {
    const result = parsePattern(text);
    return result._tag === 'Right' ? result.right : codeOf(result);
  };
  it.each<[string, unknown]>([
    ['?x', { _tag: 'Variable', name: '?x' }],
    ['x', { _tag: 'Atom', token: 'x' }],
    ['x:3', { _tag: 'Atom', token: 'x:3' }],
    [
      'num:?n',
      { _tag: 'Node', name: 'num', payload: { _tag: 'Variable', name: '?n' }, children: [] },
    ],
    ['(f)', { _tag: 'Node', name: 'f', payload: undefined, children: [] }],
    [
      '(f:?k ?x)',
      {
        _tag: 'Node',
        name: 'f',
        payload: { _tag: 'Variable', name: '?k' },
        children: [{ _tag: 'Variable', name: '?x' }],
      },
    ],
    [
      '(f:2 a)',
      { _tag: 'Node', name: 'f:2', payload: undefined, children: [{ _tag: 'Atom', token: 'a' }] },
    ],
    ['(f', 'EGRAPH_UNEXPECTED_END'],
    ['()', 'EGRAPH_MISSING_OPERATOR'],
    [`${'(f '.repeat(200)}a${')'.repeat(200)}`, expect.objectContaining({ name: 'f' })],
    [`${'(f '.repeat(201)}a${')'.repeat(201)}`, 'EGRAPH_PATTERN_TOO_DEEP'],
  ])('%s', (text, expected) => {
    expect(shape(text)).toEqual(expected);
  });
});
