/** The grammar that the language reference states, and texts for its tokens. */
import { readFileSync } from 'node:fs';
import type { Random } from '@baton/base';

const text = readFileSync(new URL('../../docs/language/reference.md', import.meta.url), 'utf8');

/** The blocks of the page, with their headings. */
export const blocks = text.split(/^## /m).flatMap((section) => {
  const heading = section.slice(0, section.indexOf('\n'));
  return [...section.matchAll(/^```(\w+ ?\w*)\n(.*?)^```/gms)].map(([, kind = '', body = '']) => ({
    heading,
    kind,
    body,
  }));
});

const ofKind = (kind: string) => blocks.filter((block) => block.kind === kind);

/** The productions of today's language. */
export const today = ofKind('ebnf')
  .map((b) => b.body)
  .join('\n');
/** Those of the older forms. */
export const older = ofKind('ebnf legacy')
  .map((b) => b.body)
  .join('\n');

const pick = (random: Random, items: ReadonlyArray<string>): string =>
  items[Math.floor(random() * items.length)] ?? '';

/** A text for a token: names with a meaning and names without, equally often. */
export function token(name: string, random: Random): string {
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
