import { nodeSpan, orThrow } from '@baton/base';
import {
  type Attrs,
  call,
  constant,
  type Expr,
  func,
  ifElse,
  inferTypes,
  irModule,
  letIn,
  opRef,
  refCreate,
  refRead,
  refWrite,
  scalarType,
  type Type,
  tensorType,
  tuple,
  tupleGetItem,
  tupleType,
  variable,
} from '@baton/ir';
import { type DType, scalar, tensor } from '@baton/tensor';
import { parseModule, printExpr, printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';
import { expr, mod, shown, shownModule } from './text-support.ts';

const HEADER = '#[version = "0.0.5"]\n';
const f32 = scalarType('float32');
const of = (value: number, dtype: DType) => constant(scalar(value, dtype));
const literal = (value: number, kind: 'int' | 'float') =>
  constant(scalar(value, kind === 'int' ? 'int32' : 'float32'), undefined, kind);
const op = (name: string, args: ReadonlyArray<Expr>, attrs: Attrs = {}) =>
  call(opRef(name), args, { attrs });

describe('constants', () => {
  it.each([
    [of(42, 'int16'), '42i16'],
    [of(42, 'int32'), '42i32'],
    [of(42, 'int64'), '42i64'],
    [of(3, 'float16'), '3f16'],
    [of(3, 'float32'), '3f'],
    [of(3, 'float64'), '3f64'],
    [of(1, 'bool'), 'True'],
    [literal(42, 'int'), '42'],
    [literal(1.5, 'float'), '1.5'],
  ])('C052 print as literals after the header: %#', (node, text) => {
    expect(printExpr(node)).toBe(HEADER + text);
  });

  it('C052 need no suffix for int32 where the type is known', () => {
    const typeOf = (): Type => scalarType('int32');
    expect(printExpr(of(42, 'int32'), { typeOf, showTypes: false })).toBe(`${HEADER}42`);
  });

  it.each([
    [0.1, 'float32', '0.1f'],
    [1e11, 'float32', '1e11f'],
    [16777216, 'float32', '16777216f'],
    [3.4028234663852886e38, 'float32', '3.4028235e38f'],
    [1e-45, 'float32', '1e-45f'],
    [-0, 'float32', '-0f'],
    [1 / 3, 'float64', '0.3333333333333333f64'],
    [1e-9, 'float64', '1e-9f64'],
    [0.1, 'float16', '0.1f16'],
    [65504, 'float16', '65500f16'],
    [Number.POSITIVE_INFINITY, 'float32', 'inff'],
    [Number.NEGATIVE_INFINITY, 'float64', '-inff64'],
    [Number.NaN, 'float16', 'nanf16'],
    [200, 'uint8', '200u8'],
  ] as const)('have the shortest digits that read back: %d as %s', (value, dtype, text) => {
    expect(shown(of(value, dtype))).toBe(text);
    expect(expr(text)).toMatchObject({ data: { dtype, data: of(value, dtype).data.data } });
  });

  it.each([
    [2, '2.0'],
    [1e30, '1e+30'],
    [0.1, '0.1'],
  ])('keep a point or an exponent in a float literal: %d', (value, text) => {
    expect(shown(literal(value, 'float'))).toBe(text);
  });

  it('without a literal form go to the meta table, each once', () => {
    const weight = constant(tensor([1, Number.NaN, -0, 0.1], [2, 2], 'float32'));
    const half = of(1.5, 'bfloat16');
    const text = shown(tuple([weight, half, weight]));
    expect(text).toBe(
      [
        '(meta[relay.Constant][0], meta[relay.Constant][1], meta[relay.Constant][0])',
        '',
        '#[metadata]',
        '{"relay.Constant": [',
        '{"dtype":"float32","shape":[2,2],"data":[1,"NaN",-0,0.1]},',
        '{"dtype":"bfloat16","shape":[],"data":[1.5]}',
        ']}',
        '',
      ].join('\n'),
    );
  });

  it('may be left out', () => {
    const weight = constant(tensor([1, 2], [2], 'float32'));
    expect(printExpr(weight, { meta: 'omit' })).toBe(
      `${HEADER}meta[relay.Constant][0] /* Tensor[(2), float32] */`,
    );
    expect(printExpr(weight, { header: false })).not.toContain('#[');
  });
});

describe('operands', () => {
  it('C053 have temporaries', () => {
    const [x, y] = [variable('x'), variable('y')];
    const e = func([x, y], op('nn.relu', [op('add', [x, of(1, 'float32')])]));
    expect(shown(e)).toBe('fn (%x, %y) {\n  %0 = add(%x, 1f);\n  nn.relu(%0)\n}');
  });

  it('C055 come in the order of their evaluation', () => {
    const [x, y] = [variable('x'), variable('y')];
    const inner = call(func([y], y), [literal(1, 'int')]);
    expect(shown(call(func([x], x), [inner]))).toBe(
      '%0 = fn (%y) {\n  %y\n};\n%1 = %0(1);\n%2 = fn (%x) {\n  %x\n};\n%2(%1)',
    );
  });

  it('C056 that are shared stand before all their uses', () => {
    const pair = () => tuple([literal(0, 'int'), literal(0, 'int')]);
    const t = pair();
    expect(shown(letIn(variable('x'), t, t))).toBe('%0 = (0, 0);\nlet %x = %0;\n%0');
    const x = variable('x');
    expect(shown(letIn(x, pair(), x))).toBe('let %x = (0, 0);\n%x');
  });

  it('C058 are followed by the attributes that are not the default', () => {
    const x = variable('x', f32);
    const softmax = (axis: number) => op('nn.softmax', [x], { axis });
    const lines = (e: Expr) => shown(e).split('\n').at(-1);
    expect(lines(softmax(-1))).toBe('nn.softmax(%x)');
    expect(lines(softmax(2))).toBe('nn.softmax(%x, axis=2)');
    expect(lines(op('expand_dims', [x], { axis: 2, num_newaxis: 2 }))).toBe(
      'expand_dims(%x, axis=2, num_newaxis=2)',
    );
    expect(lines(op('nn.dropout', [x], { rate: 0.3 }))).toBe('nn.dropout(%x, rate=0.3f)');
    expect(lines(op('nn.dropout', [x], { rate: 1e300 }))).toBe('nn.dropout(%x, rate=1e300f64)');
  });

  it('C068 stay in the branch that alone uses them', () => {
    const text = shown(expr('fn (%c: bool, %x: float32) { if (%c) { exp(log(%x)) } else { %x } }'));
    expect(text).toBe(
      [
        'fn (%c: bool, %x: float32) {',
        '  if (%c) {',
        '    %0 = log(%x);',
        '    exp(%0)',
        '  } else {',
        '    %x',
        '  }',
        '}',
      ].join('\n'),
    );
  });

  it('move out of a branch if they are used outside of it, too', () => {
    const [c, x] = [variable('c'), variable('x')];
    const shared = op('exp', [op('log', [x])]);
    const inBranches = ifElse(c, op('negative', [shared]), op('nn.relu', [shared]));
    expect(shown(func([c, x], inBranches))).toBe(
      [
        'fn (%c, %x) {',
        '  %0 = log(%x);',
        '  %1 = exp(%0);',
        '  if (%c) {',
        '    negative(%1)',
        '  } else {',
        '    nn.relu(%1)',
        '  }',
        '}',
      ].join('\n'),
    );
  });

  it('stay in a recursive function whose name they mention', () => {
    const text = 'let %f = fn (%n) { %0 = %f(%n); (%0, %0) }; %0';
    expect(shown(expr(text))).toBe('let %f = fn (%n) {\n  %0 = %f(%n);\n  (%0, %0)\n};\n%0');
  });

  it('that are lets stand in parentheses', () => {
    const x = variable('x');
    const inner = letIn(x, literal(1, 'int'), x);
    expect(shown(tuple([inner]))).toBe('%0 = (\n  let %x = 1;\n  %x\n);\n(%0,)');
  });

  it('C071 of references and projections', () => {
    const e = refWrite(refCreate(literal(1, 'int')), refRead(refCreate(literal(2, 'int'))));
    expect(shown(e)).toBe('%0 = ref(1);\n%1 = ref(2);\n%2 = ref_read(%1);\nref_write(%0, %2)');
    const [a, b] = [variable('a', f32), variable('b', f32)];
    expect(shown(tupleGetItem(tuple([a, b]), 1))).toBe(
      'free_var %a: float32;\nfree_var %b: float32;\n%0 = (%a, %b);\n%0.1',
    );
    expect(shown(tupleGetItem(literal(1, 'int'), 0))).toBe('(1).0');
  });
});

describe('names', () => {
  it.each([
    ['1', '%v1'],
    ['', '%v'],
    ['_', '%v_'],
    ['a b:c', '%a_b_c'],
    ['base/x', '%base/x'],
    ['conv/1', '%conv_1'],
    ['let', '%let'],
  ])('C059 are made of hints: %j is printed %s', (hint, text) => {
    const x = variable(hint);
    expect(shown(func([x], x))).toBe(`fn (${text}) {\n  ${text}\n}`);
  });

  it('are unique in the text', () => {
    const [a, b, c] = [variable('x'), variable('x'), variable('x1')];
    expect(shown(func([a, b, c], tuple([a, b, c])))).toContain('fn (%x, %x1, %x11)');
  });

  it('C047 keep their slashes', () => {
    const e = expr('free_var %base/x: float32; free_var %base/y: float32; %base/x + %base/y');
    expect(shown(e)).toContain('add(%base/x, %base/y)');
  });
});

describe('functions', () => {
  it('C062 print attributes that are null', () => {
    expect(shown(func([], literal(1, 'int'), { attrs: { Marker: null } }))).toContain(
      'Marker=None',
    );
  });

  it('print strings so that they stay strings', () => {
    const e = func([], literal(1, 'int'), { attrs: { s: 'a"b\\\n\u0001é' } });
    expect(shown(e)).toContain(String.raw`s="a\"b\\\n\x01é"`);
    expect(expr(shown(e))).toMatchObject({ attrs: { s: 'a"b\\\n\u0001é' } });
  });

  it('C067 share one counter of temporaries', () => {
    const body = '(%x: float32) { nn.relu(add(%x, 1f)) }';
    const text = shownModule(mod(`def @b${body} def @a${body}`));
    expect(text).toBe(
      [
        'def @a(%x: float32) {',
        '  %0 = add(%x, 1f);',
        '  nn.relu(%0)',
        '}',
        '',
        'def @b(%x1: float32) {',
        '  %1 = add(%x1, 1f);',
        '  nn.relu(%1)',
        '}',
        '',
      ].join('\n'),
    );
  });

  it('C061 C070 print type definitions, constructors and clauses', () => {
    const text = shownModule(
      mod(
        'type Opt[A] { Have(A), Lack } def @pick[A]() -> fn (A) -> Opt[A] { Have } ' +
          'def @none() -> Opt[int32] { Lack } ' +
          'def @or[B](%o: Opt[B], %d: B) -> B { match? (%o) { Have(%x) => %x, _ => %d } }',
      ),
    );
    expect(text).toContain('type Opt[A] {\n  Have(A),\n  Lack,\n}\n');
    expect(text).toContain('def @none() -> Opt[int32] {\n  Lack\n}\n');
    expect(text).toMatch(/def @pick\[(A\d*)\]\(\) -> fn \(\1\) -> Opt\[\1\] \{\n {2}Have\n\}/);
    expect(text).toContain(
      'match? (%o) {\n    Have(%x) => {\n      %x\n    },\n    _ => {\n      %d\n    },\n  }',
    );
  });
});

describe('comments', () => {
  const typed = () => {
    const c = of(1, 'int32');
    const body = op('add', [c, c]);
    const m = irModule({ ops, functions: new Map([['main', func([], body)]]) });
    const types = new Map<Expr, Type>([
      [c, scalarType('int32')],
      [body, scalarType('int32')],
    ]);
    return { m, typeOf: (e: Expr) => types.get(e) };
  };

  it('C064 give the type of each constant where it stands, and of each call once', () => {
    const { m, typeOf } = typed();
    const text = printModule(m, { typeOf });
    expect(text.split('/* ty=int32 */')).toHaveLength(4);
    expect(text).toContain('add(1 /* ty=int32 */, 1 /* ty=int32 */) /* ty=int32 */');
    expect(printModule(m, { typeOf, showTypes: false })).not.toContain('ty=');
  });

  it('C065 may come from the caller', () => {
    const { m, typeOf } = typed();
    const annotate = (e: Expr) => (e._tag === 'Call' ? ' /*C*/' : '');
    const text = printModule(m, { typeOf, annotate });
    expect(text.split('/*C*/')).toHaveLength(2);
    expect(text).not.toContain('ty=');
  });

  it('come from inference', () => {
    const result = inferTypes(mod('def @main() { (1, 2f) }'));
    const text = result._tag === 'Right' ? printModule(result.right, { header: false }) : '';
    expect(text).toBe(
      'def @main() -> (int32, float32) {\n' +
        '  (1 /* ty=int32 */, 2f /* ty=float32 */) /* ty=(int32, float32) */\n}\n',
    );
  });

  it('say where nodes come from, if asked', () => {
    const span = nodeSpan('m.onnx', 'conv*/1', 'Conv');
    const e = call(opRef('exp'), [of(1, 'float32')], { attrs: {}, span });
    expect(printExpr(e, { header: false, showSpans: true })).toBe(
      'exp(1f) /* span=m.onnx: Conv conv* /1 */',
    );
    const placed = expr('1 + 2', { source: 'a.relay' });
    expect(printExpr(placed, { header: false, showSpans: true })).toContain('span=a.relay:1:1');
  });

  it('cut types that share their parts without end', () => {
    let type: Type = tensorType([2], 'int8');
    for (let i = 0; i < 1000; i++) type = tupleType([type, type]);
    const ladder = type;
    const e = op('exp', [of(1, 'float32')]);
    expect(printExpr(e, { header: false, typeOf: () => ladder })).toBe(
      'exp(1f /* ty=.. */) /* ty=.. */',
    );
    const x = variable('x', ladder);
    expect(shown(func([x], x))).toBe('fn (%x: _) {\n  %x\n}');
  });

  it('and the results of functions in functions stay far below the square of the depth', () => {
    const depth = 2500;
    const text = `def @main() { ${'fn () {'.repeat(depth)} 1 ${'}'.repeat(depth)} }`;
    const m = orThrow(inferTypes(mod(text)));
    const typed = printModule(m);
    expect(typed.length).toBeLessThan(10e6);
    const again = orThrow(inferTypes(orThrow(parseModule(typed, { ops }))));
    expect(printModule(again)).toBe(typed);
  });

  it('count the dimensions of a shape', () => {
    const wide = tensorType(
      Array.from({ length: 3000 }, () => 1),
      'int8',
    );
    let e: Expr = of(1, 'float32');
    for (let i = 0; i < 1000; i++) e = op('exp', [e]);
    expect(printExpr(e, { typeOf: () => wide }).length).toBeLessThan(2e6);
  });
});
