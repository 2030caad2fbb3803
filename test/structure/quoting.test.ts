/** Strings become parts of other languages in one place, `quote.ts` of `base`. */
import { describe, expect, it } from 'vitest';
import { sources, textOf } from './sources.ts';

const QUOTE = 'packages/base/src/quote.ts';

/** What only the quoting of a language has: its entities, and the escape of `<` in scripts. */
const BY_HAND = [/&(amp|lt|gt|quot);/, /&#\$\{/, /\\\\u003c/, /\\p\{Cc\}/];

/** A string that is a part of a program in JavaScript or TypeScript. */
const PROGRAM =
  /["'`](?:\/\*\*[^\n]*\\n)?export (?:const|declare) |^export (?:const|declare) [^\n]*\$\{/m;

describe('strings in other languages', () => {
  it('are quoted in one module', () => {
    const found = sources.filter((path) => BY_HAND.some((mark) => mark.test(textOf(path))));
    expect(found).toEqual([QUOTE]);
  });

  it('are no plain JSON in programs that are written', () => {
    const writers = sources.filter((path) => PROGRAM.test(textOf(path)));
    expect(writers).toContain('packages/wasm/src/module-text.ts');
    expect(writers).toContain('packages/cli/src/commands/compile.ts');
    // Numbers and booleans alone: the parts of the file of weights.
    const plain = writers.filter((path) =>
      /\$\{JSON\.stringify\((?!parts\.map)/.test(textOf(path)),
    );
    expect(plain).toEqual([]);
  });
});
