import { readFileSync } from 'node:fs';
import type { Random, Result } from '@baton/base';
import { standardOps } from '@baton/ops';
import { parseExpr, parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';
import { makeSentences, parseGrammar, undefinedNames } from './ebnf.ts';

const ops = standardOps;
const text = readFileSync(new URL('../../docs/language/reference.md', import.meta.url), 'utf8');

/** The blocks of the page, with their headings. */
const blocks = text.split(/^## /m).flatMap((section) => {
  const heading = section.slice(0, section.indexOf('\n'));
  return [...section.matchAll(/^```(\w+ ?\w*)\n(.*?)^```/gms)].map(([, kind = '', body = '']) => ({
    heading,
    kind,
    body,
  }));
});

const ofKind = (kind: string) => blocks.filter((block) => block.kind === kind);

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

const today = ofKind('ebnf')
  .map((b) => b.body)
  .join('\n');
const older = ofKind('ebnf legacy')
  .map((b) => b.body)
  .join('\n');

const pick = (random: Random, items: ReadonlyArray<string>): string =>
  items[Math.floor(random() * items.length)] ?? '';

/** A text for a token: names with a meaning and names without, equally often. */
function token(name: string, random: Random): string {
  switch (name) {
    case 'IDENT':
      return pick(random, ['a', 'List', 'Cons', 'Nil', 'n', 'a/b', 'T1']);
    case 'NAME':
      return pick(random, ['add', 'nn.relu', 'Broadcast', 'Cons', 'x.y.z', 'axis']);
    case 'LOCAL':
      return pick(random, ['%x', '%y', '%let', '%_']);
    case 'GLOBAL':
      return pick(random, ['@main', '@f.g', '@x']);
    case 'BARE':
      return pick(random, ['v', 'w']);
    case 'GRAPHVAR':
      return pick(random, ['%0', '%1', '%27']);
    case 'INT':
      return pick(random, ['0', '1', '2']);
    case 'NUMBER':
      return pick(random, ['1', '-3', '2i8', '4u64', '1.5', '-2e3', '1f', '0.5f16', 'inff', '--1']);
    case 'STRING':
      return pick(random, ['"a"', '""', '"\\"\\n"', '"{ // "']);
    case 'DTYPE':
      return pick(random, ['int32', 'float32', 'bool', 'float16x4', 'uint8']);
    case 'JSON':
      return '{}';
    case 'LINE_END':
      return '\n';
    default:
      throw new Error(`there is no token ${name}`);
  }
}

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
