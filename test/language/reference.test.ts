import type { Result } from '@baton/base';
import { standardOps } from '@baton/ops';
import { parseExpr, parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';
import { makeSentences, parseGrammar, undefinedNames } from './ebnf.ts';
import { blocks, older, today, token } from './reference-grammar.ts';

const ops = standardOps;
const messages = (result: Result<unknown>): ReadonlyArray<string> =>
  result._tag === 'Left' ? result.left.map((d) => `${d.code} ${d.message}`) : [];

describe('the examples of the language reference', () => {
  it('stand under every grammar', () => {
    const grammars = blocks.filter((b) => b.kind.startsWith('ebnf')).map((b) => b.heading);
    const examples = new Set(
      blocks.filter((b) => b.kind.startsWith('relay')).map((b) => b.heading),
    );
    expect(grammars.filter((heading) => !examples.has(heading))).toEqual([]);
    expect(grammars.length).toBeGreaterThan(9);
  });
});

/** Errors of form, unlike unknown names and bad values. */
const isSyntactic = (message: string): boolean =>
  /^(?:PARSE_(?!FREE_VAR|DIMENSION|EXTERN|CONSTRUCTOR|CONSTANT|CAST|TOO_MANY)|LEX_)/.test(message);

const RUNS = amount(3_000, { quick: 600 });

describe('the grammar of the language reference', () => {
  it.each([
    ['relay', today],
    ['legacy', `${today}\n${older}`],
  ] as const)('of %s generates what the parser reads', (dialect, grammarText) => {
    const grammar = parseGrammar(grammarText);
    expect(undefinedNames(grammar)).toEqual([]);
    const sentences = makeSentences(grammar, token);
    for (let seed = 0; seed < RUNS; seed++) {
      const isModule = seed % 2 === 0;
      const sentence = sentences.sentence(isModule ? 'program' : 'exprProgram', seed);
      const parse = isModule ? parseModule : parseExpr;
      const wrong = messages(parse(sentence, { ops, dialect })).filter(isSyntactic);
      expect(wrong, sentence).toEqual([]);
    }
    expect(sentences.unused()).toEqual([]);
  });
});
