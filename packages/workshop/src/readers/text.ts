/** Corrupted Relay text: modules, in the older notation too, and expressions. */
import { isLeft, ok } from '@baton/base';
import { ir, parseExpr, parseModule, printModule } from 'batonjs';
import { type SeedText, seedTexts } from '../fuzz/text.ts';
import { afterwards, refused } from './afterwards.ts';
import { caseFiles, drawnFrom, poolOf, programs } from './clean-models.ts';
import { encoded, makeReader, smallerText, textOf } from './reader.ts';
import { corruptedTokens, tokensOf } from './tokens.ts';

const MODULE = 'module.relay';
const LEGACY = 'legacy.relay';
const EXPRESSION = 'expression.relay';

/** A text in tokens, and the file that it is in. */
interface Text {
  readonly name: string;
  readonly tokens: ReadonlyArray<string>;
}

/** The longest text. **Units** characters. */
const MAX_LENGTH = 6_000;

const inModules = caseFiles('.relay', '.ir').map((file) => new TextDecoder().decode(file));

const printed = poolOf(programs.size, (i) => {
  const whole = printModule(drawnFrom(programs, i), { showTypes: false });
  return whole.length <= MAX_LENGTH ? whole : undefined;
});

const isShort = ({ text: { length } }: SeedText): boolean => length <= MAX_LENGTH;

let seeds: ReturnType<typeof seedTexts> | undefined;

export const text = makeReader<Text, 'text'>({
  name: 'text',
  share: 25,
  clean: (draw) => {
    const named = (name: string, whole: string): Text => ({ name, tokens: tokensOf(whole) });
    if (draw.once(3)) {
      seeds ??= seedTexts().filter(isShort);
      const seed = draw.some(seeds);
      const reader = draw.some(seed?.readers ?? []) ?? 'module';
      const isWhole = reader.endsWith('expression');
      const name = isWhole ? EXPRESSION : reader === 'module' ? MODULE : LEGACY;
      return named(name, seed?.text ?? '');
    }
    const known = draw.once(6) ? draw.some(inModules) : undefined;
    return named(
      draw.once(8) ? LEGACY : MODULE,
      known ?? drawnFrom(printed, draw.below(printed.size)),
    );
  },
  corrupted: ({ name, tokens }, draw) => ({ name, tokens: corruptedTokens(tokens, draw) }),
  written: ({ name, tokens }) => new Map([[name, encoded(tokens.join(''))]]),
  smaller: function* (parts) {
    for (const name of parts.keys()) yield* smallerText(parts, name, tokensOf);
  },
  read: ({ parts, depth }) => {
    if (parts.has(EXPRESSION)) {
      const read = parseExpr(textOf(parts, EXPRESSION), { dialect: 'legacy' });
      if (isLeft(read)) return refused(read.left);
      const functions = new Map([['main', ir.func([], read.right)]]);
      return afterwards(ok(ir.irModule({ functions })), depth);
    }
    const dialect = parts.has(LEGACY) ? 'legacy' : 'relay';
    const name = dialect === 'legacy' ? LEGACY : MODULE;
    return afterwards(parseModule(textOf(parts, name), { source: name, dialect }), depth);
  },
});
