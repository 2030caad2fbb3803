/** What is made of constants alone needs no gradient, whatever it is called on the way. */
import { expandGradients } from '@baton/autodiff';
import { isLeft, orThrow } from '@baton/base';
import { inferTypes } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

const T = 'Tensor[(2), float32]';

const codesOf = (body: string, mode: string): ReadonlyArray<string> => {
  const text = `#[version = "0.0.5"]
    def @f(%x: ${T}) -> ${T} { ${body} }
    def @main(%x: ${T}) { gradient(@f, mode="${mode}")(%x) }`;
  const m = orThrow(inferTypes(orThrow(parseModule(text, { ops: standardOps }))));
  const expanded = expandGradients(m);
  return isLeft(expanded) ? expanded.left.map(({ code }) => code) : [];
};

describe.each(['first_order', 'higher_order'])('%s', (mode) => {
  it.each([
    '%x * floor(2.5f)',
    '%0 = (floor(2.5f), 3f); %x * %0.0',
    '%x * (floor(2.5f), 3f).0',
    ...(mode === 'first_order'
      ? []
      : [
          'let %c = 2.5f; %x * floor(%c)',
          'let %c = floor(2.5f); let %d = ceil(%c); %x * %d',
          'let %t = (floor(2.5f), 3f); let %c = %t.0; %x * floor(%c)',
          'let %c = if (True) { 1.5f } else { 2.5f }; %x * floor(%c)',
        ]),
  ])('%s', (body) => {
    expect(codesOf(body, mode)).toEqual([]);
  });

  it.each([
    'floor(%x)',
    '%x * floor(%x * 2f)',
    ...(mode === 'first_order' ? [] : ['let %c = %x; floor(%c)', 'let %t = (%x, 1f); floor(%t.0)']),
  ])('but not %s', (body) => {
    expect(codesOf(body, mode)).toEqual(['GRADIENT_MISSING']);
  });
});
