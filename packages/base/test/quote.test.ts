import { columnText, dotText, markupText, scriptText, terminalText } from '@baton/base';
import { describe, expect, it } from 'vitest';

/** Names that leave a literal, a comment or a tag, move a cursor, or set a prototype. */
const HOSTILE = [
  '\u0024{globalThis.PWNED=1}',
  '`;globalThis.PWNED=1;`',
  '*/globalThis.PWNED=1;/*',
  "';globalThis.PWNED=1;'",
  '";globalThis.PWNED=1;"',
  '\\',
  '\\"',
  '\n\r\t',
  '\u2028globalThis.PWNED=1\u2029',
  '</script><script>globalThis.PWNED=1</script>',
  '<!--<script>',
  '<img src=x onerror=alert(1)>',
  '" onload="alert(1)',
  '&amp;',
  '__proto__',
  'constructor',
  '\u001b[31mred\u001b]0;title\u0007',
  '\u009b31m',
  '\u202egnp.exe',
  '\u2066left\u2069',
  '\ud800',
  '\u{e0001}tag',
  '',
];

const evaluated = (expression: string): unknown => new Function(`return ${expression}`)();

describe.each(HOSTILE)('%j', (name) => {
  it('is a string in a script, and in a comment of one', () => {
    expect(evaluated(scriptText(name))).toBe(name);
    expect(evaluated(`/* ${scriptText(name)} */ 7`)).toBe(7);
    expect(JSON.parse(scriptText(name))).toBe(name);
    expect(scriptText(name)).not.toMatch(/<|\p{Cc}|\p{Bidi_C}/u);
    expect('PWNED' in globalThis).toBe(false);
  });

  it('is a key in a script', () => {
    const pairs = scriptText([[name, 1]]);
    const record = evaluated(`Object.fromEntries(${pairs})`) as Record<string, number>;
    expect(Object.entries(record)).toEqual([[name, 1]]);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });

  it('has no mark of a language that is written around it', () => {
    expect(markupText(name)).not.toMatch(/[<>"']/);
    expect(evaluated(`"${dotText(name).replaceAll('\ud800', '')}"`)).toBeTypeOf('string');
  });

  it('controls no terminal', () => {
    expect(terminalText(name)).not.toMatch(/(?![\n\t])\p{Cc}|\p{Bidi_C}|\u2028|\u2029/u);
    expect(columnText(name)).not.toMatch(/\p{Cc}|\p{Bidi_C}|\u2028|\u2029/u);
    expect(columnText(name)).toHaveLength(name.length - (name.startsWith('\u{e0001}') ? 1 : 0));
  });
});

it('terminals show JSON of the same meaning', () => {
  for (const name of HOSTILE) expect(JSON.parse(terminalText(JSON.stringify(name)))).toBe(name);
});

it('names of plain letters, digits and signs are as they were', () => {
  const plain = 'conv1/weights:0 (3×3) é 漢字 👩‍💻';
  for (const quoted of [markupText, dotText, terminalText, columnText]) {
    expect(quoted(plain)).toBe(plain);
  }
  expect(scriptText(plain)).toBe(JSON.stringify(plain));
});
