import { type Expr, type Func, structuralEqual } from '@baton/ir';
import { tensor } from '@baton/tensor';
import { parseExpr, parseModule, printType } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';
import { errors, expr, mod, places, shown, textSpanOf } from './text-support.ts';

const same = (a: string, b: string) => structuralEqual(expr(a), expr(b), { mapFreeVars: true });

describe('operators between operands', () => {
  it('C016 bind by precedence, falling', () => {
    expect(same('2 * 3 + 4 < 5 == 6', '(((2 * 3) + 4) < 5) == 6')).toBe(true);
  });

  it('C017 bind by precedence, rising', () => {
    expect(same('6 == 5 < 4 + 3 * 2', '6 == (5 < (4 + (3 * 2)))')).toBe(true);
    expect(same('2 * 3 + 4', '2 * (3 + 4)')).toBe(false);
  });

  it('associate to the left', () => {
    expect(same('1 - 2 - 3', '(1 - 2) - 3')).toBe(true);
    expect(same('8 / 4 * 2', '(8 / 4) * 2')).toBe(true);
    expect(same('True || False && True', 'True || (False && True)')).toBe(true);
  });

  it.each([
    ['*', 'multiply'],
    ['/', 'divide'],
    ['+', 'add'],
    ['-', 'subtract'],
    ['<', 'less'],
    ['>', 'greater'],
    ['<=', 'less_equal'],
    ['>=', 'greater_equal'],
    ['==', 'equal'],
    ['!=', 'not_equal'],
    ['&&', 'logical_and'],
    ['||', 'logical_or'],
  ])('C019 stand for a call: %s is %s', (sign, op) => {
    expect(same(`1 ${sign} 1`, `${op}(1, 1)`)).toBe(true);
    expect(same(`1${sign}1`, `${op}(1, 1)`)).toBe(true);
  });

  it('have no unary minus', () => {
    expect(errors('let %x = 1; -%x')[0]).toMatchObject({ hint: 'write `negative(..)`' });
  });
});

describe('tuples and grouping', () => {
  it.each([
    ['()', 0],
    ['(0,)', 1],
    ['(0, 1,)', 2],
    ['(0, 1)', 2],
  ])('C020 tell %s as a tuple of %i', (text, size) => {
    const e = expr(text);
    expect(e._tag === 'Tuple' && e.fields.length).toBe(size);
  });

  it('C020 read (0) as 0', () => {
    expect(expr('(0)')._tag).toBe('Constant');
  });

  it('stack the elements of a tensor literal', () => {
    expect(same('[1f, 2f]', 'stack((1f, 2f), axis=0)')).toBe(true);
    expect(same('[[1, 2], [3, 4],]', 'stack((stack((1, 2)), stack((3, 4))))')).toBe(true);
    expect(places('[]')).toEqual(['PARSE_EMPTY_TENSOR 1:1-3']);
  });

  it('fill constants', () => {
    const e = expr('Constant(7, (2, 3), int8)');
    expect(e).toMatchObject({ _tag: 'Constant', literal: undefined });
    expect(shown(e)).toContain('"data":[7,7,7,7,7,7]');
    expect(places('Constant(300, (2), uint8)')).toEqual(['LITERAL_RANGE 1:10-13']);
    expect(places('Constant(1.5, (2), int8)')).toEqual(['LITERAL_RANGE 1:10-13']);
    expect(places('Constant(1, (?), int8)')).toEqual(['PARSE_DIMENSION 1:13-16']);
  });

  it('do not allocate the sizes that a text only claims', () => {
    expect(expr('Constant(1, (40000, 40000), float64)')).toMatchObject({
      data: { data: { length: 1 } },
    });
    expect(places('Constant(1, (40000, 40000, 40000), float64)')).toEqual([
      'TENSOR_TOO_LARGE 1:13-34',
    ]);
  });
});

