/**
 * The decisions [D3](https://batonjs.github.io/baton/spec/decisions#D3) to
 * [D11](https://batonjs.github.io/baton/spec/decisions#D11) of the specification that concern text.
 */
import { renderDiagnostics } from '@baton/base';
import { type Expr, structuralEqual } from '@baton/ir';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';
import { errors, expr, mod, shown, shownModule } from './text-support.ts';

const rest = (e: Expr): Expr => expr(shown(e));

/** Both texts are one program, whose meaning survives printing. */
function expectSame(a: string, b: string): void {
  const options = { mapFreeVars: true };
  expect(structuralEqual(expr(a), expr(b), options)).toBe(true);
  expect(structuralEqual(rest(expr(a)), expr(b), options)).toBe(true);
}

describe('D3: type parameters', () => {
  it('may be written <..>, and are printed [..]', () => {
    const text = 'fn <t: Type, s: Shape, d: BaseType, n: ShapeVar>(%x: t, %y: Tensor[s, d]) { %x }';
    expectSame(text, text.replace('<', '[').replace('>(', ']('));
    expect(shown(expr(text))).toContain('fn [t, s: Shape, d: BaseType, n: ShapeVar](');
    const m = mod('type Box<A, n: ShapeVar> { Full(A) } def @f<A>(%x: Box[A, 2]) { %x }');
    expect(shownModule(m)).toContain('type Box[A, n: ShapeVar] {');
    expect(structuralEqual(mod(shownModule(m)), m)).toBe(true);
  });
});

describe('D4: relations', () => {
  it('follow a signature, alone or with arguments and attributes', () => {
    const bare = 'fn [a, b, c](%x: a, %y: b) -> c where Broadcast { add(%x, %y) }';
    expectSame(bare, bare.replace('Broadcast', 'Broadcast(a, b, c)'));
    const two = 'fn [a](%x: a) -> a where Identity, nn.softmax(a, a, axis=1) { %x }';
    expectSame(two, two);
    expect(shown(expr(two))).toContain('where Identity(a, a), nn.softmax(a, a, axis=1) {');
  });

  it('stand in parentheses with a function type of their own', () => {
    const text = 'fn (%f: (fn [A](A) -> A where Identity(A, A))) { %f }';
    expectSame(text, text);
  });

  it('have to be registered, by the user if need be', () => {
    const text = 'fn (%x) where Mine { %x }';
    expect(errors(text).map((d) => d.code)).toEqual(['NAME_RELATION']);
    expect(expr(text, { relations: ['Mine'] })._tag).toBe('Function');
    expect(errors('fn (%x) where Brodcast { %x }')[0]?.hint).toBe('did you mean `Broadcast`?');
  });
});

describe('D8: dimensions', () => {
  it.each([
    ['2 * n', 'n + n'],
    ['2 * n', 'n * 2'],
    ['n * m + 3', '1 + m * n + 2'],
    ['n', '(4 * n) / 4'],
    ['(n + 1) / 2', '(1 + n) / 2'],
    ['7', '2 * 3 + 1'],
  ])('are normal: %s is %s', (a, b) => {
    const text = (d: string) => `fn (%x: Tensor[(n, m, ${d}), int8], %y: Tensor[(?, _), _]) { %x }`;
    expectSame(text(a), text(b));
  });

  it.each([
    ['n - m', 'n - m'],
    ['n * m - n - 2', 'n * m - 2 - n'],
    ['-1 * n + 1', '1 - n'],
    ['n / 2', 'n / 2'],
    ['2 * n / m', '(n + n) / m'],
    ['(n + 1) / (2 * m)', '(1 + n) / (m * 2)'],
    ['3 * (n / 2) + 1', '1 + (n / 2) * 3'],
    ['n / m / 3', '(n / m) / 3'],
  ])('print in their normal form: %s', (normal, written) => {
    const text = (d: string) => `fn (%x: Tensor[(n, m, ${d}), int8]) { %x }`;
    const e = expr(text(written));
    expect(shown(e)).toContain(`(n, m, ${normal})`);
    expectSame(text(normal), text(written));
  });

  it('that nothing declares belong to the outermost signature', () => {
    const e = expr('fn (%x: Tensor[(n), int8]) { fn (%y: Tensor[(n, m), int8]) { %y } }');
    expect(shown(e)).toContain('fn [n: ShapeVar](%x: Tensor[(n), int8])');
    expect(shown(e)).toContain('fn [m: ShapeVar](%y: Tensor[(n, m), int8])');
    const stray = errors('fn (%x) { let %y: Tensor[(n), int8] = %x; %y }');
    expect(stray.map((d) => d.code)).toEqual(['NAME_TYPE_VARIABLE']);
  });
});

