/** L.11: corners of inference that a review found. */
import { checkKind, scalarType, structuralEqual, typeRelation } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { messages, moduleOf, typed, typeText } from './support.ts';

describe('L.11 a dtype names no dimension', () => {
  it.each([
    ['in a shape', 'def @main(%x: Tensor[(int32), float32]) { %x }'],
    [
      'in an argument',
      'type F[n: ShapeVar] { M(Tensor[(n), float32]) } def @main(%x: F[int32]) { %x }',
    ],
  ])('%s', (_title, text) => {
    const parsed = parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps });
    const said = parsed._tag === 'Left' ? parsed.left.map((d) => d.message) : [];
    expect(said).toEqual(['`int32` is a dtype and names no dimension']);
  });
});

describe('L.11 a constraint that cannot hold', () => {
  it('is refused where it arises, although a function inside was generalized before', () => {
    const m = moduleOf('def @g(%a) { let %f = fn (%y) { %a - %y }; %a(3) }');
    expect(messages(m).join()).toContain('Broadcast: expected a tensor as argument 0');
  });

  it('leaves decisions to the callers', () => {
    const m = moduleOf(
      'def @g(%x) { let %f = fn (%w) { nn.bias_add(%x, %w) }; ' +
        'let %y: Tensor[(2, 3), float32] = %x; %f } ' +
        'def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(3), float32]) { @g(%x)(%w) }',
    );
    expect(typeText(typed(m))).toBe(
      'fn (Tensor[(2, 3), float32], Tensor[(3), float32]) -> Tensor[(2, 3), float32]',
    );
  });
});

describe('L.11 a call of a function in its own body', () => {
  it.each([
    ['of a global function', 'def @g(%a) { @g(%a) - %a }'],
    ['of two that call each other', 'def @g(%a) { @h(%a) - %a } def @h(%a) { @g(%a) }'],
    ['of a local function', 'def @main(%z) { let %f = fn (%a) { %f(%a) - %a }; 3 }'],
  ])('says its type arguments where nothing else does: %s', (_title, text) => {
    const first = typed(moduleOf(text));
    const again = typed(moduleOf(printModule(first, { header: false })));
    expect(structuralEqual(again, first)).toBe(true);
  });
});

describe('L.11 the kind of a relation', () => {
  const int = scalarType('int32');
  const scope = { typeDefinitions: new Map(), hasRelation: (name: string) => name === 'Identity' };

  it('is Constraint', () => {
    expect(checkKind(typeRelation('Identity', [int, int], 1), scope)).toMatchObject({
      right: 'Constraint',
    });
  });

  it('is the name of an existing relation', () => {
    expect(checkKind(typeRelation('Likeness', [int, int], 1), scope)).toMatchObject({
      left: [{ code: 'TYPE_UNKNOWN_RELATION' }],
    });
  });
});

describe('L.1 a convolution whose kernel is free until it runs', () => {
  it.each([
    ['conv2d', 'Tensor[(1, 3, ?, ?), float32]'],
    ['conv2d_transpose', 'Tensor[(1, 3, ?, ?), float32]'],
  ])('%s has a result of unknown size', (name, type) => {
    const channels = name === 'conv2d' ? '3, 4' : '4, 3';
    const m = moduleOf(
      'def @main(%x: Tensor[(1, 4, 5, 6), float32], ' +
        `%w: Tensor[(${channels}, ?, ?), float32]) { nn.${name}(%x, %w) }`,
    );
    expect(typeText(typed(m))).toMatch(new RegExp(`-> ${type.replaceAll(/[[\]()?]/g, '\\$&')}$`));
  });
});