describe('bindings', () => {
  it('C022 share the node of a graph binding', () => {
    const e = expr('%0 = (); %1 = 1; (%0, %0, %1)');
    expect(e._tag === 'Tuple' && e.fields[0] === e.fields[1]).toBe(true);
    expect(e._tag === 'Tuple' && e.fields.length).toBe(3);
  });

  it('C023 vanish where they are used once', () => {
    expect(same('%7 = (1, 2); %7', '(1, 2)')).toBe(true);
  });

  it('C025 have numbers that each definition may use again', () => {
    const m = mod(
      'def @a(%x: int32) -> int32 { %0 = %x + 1; %0 * %0 }\n' +
        'def @b(%x: int32) -> int32 { %0 = %x * 3; %0 + %0 }',
    );
    expect([...m.functions.keys()]).toEqual(['a', 'b']);
  });

  it.each([
    ['let %x: = 1; %x', 'PARSE_EXPECTED 1:9-10'],
    ['let %x 1; %x', 'PARSE_EXPECTED 1:8-9'],
    ['let %x = ; %x', 'PARSE_EXPECTED 1:10-11'],
    ['let %x = 1 %x', 'PARSE_EXPECTED 1:12-14'],
    ['let %x: int8 where = 1; %x', 'PARSE_WHERE 1:14-19'],
    ['%0 = exp(1 2); %0', 'PARSE_EXPECTED 1:12-13'],
    ['%0 = exp(1).x; %0', 'PARSE_EXPECTED 1:13-14'],
    ['%0 = exp(1).99999999999; %0', 'PARSE_EXPECTED 1:13-24'],
  ])('that break off are pointed at once, however flat they are: %s', (text, place) => {
    expect(places(text)).toEqual([place]);
  });

  it.each(['let @x = 1; ()', 'let x = 1; ()'])('C026 need a local: %s', (text) => {
    expect(errors(text)[0]?.message).toContain('expected a local variable');
    expect(errors(text)).toHaveLength(1);
  });

  it('C028 shadow only after their value', () => {
    const text = 'let %a = 1; let %b = 2 * %a; let %a = %a + %a; %a + %b';
    const e = expr(text);
    expect(same(text, 'let %a = 1; let %b = 2 * %a; let %c = %a + %a; %c + %b')).toBe(true);
    expect(e._tag === 'Let' && e.variable.nameHint).toBe('a');
  });

  it('C029 see themselves only in a function literal', () => {
    expect(places('let %x = (%x, 1); %x')).toEqual(['NAME_LOCAL 1:11-13']);
    const e = expr('let %f = fn (%n) { %f(%n) }; %f(1)');
    const value = e._tag === 'Let' ? (e.value as Func).body : e;
    expect(value._tag === 'Call' && e._tag === 'Let' && value.op === e.variable).toBe(true);
    expect(places('let %f = fn (%n) { %f(%n) }(1); %f')).toEqual(['NAME_LOCAL 1:20-22']);
  });

  it('may be a sequence', () => {
    const e = expr('1; 2');
    expect(e).toMatchObject({ _tag: 'Let', variable: { nameHint: '' } });
  });

  it('refuse a number that is used before it is made, or made twice', () => {
    expect(places('%1')).toEqual(['NAME_GRAPH 1:1-3']);
    expect(places('%0 = 1; %0 = 2; %0')).toEqual(['NAME_GRAPH_TWICE 1:9-11']);
    const inOther = '#[version = "0.0.5"]\ndef @a() { %0 = 1; %0 }\ndef @b() { %0 }';
    expect(places(inOther, parseModule)).toEqual(['NAME_GRAPH 3:12-14']);
  });

  it('end at the end of their block', () => {
    expect(places('let %x = { let %y = 1; %y }; %y')).toEqual(['NAME_LOCAL 1:30-32']);
    expect(places('if (True) { let %y = 1; %y } else { %y }')).toEqual(['NAME_LOCAL 1:37-39']);
    expect(places('(fn (%p) { %p }, %p)')).toEqual(['NAME_LOCAL 1:18-20']);
  });
});