describe('D9: literals of tensors', () => {
  it('stack, and fill', () => {
    expectSame('[1, [2, 3].0]', 'stack((1, stack((2, 3), axis=0).0), axis=0)');
    expectSame('[let %x = 1; %x, 2]', 'stack(({ let %x = 1; %x }, 2), axis=0)');
    const e = expr('Constant(2, (2, 3), int16)');
    expect(e._tag === 'Constant' && [e.data.shape, e.data.dtype]).toEqual([[2, 3], 'int16']);
    expect(errors('[]').map((d) => d.code)).toEqual(['PARSE_EMPTY_TENSOR']);
    expect(errors('Constant(2.5, (1), int8)').map((d) => d.code)).toEqual(['LITERAL_RANGE']);
  });
});

describe('D10: attributes of functions', () => {
  it('are any data, and survive', () => {
    const attrs =
      'Inline=1, Primitive=0, Composite="a\\"b\\n", SkipOptimization=True, my.own=[1, [2.5, None]], x=-3';
    const e = expr(`fn (%x: int8, ${attrs}) { %x }`);
    expect(e._tag === 'Function' && e.attrs).toEqual({
      Inline: 1,
      Primitive: 0,
      Composite: 'a"b\n',
      SkipOptimization: true,
      'my.own': [1, [2.5, null]],
      x: -3,
    });
    expect(structuralEqual(rest(e), e)).toBe(true);
    expect(structuralEqual(e, expr('fn (%x: int8) { %x }'))).toBe(false);
    expectSame(`fn (${attrs}) { () }`, `fn (${attrs},) { () }`);
  });
});

describe('several errors of one text', () => {
  it('are reported together, each with its place, a caret and a remedy', () => {
    const text = [
      '#[version = "0.0.5"]',
      'def @f(%x: flaot32) { relu(%y) }',
      'def @g(%z) { let %a = nn.softmax(%z, axsi=1) %a }',
      'def @f() { 70000i16 }',
    ].join('\n');
    const result = parseModule(text, { ops, source: 'net.relay' });
    const found = result._tag === 'Left' ? result.left : [];
    expect(found.map((d) => [d.code, d.hint])).toEqual([
      ['NAME_TYPE', 'did you mean `float32`?'],
      ['NAME_OPERATOR', 'did you mean `nn.relu`?'],
      ['NAME_LOCAL', 'did you mean `%x`?'],
      ['ATTR_UNKNOWN', 'did you mean `axis`?'],
      ['PARSE_EXPECTED', undefined],
      ['NAME_TWICE', undefined],
      ['LITERAL_RANGE', 'int16 holds -32768 to 32767'],
    ]);
    const rendered = renderDiagnostics(found as never);
    expect(rendered).toContain('  --> net.relay:2:23');
    expect(rendered).toContain('2 | def @f(%x: flaot32) { relu(%y) }');
    expect(rendered).toContain('  |                       ^^^^\n');
  });
});

describe('a module without its weights', () => {
  it('names each tensor with its type in the place of its data', () => {
    const m = mod('def @f() { Constant(7, (100, 100), int8) }');
    const text = printModule(m, { meta: 'omit' });
    expect(text).toContain('meta[relay.Constant][0] /* Tensor[(100, 100), int8] */');
    expect(text).not.toContain('#[metadata]');
  });
});
