/** Corruption of the tokens of a text. */
import { type Draw, replaced, shuffled } from './draw.ts';

const TOKEN = /\s+|[%@]?[\p{L}_][\p{L}\d_.]*|\d[\d.eE]*[a-z\d]*|"(?:[^"\\]|\\.)*"|->|=>|[\s\S]/gu;

/** The tokens of a text, blanks among them: together they are the text. */
export const tokensOf = (text: string): ReadonlyArray<string> => text.match(TOKEN) ?? [];

// biome-ignore format: a list to look over
const FRAGMENTS = [
  '(', ')', '{', '}', '[', ']', ',', ';', ':', '.', '=', '+', '-', '*', '/', '<', '>', '!', '?', '@', '%', '#',
  '"', '\\', '&&', '->', '=>', '==', '/*', '*/', '//', '\n', 'let', 'fn', 'def', 'if', 'else', 'type', 'match',
  'match?', 'extern', 'free_var', 'where', 'ref', 'ref_read', 'ref_write', 'Constant', '#[version = "0.0.5"]',
  '#[metadata]', 'meta[relay.Constant][0]', '%0', '%1', '%x', '@main', 'add', 'nn.relu', 'nn.conv2d', 'reshape',
  'nn.pad', 'full', 'arange', 'one_hot', 'tile', 'repeat', 'zeros', 'concatenate', 'split', 'strided_slice',
  'True', 'None', 'float32', 'int64', 'bool', 'float16x4', 'Tensor[(2, 2), float32]', 'Tensor[(?, n), int32]',
  'Tensor[(1048576, 1048576), float32]', 'Shape', 'List', 'Cons', 'Nil', '_', 'axis=1', 'axis=-1', 'newshape=[-1, 0]',
  'é', '\u{1f600}', '\u0000', '\ufeff', '\u202e', '\ud800', '\u2028', '\u00a0',
] as const;

const NUMBERS = [
  '0',
  '1',
  '-1',
  '2',
  '3',
  '0f',
  '1.5',
  'inff',
  'nanf',
  '1e400f',
  '1e-400',
  '70000i16',
  '255u8',
  '256u8',
  '-9i8',
  '2147483647',
  '2147483648',
  '4294967296',
  '9007199254740993',
  '99999999999999999999',
  '1e18',
  '0x10',
  '1_000',
] as const;

const PAIRS = [
  ['(', ')'],
  ['((', ')'],
  ['[', ']'],
  ['{', '}'],
  ['(', ',)'],
  ['-', ''],
  ['let %a = ', '; %a'],
  ['fn (%a) { ', ' }'],
  ['if (', ') { 1 } else { 2 }'],
  ['nn.relu(', ')'],
  ['ref(', ')'],
  ['/*', '*/'],
  ['Tensor[', ', float32]'],
] as const;

const DEPTHS = [2, 20, 200, 2000] as const;

/** Corruption of one token of a text. */
export function corruptedTokens(tokens: ReadonlyArray<string>, draw: Draw): ReadonlyArray<string> {
  const at = draw.below(tokens.length);
  switch (draw.below(8)) {
    case 0:
    case 1:
      return shuffled(tokens, draw);
    case 2:
      return replaced(tokens, at, [draw.pick(FRAGMENTS)], draw.below(2));
    case 3: {
      const places = tokens.flatMap((token, i) => (/^\d/.test(token) ? [i] : []));
      return replaced(tokens, draw.some(places) ?? at, [draw.pick(NUMBERS)]);
    }
    case 4: {
      const [open, close] = draw.pick(PAIRS);
      const depth = draw.once(4) ? draw.pick(DEPTHS) : 1;
      const inside = tokens.slice(at, at + 1 + draw.below(6));
      const around = [open.repeat(depth), ...inside, close.repeat(depth)];
      return replaced(tokens, at, around, inside.length);
    }
    case 5: {
      const names = tokens.filter((token) => /^[%@\p{L}]/u.test(token));
      const places = tokens.flatMap((token, i) => (/^[%@\p{L}]/u.test(token) ? [i] : []));
      return replaced(tokens, draw.some(places) ?? at, [draw.some(names) ?? '%x']);
    }
    case 6: {
      const from = draw.below(tokens.length);
      const copied = tokens.slice(from, from + 1 + draw.below(30));
      return replaced(tokens, at, copied, draw.below(4));
    }
    default:
      return replaced(tokens, at, [], 1 + draw.below(draw.once(5) ? 60 : 3));
  }
}