describe('names', () => {
  it('C031 name operators', () => {
    expect(expr('add')).toMatchObject({ _tag: 'Op', name: 'add' });
    expect(expr('nn.global_avg_pool2d')).toMatchObject({ name: 'nn.global_avg_pool2d' });
    expect(errors('no.such_op')[0]?.message).toBe('operator `no.such_op` not found');
  });

  it('C032 name globals that the expression need not know', () => {
    expect(expr('@foo')).toMatchObject({ _tag: 'GlobalVar', nameHint: 'foo' });
    expect(expr('@a.b')).toMatchObject({ nameHint: 'a.b' });
  });

  it.each([
    ['relu(1)', 'nn.relu'],
    ['nn.rleu(1)', 'nn.relu'],
    ['mutiply(1, 2)', 'multiply'],
  ])('propose what may be meant: %s', (text, meant) => {
    expect(errors(text)[0]?.hint).toBe(`did you mean \`${meant}\`?`);
  });

  it('propose locals and attributes too', () => {
    expect(errors('let %weight = 1; %wieght')[0]?.hint).toBe('did you mean `%weight`?');
    expect(errors('let %weight = 1; weight')[0]?.hint).toContain('`%weight`');
    expect(errors('nn.softmax(1f, axs=2)')[0]?.hint).toBe('did you mean `axis`?');
  });
});

describe('calls', () => {
  it('fill in default attributes, in declared order', () => {
    const e = expr('nn.conv2d(1f, 2f, padding=[1, 1, 1, 1])');
    expect(e._tag === 'Call' && Object.entries(e.attrs ?? {})).toEqual([
      ['strides', [1, 1]],
      ['padding', [1, 1, 1, 1]],
      ['data_layout', 'NCHW'],
      ['channels', null],
      ['kernel_size', null],
    ]);
  });

  it('C034 refuse unknown attributes, at the attribute', () => {
    const text = 'free_var %x: Tensor[(2, 2), float32]; nn.relu(%x, slope=1)';
    expect(places(text)).toEqual(['ATTR_UNKNOWN 1:51-56']);
  });

  it('report missing attributes at the call, wrong ones at the attribute', () => {
    expect(places('reshape(1)')).toEqual(['ATTR_MISSING 1:1-11']);
    expect(places('nn.softmax(1f, axis="x")')).toEqual(['ATTR_TYPE 1:16-20']);
    expect(places('nn.softmax(1f, axis=1, axis=2)')).toEqual(['ATTR_TWICE 1:24-28']);
    expect(places('cast(1, dtype=float32)')[0]).toBe('PARSE_EXPECTED 1:15-22');
  });

  it('C035 of closures take attributes only with their record type', () => {
    const call = (key: string) => `let %f = fn (%a) { %a }; %f(1, name="n"${key})`;
    expect(errors(call(''))[0]).toMatchObject({
      code: 'ATTR_NO_KEY',
      message: expect.stringContaining('attrs_type_key'),
    });
    const e = expr(call(', attrs_type_key="Some.Key"'));
    expect(e._tag === 'Let' && e.body).toMatchObject({
      attrs: { name: 'n' },
      attrsTypeKey: 'Some.Key',
    });
  });

  it('may be applied to calls, and take type arguments', () => {
    expect(expr('fn (%f) { %f(1)(2) }')).toMatchObject({ body: { op: { _tag: 'Call' } } });
    const args = expr('fn (%f) { %f[int32, (bool,)](1) }');
    expect(args).toMatchObject({ body: { typeArgs: [{ kind: 'Type' }, { kind: 'Type' }] } });
    expect(same('fn (%f) { %f<int32>(1) }', 'fn (%f) { %f[int32](1) }')).toBe(true);
    expect(same('fn (%f) { %f < 1 }', 'fn (%f) { less(%f, 1) }')).toBe(true);
    expect(same('fn (%a, %b) { (%a < 2) == (%b > 1) }', 'fn (%a, %b) { %a < 2 == %b > 1 }')).toBe(
      true,
    );
  });

  it('C050 take constants from the meta table', () => {
    const given = tensor([1, 2, 3, 4, 5, 6], [2, 3], 'float32');
    const meta = new Map([['relay.Constant', [{ _tag: 'MetaTensor' as const, value: given }]]]);
    const text = (i: number) =>
      `def @main(%x: Tensor[(2, 3), float32]) { add(%x, meta[relay.Constant][${i}]) }`;
    const f = mod(text(0), { meta }).functions.get('main');
    expect(f?.body).toMatchObject({ args: [{}, { _tag: 'Constant', data: given }] });
    const bad = parseModule(`#[version = "0.0.5"]\n${text(1)}`, { ops, meta });
    expect(bad._tag === 'Left' && bad.left.map((d) => textSpanOf(d).column)).toEqual([50]);
    expect(errors('meta[no.Such][0]')[0]?.code).toBe('META_UNKNOWN');
  });

  it("find entries that are passed in after the section's own", () => {
    const meta = new Map([
      ['relay.Constant', [{ _tag: 'MetaTensor' as const, value: tensor([9], [1], 'int8') }]],
    ]);
    const section =
      '#[metadata]\n{"relay.Constant":[{"dtype":"int64","shape":[1],"data":["9223372036854775807"]}]}';
    const e = expr(`(meta[relay.Constant][0], meta[relay.Constant][1])\n${section}`, { meta });
    expect(e).toMatchObject({
      fields: [{ data: { dtype: 'int64' } }, { data: { dtype: 'int8' } }],
    });
  });

  it.each([
    ['nonsense', 'it is not JSON'],
    ['[]', 'expected an object of lists'],
    ['{"relay.Constant":[{"dtype":"float32","shape":[9000],"data":[1]}]}', '1'],
    ['{"relay.Constant":[{"dtype":"float31","shape":[],"data":[1]}]}', 'unknown dtype'],
    ['{"relay.Constant":[{"dtype":"int64","shape":[],"data":[1e300]}]}', 'no int64'],
    ['{"relay.Constant":[{"dtype":"uint64","shape":[],"data":["-1"]}]}', 'no uint64'],
    ['{"relay.Constant":[{"dtype":"int8","shape":[],"data":[128]}]}', 'no int8'],
    ['{"relay.Constant":[{"dtype":"int32","shape":[],"data":[1.5]}]}', 'no int32'],
    ['{"relay.Constant":[{"dtype":"bool","shape":[],"data":[2]}]}', 'no bool'],
    ['{"relay.Constant":[{"dtype":"int32","shape":[],"data":["inf"]}]}', 'no int32'],
    ['{"relay.Constant":[{"dtype":"float32","shape":[],"data":[1e999]}]}', 'no float32'],
  ])('refuse a section that is not a table: %s', (json, message) => {
    const [d] = errors(`()\n#[metadata]${json}`);
    expect(d).toMatchObject({ code: 'META_SECTION', message: expect.stringContaining(message) });
  });
});

