/** L.12 The place of a use is read from the surrounding text; `«` and `»` mark it in programs. */
import { isLeft, renderDiagnostics, textSpan } from '@baton/base';
import { func, ifElse, inferTypes, irModule, scalarType, variable } from '@baton/ir';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';
import { expr } from './text-support.ts';

/** The part marked by the first error of a program. */
function marked(text: string): string {
  const parsed = parseModule(`#[version = "0.0.5"]\n${text}`, { ops });
  const found = isLeft(parsed) ? parsed : inferTypes(parsed.right);
  if (!isLeft(found)) return 'no error';
  const { span } = found.left[0];
  if (span?._tag !== 'TextSpan') return renderDiagnostics(found.left);
  const lines = span.source.text.split('\n').slice(span.line - 1, span.endLine);
  const last = lines.length - 1;
  const whole = lines.map((line, i) =>
    line.slice(i === 0 ? span.column - 1 : 0, i === last ? span.endColumn - 1 : undefined),
  );
  return whole.join('\n');
}

describe('L.12 a diagnostic marks the use of a variable, and not its binder or all around it', () => {
  it.each([
    ['a condition', 'def @m(%x: int32) { if («%x») { 1 } else { 2 } }'],
    ['a condition in brackets', 'def @m(%x: int32) { if ( (/* ) */ («%x»)) ) { 1 } else { 2 } }'],
    [
      'a condition that is a block',
      'def @m(%x: int32) { if (let %y = %x; «%y») { 1 } else { 2 } }',
    ],
    ['a branch', 'def @m(%x: (int32, int32)) { if (True) { 1f } else { «%x» } }'],
    ['a branch after lets', 'def @m(%x: bool) { if (True) { 1f } else { let %y = 1; «%x» } }'],
    ['an argument', 'def @m(%x: bool, %y: int32) { @m(%x,\n  «%x») }'],
    ['an argument behind a list', 'def @m(%x: (int32, int32), %y: bool) { @m((1, 2), «%x») }'],
    ['a graph binding', 'def @m(%x: bool) { %0 = (%x, %x);\n @m(«%0») }'],
    ['a callee', 'def @m(%x: bool) { «%x»(1) }'],
    ['a result', 'def @m(%x: bool) -> int32 { // }\n let %y = %x;\n «%y» }'],
    ['a value', 'def @m(%x: bool) { let %y: int32 = «%x»; %y }'],
    ['a clause', 'def @m(%x: bool) { match (%x) { %y => 1, _ => «%x» } }'],
    ['a reference', 'def @m(%x: bool) { ref_read(«%x») }'],
    ['a written value', 'def @m(%x: bool, %r: ref(int32)) { ref_write(%r, «%x») }'],
    ['a result that is not a variable', 'def @m(%x: bool) -> int32 { let %y = %x; «(%y, %y)» }'],
  ])('%s', (_, text) => {
    const wanted = /«([^»]*)»/.exec(text)?.[1];
    expect(marked(text.replace(/[«»]/g, ''))).toBe(wanted);
  });

  it.each([
    ['says something else, as after a pass', 'if (%x) { 1 } else { 2 }'],
    ['is no such expression', 'if %z'],
    ['is not there', ''],
  ])('marks the whole expression where its text %s', (_, text) => {
    const read = expr('1').span;
    const source = read?._tag === 'TextSpan' ? { ...read.source, text } : undefined;
    expect(source?.mentionOf).toBeDefined();
    const span = textSpan(source ?? { name: '', text }, 1, 1, 1, text.length + 1);
    const z = variable('z', scalarType('int32'));
    const body = ifElse(z, expr('1'), expr('2'), span);
    const found = inferTypes(irModule({ ops, functions: new Map([['m', func([z], body)]]) }));
    expect(isLeft(found) && found.left.map((d) => d.span)).toEqual([span]);
  });
});
