import {
  DiagnosticsError,
  diagnostic,
  fail,
  fnv1a32,
  isLeft,
  isRight,
  left,
  mergeSpans,
  mulberry32,
  nodeSpan,
  ok,
  orThrow,
  type Result,
  renderDiagnostic,
  type Span,
  spanLeaves,
  textSpan,
} from '@baton/base';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { describe, expect, it } from 'vitest';

describe('diagnostics', () => {
  it('render with the source line, carets, notes and the hint', () => {
    const source = { name: 'main.relay', text: 'def @main() {\n  nn.rellu(%x)\n}' };
    const d = diagnostic('UNKNOWN_OPERATOR', 'operator `nn.rellu` not found', {
      span: textSpan(source, 2, 3, 2, 11),
      hint: 'did you mean `nn.relu`?',
      related: [{ message: 'in this function', span: textSpan(source, 1, 1, 1, 4) }],
    });
    expect(renderDiagnostic(d)).toBe(
      [
        'error[UNKNOWN_OPERATOR]: operator `nn.rellu` not found',
        '  --> main.relay:2:3',
        '  |',
        '2 |   nn.rellu(%x)',
        '  |   ^^^^^^^^',
        'note: in this function',
        '  --> main.relay:1:1',
        '  |',
        '1 | def @main() {',
        '  | ^^^',
        'help: did you mean `nn.relu`?',
      ].join('\n'),
    );
  });

  it('cut a line that is too long and keep control characters out of the terminal', () => {
    const source = { name: 'one-line', text: `${'x'.repeat(100_000)}\u001b[2J` };
    const rendered = renderDiagnostic(
      diagnostic('E', 'bad \u001b[31m name', { span: textSpan(source, 1, 50_000, 1, 50_003) }),
    );
    expect(rendered.length).toBeLessThan(600);
    expect(rendered).not.toContain('\u001b');
  });

  it('are thrown by orThrow alone', () => {
    expect(orThrow(ok(3))).toBe(3);
    expect(() => orThrow(left([diagnostic('E', 'no')]))).toThrow(DiagnosticsError);
  });

  it("U.10 are the message of orThrow's exception: place, line, caret, note and hint of each", () => {
    const source = { name: 'two.relay', text: 'one\r\ntwo' };
    const first = diagnostic('E_ONE', 'no one', { span: textSpan(source, 1, 1, 1, 4), hint: 'go' });
    const second = diagnostic('E_TWO', 'no two', { span: textSpan(source, 2, 2, 2, 3) });
    const beyond = diagnostic('E_END', 'no end', { span: textSpan(source, 3, 1, 3, 2) });
    expect(() => orThrow(fail(first, second, beyond))).toThrow(
      [
        'error[E_ONE]: no one',
        '  --> two.relay:1:1',
        '  |',
        '1 | one',
        '  | ^^^',
        'help: go',
        '',
        'error[E_TWO]: no two',
        '  --> two.relay:2:2',
        '  |',
        '2 | two',
        '  |  ^',
        '',
        'error[E_END]: no end',
        '  --> two.relay:3:1',
      ].join('\n'),
    );
  });
});

describe('spans', () => {
  it('merge in constant space and list every place once', () => {
    let merged: Span | undefined = nodeSpan('model', 'conv0', 'Conv');
    for (let i = 1; i < 20_000; i++)
      merged = mergeSpans(merged, nodeSpan('model', `conv${i}`, 'Conv'));
    expect(spanLeaves(mergeSpans(merged, merged))).toHaveLength(20_000);
    expect(mergeSpans(undefined, undefined)).toBeUndefined();
  });
});

describe('seeded randomness', () => {
  it('follows the published recipes', () => {
    expect(fnv1a32('')).toBe(0x811c9dc5);
    expect(fnv1a32('a')).toBe(0xe40c292c);
    const u = mulberry32(7);
    const first = [u(), u(), u()];
    const again = mulberry32(7);
    expect([again(), again(), again()]).toEqual(first);
    expect(first.every((x) => x >= 0 && x < 1)).toBe(true);
  });
});

describe('a result', () => {
  it('is an Either to fp-ts', () => {
    const half = (n: number): Result<number> =>
      n % 2 === 0 ? ok(n / 2) : fail(diagnostic('ODD', `expected an even number, found ${n}`));
    const quarter = (n: number): Result<number> => pipe(half(n), E.chain(half));
    expect(quarter(12)).toEqual(E.right(3));
    expect(isRight(quarter(12))).toBe(true);
    const refused = quarter(6);
    expect(isLeft(refused) && refused.left[0].code).toBe('ODD');
    expect(E.isLeft(refused)).toBe(true);
  });
});