describe('functions', () => {
  it('C043 have attributes', () => {
    const e = expr(
      'fn (%x: Tensor[(2, 3), float32], Primitive=1, relay.reshape_only=1) ' +
        '{ reshape(%x, newshape=[-1]) }',
    );
    expect(e).toMatchObject({ attrs: { Primitive: 1, 'relay.reshape_only': 1 } });
    expect(expr('fn (A=None, B=-2.5f, C="s", D=[1, [True]], E=(3)) { 1 }')).toMatchObject({
      attrs: { A: null, B: -2.5, C: 's', D: [1, [true]], E: 3 },
    });
  });

  it('C041 and lets have types', () => {
    const e = expr(
      'let %_ : fn (int32, int32) -> int32 = fn (%x: int32, %y: int32) -> int32 { 0 }; ' +
        'let %_ : (int32,) = (0,); let %_ : Tensor[(), float32] = 1f; ()',
    );
    const types: string[] = [];
    for (let at: Expr = e; at._tag === 'Let'; at = at.body) {
      const type = at.variable.typeAnnotation;
      types.push(type === undefined ? '-' : printType(type));
    }
    expect(types).toEqual(['fn (int32, int32) -> int32', '(int32,)', 'float32']);
  });

  it.each([
    'float32',
    'bool',
    'float16x4',
    'bfloat16',
    'Tensor[(2, 3), int8]',
    'Tensor[(1), float32]',
    'Tensor[(?, 1), uint16]',
    '(int8, (), (bool,))',
    'fn () -> ()',
    'fn [A](A, fn (A) -> A) -> (A, A)',
    'fn [s: Shape, d: BaseType, n: ShapeVar](Tensor[s, d], Tensor[(n, 2 * n + 1), d]) -> ()',
    'ref(ref(int32))',
    '(fn [A, B](A) -> B where Identity(A, B), Broadcast(A, A, B))',
  ])('print a type as it was read: %s', (text) => {
    const e = expr(`fn (%x: ${text}) { %x }`);
    const type = e._tag === 'Function' ? e.params[0]?.typeAnnotation : undefined;
    expect(type === undefined ? '' : printType(type)).toBe(text);
  });

  it.each([
    ['Tensor[(), float32]', 'float32'],
    ['Tensor[(1,), float32]', 'Tensor[(1), float32]'],
    ['(int32)', 'int32'],
    ['uint1', 'bool'],
    ['Tensor[(2 * 3 + 1, 6 / 2), int8]', 'Tensor[(7, 3), int8]'],
  ])('read %s as %s', (text, normal) => {
    const e = expr(`fn (%x: ${text}) { %x }`);
    const type = e._tag === 'Function' ? e.params[0]?.typeAnnotation : undefined;
    expect(type === undefined ? '' : printType(type)).toBe(normal);
  });

  it('declare the dimensions that their signatures mention', () => {
    const e = expr(
      'fn (%x: Tensor[(n, m + n), int8]) -> Tensor[(m), int8] { fn (%y: Tensor[(n), int8]) { %y } }',
    );
    expect(e).toMatchObject({
      typeParams: [{ nameHint: 'n', kind: 'ShapeVar' }, { nameHint: 'm' }],
      body: { typeParams: [] },
    });
    expect(places('let %x: Tensor[(n), int8] = 1; 2')).toEqual(['NAME_TYPE_VARIABLE 1:17-18']);
  });

  it.each([
    ['fn (%x: flaot32) { %x }', 'NAME_TYPE 1:9-16'],
    ['fn (%x: Tensor[(2), d]) { %x }', 'NAME_TYPE_VARIABLE 1:21-22'],
    ['fn (%x: Tensor[(2 - 3), int8]) { %x }', 'PARSE_DIMENSION 1:17-22'],
    ['fn (%x: Tensor[(5 / 2), int8]) { %x }', 'PARSE_DIMENSION 1:17-22'],
    ['fn (%x: Tensor[(1 / 0), int8]) { %x }', 'PARSE_DIMENSION 1:17-22'],
    ['fn [A](%x: Tensor[(A), int8]) { %x }', 'NAME_TYPE_VARIABLE 1:20-21'],
    ['fn (x) { 1 }', 'PARSE_EXPECTED 1:5-6'],
    ['fn (%x: Tensor) { %x }', 'PARSE_EXPECTED 1:15-16'],
    ['fn (%x) where Nope { %x }', 'NAME_RELATION 1:15-19'],
  ])('refuse types that mean nothing: %s', (text, place) => {
    expect(places(text)).toEqual([place]);
  });

  it.each([
    ['type L[A] { C(A, L) }', 'TYPE_ARGUMENT_COUNT 2:18-19'],
    ['type L[A] { C(A, L[A, A]) }', 'TYPE_ARGUMENT_COUNT 2:18-25'],
    ['def @f(%x: L[_]) { %x } type L { C }', 'TYPE_ARGUMENT_COUNT 2:12-16'],
    ['def @f(%x: (L, int8)) { %x } type L[A, n: ShapeVar] { C }', 'TYPE_ARGUMENT_COUNT 2:13-14'],
  ])('E16: refuse another number of arguments than a type has: %s', (text, place) => {
    expect(places(`#[version = "0.0.5"]\n${text}`, parseModule)).toEqual([place]);
  });

  it('keep dimensions small', () => {
    const product = Array.from({ length: 40 }, (_, i) => `(a${i} + b${i})`).join(' * ');
    expect(places(`fn (%x: Tensor[(${product}), int8]) { %x }`)[0]).toContain('PARSE_DIMENSION');
    const deep = `${'('.repeat(5000)}n${')'.repeat(5000)}`;
    expect(places(`fn (%x: Tensor[(${deep}), int8]) { %x }`)[0]).toContain('PARSE_DIMENSION');
  });
});

