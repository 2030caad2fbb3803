/**
 * The legacy dialect: [language §13](https://batonjs.github.io/baton/spec/language#13). Each older
 * form has the meaning of its form of today.
 */
import { type Expr, type IRModule, structuralEqual } from '@baton/ir';
import { parseExpr, parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';
import { expr, mod, shown, shownModule } from './text-support.ts';

const legacy = { ops, dialect: 'legacy' } as const;

const codes = (text: string): ReadonlyArray<string> => {
  const result = parseExpr(text, legacy);
  return result._tag === 'Left' ? result.left.map((d) => d.code) : [];
};

const moduleCodes = (text: string): ReadonlyArray<string> => {
  const result = parseModule(text, legacy);
  return result._tag === 'Left' ? result.left.map((d) => `${d.code} ${d.message}`) : [];
};

function legacyExpr(text: string): Expr {
  const result = parseExpr(text, legacy);
  if (result._tag === 'Left') throw new Error(result.left.map((d) => d.message).join('\n'));
  return result.right;
}

function legacyModule(text: string): IRModule {
  const result = parseModule(text, legacy);
  if (result._tag === 'Left') throw new Error(result.left.map((d) => d.message).join('\n'));
  return result.right;
}

const FREE = 'free_var %x: float32; free_var %y: float32; free_var %f: fn (float32) -> float32; ';

/** Both texts with the same free variables in front. */
function expectSame(older: string, today: string): void {
  const a = legacyExpr(FREE + older);
  const b = expr(FREE + today);
  const isSame = structuralEqual(a, b, { mapFreeVars: true });
  expect(isSame, `${shown(a)}\n-- and --\n${shown(b)}`).toBe(true);
}

describe('an expression in the legacy dialect', () => {
  it.each([
    ['a function', 'fun (%a: float32) -> float32 { %a }', 'fn (%a: float32) -> float32 { %a }'],
    ['parameters', 'fun (a, b: Float) { a + b }', 'fn (%a, %b: float32) { %a + %b }'],
    ['a bare local', 'let z = x; z + %z', 'let %z = %x; %z + %z'],
    [
      'a bare function',
      'let g = fun (n: Int) { g(n) }; g(1)',
      'let %g = fn (%n: int32) { %g(%n) }; %g(1)',
    ],
    ['ret', 'ret x', '%x'],
    ['return', 'if (True) { return x; } else { return y; }', 'if (True) { %x } else { %y }'],
    ['a semicolon at the end', 'x;', '%x'],
    ['two semicolons', 'let %a = x;; %f(x);; %a', 'let %a = %x; %f(%x); %a'],
    ['an ascription', 'x : Float', 'let %_: float32 = %x; %_'],
    ['an ascribed argument', '%f(x : Float)', '%f(let %_: float32 = %x; %_)'],
    ['a value at the end of a let', 'let %a = %f(x)', 'let %a = %f(%x); %a'],
    ['a value at the end of a block', 'fn () { %1 = x }', 'fn () { %x }'],
    ['a let with its semicolon as the value', '{ let %a = x; }', '{ let %a = %x; %a }'],
    ['a graph binding as the value', '{ %1 = f(x); }', '{ %f(%x) }'],
    ['a line end', 'let %a = x\nlet %b = %a\n%b', 'let %a = %x; let %b = %a; %b'],
    ['a line that goes on', '%1 = x\n + y\n - x\n%1', '%1 = %x + %y - %x; %1'],
    ['brackets over lines', '%1 = add(\nx\n,\ny\n)\n%1', '%1 = add(%x, %y); %1'],
    ['a projection on a new line', '%1 = (x, y)\n .0\n%1', '%1 = (%x, %y).0; %1'],
    ['a parenthesis on a new line', '%1 = %f\n(%1, x)', '(%f, %x)'],
    ['a call over lines in brackets', '%1 = (%f\n(x))\n%1', '%1 = %f(%x); %1'],
    ['a bracket on a new line', 'let %a = x\n[%a, y]', 'let %a = %x; [%a, %y]'],
    ['a call on a new line after a semicolon', '%1 = x;\n%f\n(%1)', '%f(%x)'],
    [
      'else on a new line',
      '%1 = if (True) { x }\nelse { y }\n%1',
      '%1 = if (True) { %x } else { %y }; %1',
    ],
    [
      'a branch after a binding',
      '%1 = x\nif (True) { %1 } else { y }',
      'if (True) { %x } else { %y }',
    ],
    [
      'a recursive function at a line end',
      'let g = fun (n) { g(n) }\n(g, x)',
      'let %g = fn (%n) { %g(%n) }; (%g, %x)',
    ],
    ['a named graph binding', '%r = %f(x)\n(%r, r)', '%1 = %f(%x); (%1, %1)'],
    ['a bare graph binding', 'r = %f(x)\n(%r, r)', '%1 = %f(%x); (%1, %1)'],
    ['only a graph binding', '%r = %f(x)', '%f(%x)'],
    ['aliases', 'div(sub(x, y), mul(x, y))', 'divide(subtract(%x, %y), multiply(%x, %y))'],
    ['a prefix left out', 'relu(x)', 'nn.relu(%x)'],
    ['a local before an operator', 'fun (exp) { exp(x) }', 'fn (%exp) { %exp(%x) }'],
    ['a constant', 'Constant(1, float32, (2, 3))', 'Constant(1, (2, 3), float32)'],
    ['a constant of today', 'Constant(1, (2, 3), float32)', 'Constant(1, (2, 3), float32)'],
    ['a cast', 'Cast(x, f16)', 'cast(%x, dtype="float16")'],
    ['a comment', 'x # + 1\n# - 2\n', '%x'],
    ['a comment of today', 'x /* # */ // #', '%x'],
    ['type arguments', '%f<Bool, Tensor<f32, (2, 3)>>(x)', '%f[bool, Tensor[(2, 3), float32]](%x)'],
    ['a comparison', '(x < y, x > (y))', '(%x < %y, %x > (%y))'],
    ['a comparison of calls', 'f(x) < f(y)', '%f(%x) < %f(%y)'],
  ])('may have %s', (_, older, today) => expectSame(older, today));

  it.each([
    ['Float', 'float32'],
    ['Real', 'float32'],
    ['Int', 'int32'],
    ['Bool', 'bool'],
    ['f16', 'float16'],
    ['i8', 'int8'],
    ['u64', 'uint64'],
    ['Tensor<f32, (10, 10)>', 'Tensor[(10, 10), float32]'],
    ['Tensor<Float, 10, 10>', 'Tensor[(10, 10), float32]'],
    ['Tensor<Float, (2 + 3) * 2, 10>', 'Tensor[(10, 10), float32]'],
    ['Tensor<bool, ()>', 'bool'],
    ['Tensor<bool, _>', 'Tensor[_, bool]'],
    ['Tensor<bool, ?>', 'Tensor[(?), bool]'],
    ['Tensor<_, 3>', 'Tensor[(3), _]'],
    ['Tuple<>', '()'],
    ['Tuple<Int>', '(int32,)'],
    ['Tuple<Tensor<f32, 1>, Tuple<Bool, f64>>', '(Tensor[(1), float32], (bool, float64))'],
    ['fun<a, b>(a, b) -> (b, a)', 'fn [a, b](a, b) -> (b, a)'],
    [
      'fun<s: Shape, t: BaseType, n>(Tensor<t, s>, n) -> ()',
      'fn [s: Shape, t: BaseType, n](Tensor[s, t], n) -> ()',
    ],
    ['fun<n: ShapeVar>(Tensor<f32, n>) -> ()', 'fn [n: ShapeVar](Tensor[(n), float32]) -> ()'],
  ])('has the type %s', (older, today) => {
    expectSame(`fn (%a: ${older}) { %a }`, `fn (%a: ${today}) { %a }`);
  });

  it.each([
    ['let %a = 1 let %b = 2\n%b', ['PARSE_EXPECTED']],
    ['%x', ['NAME_LOCAL']],
    ['nothing(1)', ['NAME_OPERATOR']],
    ['fn (%x) { %x = 1\n%x }', ['NAME_GRAPH_LOCAL']],
    ['%1 = 1\n%1 = 2\n%1', ['NAME_GRAPH_TWICE']],
    ['%r = 1\nr = 2\nr', ['NAME_GRAPH_TWICE']],
    ['{ ret 1; 2 }', ['PARSE_EXPECTED']],
    ['Cast(1, (bool, bool))', ['PARSE_CAST']],
    ['fn (%x: Tuple<Foo>) { %x }', ['NAME_TYPE']],
    ['%1 = (1\n%2 = 3\n%3 = nope(%2)\n%3', ['PARSE_EXPECTED', 'NAME_OPERATOR']],
  ])('is refused: %s', (text, expected) => expect(codes(text)).toEqual(expected));

  it('shares the node of a named graph binding', () => {
    const e = legacyExpr('%r = (1, 2)\n(%r, r, %r.0)');
    expect(e._tag === 'Tuple' && e.fields[0] === e.fields[1]).toBe(true);
  });

  it('keeps its words as names of attributes', () => {
    const e = legacyExpr('fn (%x, data=1, ret="a", fun=2) { x }');
    expect(e._tag === 'Function' && e.attrs).toEqual({ data: 1, ret: 'a', fun: 2 });
  });
});

describe('today’s dialect', () => {
  it.each([
    'fun (%x) { %x }',
    'free_var %x: float32; let %a = %x\n%a',
    'free_var %x: Float; %x',
    'free_var %x: Tensor<float32, (1)>; %x',
    'free_var %x: float32; x',
    '1 # 2',
    'let %a = 1;',
  ])('refuses older forms: %s', (text) => {
    expect(parseExpr(text, { ops })._tag).toBe('Left');
  });
});

const NAT = 'type Nat { Z, S(Nat) }';

describe('a module in the legacy dialect', () => {
  it.each([
    ['without header', '', 'def @f() { 1 }', 'def @f() { 1 }'],
    ['with an older header', 'v0.0.4\n', 'def @f() { 1 }', 'def @f() { 1 }'],
    ['with today’s header', '#[version = "0.0.5"]\n', 'def @f() { 1 }', 'def @f() { 1 }'],
    [
      'with bare names',
      '',
      'def f(x) { g(x) } def g(x) { x }',
      'def @f(%x) { @g(%x) } def @g(%x) { %x }',
    ],
    ['with data', '', 'data Nat { Z : () -> Nat # zero\n S : (Nat) -> Nat }', NAT],
    ['with commas in data', '', 'data Nat { Z : () -> Nat, S : (Nat[]) -> Nat, }', NAT],
    [
      'with data that has parameters',
      '',
      'data List<a> { Nil : () -> List  Cons : (a, List[a]) -> List  Two: (List, (List,)) -> List<a> }',
      'type List[a] { Nil, Cons(a, List[a]), Two(List[a], (List[a],)) }',
    ],
    [
      'with cases',
      '',
      `${NAT} def @p(%v: Nat) { match (%v) { case Z() { Z() } case S(%n) { let %m = %n\n%m } } }`,
      `${NAT} def @p(%v: Nat) { match (%v) { Z => Z, S(%n) => { let %m = %n; %m } } }`,
    ],
    [
      'with clauses of today',
      '',
      `${NAT} def @p(%v: Nat) { match %v { Z => Z, _ => v } }`,
      `${NAT} def @p(%v: Nat) { match %v { Z => Z, _ => %v } }`,
    ],
    [
      'with a block before',
      '',
      'attributes f { inline: true } def f() { 1 }',
      'def @f(Inline=1) { 1 }',
    ],
    [
      'with a block after',
      '',
      'def @f() { 1 } attributes @f { inline: false, other: "a" }',
      'def @f(Inline=0, other="a") { 1 }',
    ],
    [
      'with all the attributes',
      '',
      'attributes f { noinline: true primitive: true composite: "c" skip_optimization: true list: [1, 2] no: false } def f() { 1 }',
      'def @f(Inline=0, Primitive=1, Composite="c", SkipOptimization=1, list=[1, 2], no=False) { 1 }',
    ],
  ])('may be written %s', (_, header, older, today) => {
    const a = legacyModule(header + older);
    const b = mod(today);
    expect(structuralEqual(a, b), `${shownModule(a)}\n-- and --\n${shownModule(b)}`).toBe(true);
  });

  it('has its constants after `METADATA:`', () => {
    const table = '{"relay.Constant": [{"dtype":"int8","shape":[1],"data":[7]}]}';
    const m = legacyModule(`v0.0.4\ndef @f() { meta[relay.Constant][0] }\nMETADATA:\n${table}`);
    const body = m.functions.get('f')?.body;
    expect(body?._tag === 'Constant' && body.data.dtype).toBe('int8');
  });

  it.each([
    ['attributes g { inline: true } def f() { 1 }', 'NAME_GLOBAL there is no definition of `g`'],
    ['data A { X : () -> B } data B { }', 'PARSE_CONSTRUCTOR a constructor of `A` makes `A`'],
    [
      'attributes f { inline: true inline: false } def f() { 1 }',
      'ATTR_TWICE the attribute `inline` is given twice',
    ],
    ['def f() { 1 } def @f() { 2 }', 'NAME_TWICE the global `@f` is defined twice'],
    ['data A { X : () -> A } type A { Y }', 'NAME_TWICE the type `A` is defined twice'],
  ])('is refused: %s', (text, expected) => expect(moduleCodes(text)).toEqual([expected]));
});
