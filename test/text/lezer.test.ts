/** The grammar for CodeMirror takes every valid text, with the tokens of the lexer. */
import { isRight } from '@baton/base';
import { parser } from '@baton/lezer-relay';
import { standardOps as ops } from '@baton/ops';
import { parseExpr, parseModule } from '@baton/text';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorIn, leavesOf, tokensOf } from '../../packages/lezer-relay/test/trees.ts';
import { makeSentences, parseGrammar } from '../language/ebnf.ts';
import { today, token } from '../language/reference-grammar.ts';
import { amount } from '../tier.ts';
import { relayTexts } from './relay-texts.ts';

describe('valid texts', () => {
  it('are many', () => {
    expect(relayTexts.length).toBeGreaterThan(400);
  });

  it('have no error node, and the tokens of the lexer', () => {
    for (const { name, text } of relayTexts) {
      const tree = parser.parse(text);
      expect(errorIn(text, tree), name).toBeUndefined();
      expect(leavesOf(tree), name).toEqual(tokensOf(text));
    }
  });

  it('that the grammar of the reference generates have neither', () => {
    const sentences = makeSentences(parseGrammar(today), token);
    for (let seed = 0; seed < amount(3_000, { quick: 600 }); seed++) {
      const text = sentences.sentence(seed % 2 === 0 ? 'program' : 'exprProgram', seed);
      const tree = parser.parse(text);
      expect(errorIn(text, tree)).toBeUndefined();
      expect(leavesOf(tree), text).toEqual(tokensOf(text));
    }
    expect(sentences.unused()).toEqual([]);
  });
});

describe('damaged texts', () => {
  it('are read to the end, without an error node if they are valid all the same', () => {
    const texts = relayTexts.filter(({ text }) => text.length < 2_000);
    const piece = fc.constantFrom('(', ')', '{', '}', '[', ']', ';', ',', '=', 'let', 'def ', '.');
    fc.assert(
      fc.property(fc.nat(texts.length - 1), fc.nat(), piece, (which, at, inserted) => {
        const { text } = texts[which] as (typeof texts)[number];
        const place = at % (text.length + 1);
        const damaged = text.slice(0, place) + inserted + text.slice(place);
        const tree = parser.parse(damaged);
        expect(tree.length).toBe(damaged.length);
        const isRead =
          isRight(parseModule(damaged, { ops })) || isRight(parseExpr(damaged, { ops }));
        if (isRead) expect(errorIn(damaged, tree)).toBeUndefined();
      }),
      { seed: 36, numRuns: amount(3_000, { quick: 500 }) },
    );
  });
});