describe('branches and references', () => {
  it('C049 chain else if', () => {
    const chain = 'if (True) { 1 } else if (False) { 2 } else { 3 }';
    expect(same(chain, 'if (True) { 1 } else { if (False) { 2 } else { 3 } }')).toBe(true);
  });

  it('create, read and write references', () => {
    expect(expr('ref_write(ref(1), ref_read(ref(2)))')).toMatchObject({
      _tag: 'RefWrite',
      ref: { _tag: 'RefCreate' },
      value: { _tag: 'RefRead' },
    });
  });
});

describe('modules', () => {
  it('C046 see definitions that come later', () => {
    const m = mod(
      'def @main(%x: int32) -> int32 { @later(%x) } def @later(%y: int32) -> int32 { %y + 1 }',
    );
    expect([...m.functions.keys()]).toEqual(['main', 'later']);
  });

  it.each([
    ['def @main() { 1 }', 'PARSE_HEADER 1:1-4'],
    ['#[version = "0.0.4"]\ndef @main() { 1 }', 'PARSE_HEADER 1:1-21'],
  ])('need their version: %j', (text, place) => {
    expect(places(text, parseModule)).toEqual([place]);
    expect(errors(text, parseModule)[0]?.hint).toContain('#[version = "0.0.5"]');
  });

  it('C038 define a name once', () => {
    const text = (body: string) => `#[version = "0.0.5"]\n${body}`;
    expect(places(text('def @f() { 1 } def @f() { 2 }'), parseModule)).toEqual([
      'NAME_TWICE 2:20-22',
    ]);
    expect(places(text('type A { } type A { }'), parseModule)).toEqual(['NAME_TWICE 2:17-18']);
  });

  it('C037 define a constructor once', () => {
    const text = '#[version = "0.0.5"]\ntype A { X } type B { X }';
    expect(places(text, parseModule)).toEqual(['NAME_TWICE 2:23-24']);
  });

  it('C040 hold types with unknown dimensions', () => {
    const m = mod('type box { mk(Tensor[(?, 1), uint16]) }');
    const input = m.constructors.get('mk')?.inputs[0];
    expect(input === undefined ? '' : printType(input)).toBe('Tensor[(?, 1), uint16]');
  });

  it('C044 match without parentheses', () => {
    const m = mod(
      'type nat { zero, succ(nat) }\n' +
        'def @pred(%n: nat) -> nat { match %n { zero => zero, succ(%m) => %m, } }',
    );
    expect(m.functions.get('pred')?.body).toMatchObject({ _tag: 'Match', complete: true });
  });

  it('have no free variables', () => {
    const text = '#[version = "0.0.5"]\ndef @f() { free_var %x: int32; %x }';
    expect(places(text, parseModule)).toEqual(['PARSE_FREE_VAR 2:12-30']);
  });
});

describe('diagnostics', () => {
  it('are several to a text', () => {
    const text = [
      '#[version = "0.0.5"]',
      'def @a(%x: int32) {',
      '  let %y = ;',
      '  let %z = relu(%y);',
      '  (%z, %q',
      '}',
      'def @b() { 1 + }',
      'def @c() { @b( }',
      'garbage',
      'def @d() { %u }',
    ].join('\n');
    expect(places(text, parseModule)).toEqual([
      'PARSE_EXPECTED 3:12-13',
      'NAME_OPERATOR 4:12-16',
      'NAME_LOCAL 5:8-10',
      'PARSE_EXPECTED 6:1-2',
      'PARSE_EXPECTED 7:16-17',
      'PARSE_EXPECTED 8:16-17',
      'PARSE_EXPECTED 9:1-8',
      'NAME_LOCAL 10:12-14',
    ]);
  });

  it('cost one each where a semicolon is missing', () => {
    expect(places('let %x = 1\nlet %y = 2; add(%x, %y)')).toEqual(['PARSE_EXPECTED 2:1-4']);
  });

  it('end at some number', () => {
    const found = errors(`${'%a; '.repeat(1000)}1`);
    expect(found).toHaveLength(101);
    expect(found.at(-1)?.code).toBe('PARSE_TOO_MANY');
  });

  it('say where they are: every node has its place', () => {
    const e = expr('let %x = 1;\nadd(%x,\n  (2))');
    expect(e.span).toMatchObject({ line: 1, column: 1, endLine: 3, endColumn: 7 });
    expect(e._tag === 'Let' && e.body.span).toMatchObject({ line: 2, column: 1, endLine: 3 });
    const infix = expr('1 + 2 * 3');
    expect(infix._tag === 'Call' && infix.args[1]?.span).toMatchObject({
      column: 5,
      endColumn: 10,
    });
    const named = parseExpr('1', { ops, source: 'a.relay' });
    expect(named._tag === 'Right' && named.right.span).toMatchObject({
      source: { name: 'a.relay' },
    });
  });
});
