import { mergeSpans, mulberry32, nodeSpan, spanLeaves } from '@baton/base';
import {
  constant,
  type Expr,
  func,
  type IRModule,
  irModule,
  letIn,
  structuralEqual,
  tempExpr,
  tuple,
  variable,
} from '@baton/ir';
import { fromNumbers, scalar, splat, tensor, toBytes } from '@baton/tensor';
import {
  decodeModule,
  encodeModule,
  fromJson,
  importStd,
  parseModule,
  printModule,
} from '@baton/text';
import { describe, expect, it } from 'vitest';
import { amount } from '../../../test/tier.ts';
import { ops } from './text-ops.ts';
import { mod } from './text-support.ts';

const decoded = (data: unknown): IRModule => {
  const result = decodeModule(data, { ops });
  if (result._tag === 'Left') throw new Error(result.left.map((d) => d.message).join('\n'));
  return result.right;
};

/** The module through JSON text and back, without conveniences that would hide a difference. */
const again = (m: IRModule): IRModule => decoded(JSON.parse(JSON.stringify(encodeModule(m))));

const problems = (data: unknown): ReadonlyArray<string> => {
  const result = decodeModule(data, { ops });
  return result._tag === 'Left' ? result.left.map((d) => `${d.code} ${d.message}`) : [];
};

const WHOLE = `
type List[A] { Cons(A, List[A]), Nil }
extern type Storage[n: ShapeVar, s: Shape, d: BaseType]
def @f[A, n: ShapeVar, s: Shape, d: BaseType](
  %x: Tensor[(n, 2 * n + 1, (n * n) / (n + 1), ?), float32], %y: (A, Tensor[s, d]), %z: float16x4,
  %w: Storage[n, s, d], %g: (fn [B](B) -> A where Identity(B, A)), Inline=1, Name="a\\"b",
  List=[1, [2.5, None, True]], Nothing=None
) -> ref((A, List[A])) where Broadcast(A, A, A) {
  %0 = (%y, %y.0);
  let %l: _ = match? (%0) { ((%a, _), %b: A) => Cons(%a, Cons(%b, Nil)), _ => Nil };
  let %rec = fn (%k) { if (%k < 1) { %0.1 } else { %rec(%k - 1) } };
  let %r = ref((%rec(3), %l));
  ref_write(%r, ref_read(%r));
  %g[int8, (2, n)](%rec, name="n", attrs_type_key="K");
  nn.softmax(1.5);
  nn.dropout(@f(True), rate=0.25);
  %r
}
def @g() { (Constant(7, (1000, 1000), int8), Cons, add) }
`;

describe('a module through JSON', () => {
  it('is the same module, sharing and all', () => {
    const m = mod(WHOLE);
    const other = again(m);
    expect(structuralEqual(other, m)).toBe(true);
    expect(printModule(other)).toBe(printModule(m));
    expect(encodeModule(other)).toEqual(encodeModule(m));
    expect([...other.functions.values()].map((f) => f.span)).toEqual(
      [...m.functions.values()].map((f) => f.span),
    );
  });

  it('keeps the library with its imports', () => {
    const m = importStd(irModule({ ops }), 'nat.rly');
    if (m._tag === 'Left') throw new Error('the library imports');
    expect(structuralEqual(again(m.right), m.right)).toBe(true);
    expect([...again(m.right).imports]).toEqual([...m.right.imports]);
  });

  it('keeps sharing: nodes, types, tensors, type names', () => {
    const m = again(mod('type A { X(A) } def @f(%x: (A, A)) { %0 = (%x, %x); (%0, %0, X) }'));
    const body = m.functions.get('f')?.body;
    expect(body?._tag === 'Tuple' && body.fields[0] === body.fields[1]).toBe(true);
    expect(body?._tag === 'Tuple' && body.fields[2]).toBe(m.constructors.get('X'));
    expect(m.constructors.get('X')?.belongTo).toBe(m.typeDefinitions.get('A')?.header);
    const weights = fromNumbers([1, 2, 3], [3], 'float32');
    const shared = tuple([constant(weights), constant(weights)]);
    const fields = again(
      irModule({ ops, functions: new Map([['main', func([], shared)]]) }),
    ).functions.get('main')?.body;
    if (fields?._tag !== 'Tuple') throw new Error('a tuple stays a tuple');
    const [a, b] = fields.fields;
    expect(a?._tag === 'Constant' && b?._tag === 'Constant' && a !== b && a.data === b.data).toBe(
      true,
    );
  });

  it.each([
    [scalar(Number.NaN, 'float32')],
    [fromNumbers([0, -0, Number.POSITIVE_INFINITY, 1e-45], [2, 2], 'float32')],
    [tensor([1n, -(2n ** 63n), 2n ** 63n - 1n], [3], 'int64')],
    [tensor([2n ** 64n - 1n], [1, 1], 'uint64')],
    [fromNumbers([1, 0, 1], [3], 'bool')],
    [fromNumbers([1.5, -2.25], [2], 'bfloat16')],
    [fromNumbers([], [0, 5], 'float16')],
    [splat([100_000, 3], 'float64', 0.1)],
    [splat([1], 'int8', 3)],
  ])('keeps constants bit for bit: %#', (data) => {
    const m = irModule({ ops, functions: new Map([['main', func([], constant(data))]]) });
    const body = again(m).functions.get('main')?.body;
    if (body?._tag !== 'Constant') throw new Error('a constant stays a constant');

    expect(Buffer.from(toBytes(body.data)).equals(toBytes(data))).toBe(true);
    expect(JSON.stringify(encodeModule(m)).length).toBeLessThan(1000);
  });

  it('keeps attributes that JSON has no numbers for, and names that objects know', () => {
    const attrs = { a: Number.NaN, b: -0, c: Number.NEGATIVE_INFINITY, ['__proto__']: [null] };
    const m = irModule({ ops, functions: new Map([['main', func([], tuple([]), { attrs })]]) });
    const found = again(m).functions.get('main')?.attrs ?? {};
    expect(Object.entries(found)).toEqual(Object.entries(attrs));
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
  });

  it('keeps merged places as a DAG, and can leave places out', () => {
    let span = nodeSpan('g', 'n', 'Add');
    let merged = mergeSpans(span);
    for (let i = 0; i < 1000; i++) {
      span = nodeSpan('g', `n${i}`, 'Add');
      merged = mergeSpans(merged, span, mergeSpans(merged, span));
    }
    const m = irModule({ ops, functions: new Map([['main', func([], tuple([], merged))]]) });
    const leaves = spanLeaves(again(m).functions.get('main')?.body.span);
    expect(leaves).toEqual(spanLeaves(merged));
    expect(encodeModule(m, { spans: false }).spans).toEqual([]);
  });

  it('goes deeper than the stack', () => {
    const vars = Array.from({ length: 8_000 }, () => variable('x'));
    let e: Expr = tuple([]);
    for (const v of vars) e = letIn(v, tuple([e]), v);
    const m = irModule({ ops, functions: new Map([['main', func([], e)]]) });
    expect(structuralEqual(again(m), m)).toBe(true);
    const types = `def @f(%x: ${'('.repeat(5_000)}int8${',)'.repeat(5_000)}) { %x }`;
    expect(structuralEqual(again(mod(types)), mod(types))).toBe(true);
    const p = `def @p(%x) { match? %x { ${'('.repeat(5_000)}%a${',)'.repeat(5_000)} => %a } }`;
    expect(structuralEqual(again(mod(p)), mod(p))).toBe(true);
  });

  it('throws for a node private to a pass, which is a bug of the pass', () => {
    const temp = func(
      [],
      tempExpr(1, () => tuple([])),
    );
    const m = irModule({ ops, functions: new Map([['main', temp]]) });
    expect(() => encodeModule(m)).toThrow('private to a pass');
  });
});

const base = () => encodeModule(mod('def @f(%x: Tensor[(n, 2), int8]) { add(%x, 1i8) }'));
type Data = Record<string, unknown>;
const changed = (change: (data: Record<string, Record<string, unknown>[]>) => void): Data => {
  const data = JSON.parse(JSON.stringify(base()));
  change(data);
  return data;
};

describe('data that is no module', () => {
  it.each([
    [null, 'at /: expected a module, found null'],
    [[], 'at /'],
    [{ ...base(), baton: 1 }, 'at /baton: expected 2, found 1'],
    [
      changed((d) => d.nodes?.push({ tag: 'Lambda' })),
      'at /nodes/5: expected an expression, found a record',
    ],
    [
      changed((d) => d.nodes?.push({ tag: 'Tuple', fields: [-1] })),
      'at /nodes/5/fields/0: expected an index, found -1',
    ],
    [changed((d) => d.nodes?.push({ tag: '__proto__' })), 'expected an expression'],
    [
      changed((d) => d.nodes?.push({ tag: 'Tuple', fields: [5] })),
      'at /nodes/5/fields/0: there is no row 5 before it',
    ],
    [
      changed((d) => d.nodes?.push({ tag: 'Op', name: 'nope' })),
      'at /nodes/5: operator `nope` not found',
    ],
    [
      changed((d) => d.nodes?.push({ tag: 'Let', variable: 1, value: 0, body: 0 })),
      'at /nodes/5/variable: expected a variable',
    ],
    [
      changed((d) =>
        d.nodes?.push({ tag: 'Call', op: 2, args: [], attrs: [['a', 1]], typeArgs: [] }),
      ),
      '',
    ],
    [changed((d) => d.functions?.push(['g', 0] as never)), 'at /functions/1: expected a function'],
    [
      changed((d) => d.types?.push({ tag: 'TensorType', shape: [], dtype: 'float31' })),
      'is no dtype',
    ],
    [
      changed((d) => d.types?.push({ tag: 'TensorType', shape: { variable: 0 }, dtype: 'int8' })),
      'expected a variable of kind Shape',
    ],
    [
      changed((d) => d.types?.push({ tag: 'TupleType', fields: [99] })),
      'there is no row 99 before it',
    ],
    [
      changed((d) => d.tensors?.push({ dtype: 'int8', shape: [4_000_000], data: 'AAAA' })),
      'expected the 4000000 bytes of the shape',
    ],
    [
      changed((d) => d.tensors?.push({ dtype: 'int8', shape: [2 ** 50, 2 ** 50], data: '' })),
      'at /tensors/1/shape',
    ],
    [
      changed((d) => d.tensors?.push({ dtype: 'int8', shape: [3], data: 'AA*A' })),
      'it is not base64',
    ],
    [
      changed((d) => d.tensors?.push({ dtype: 'bool', shape: [3], data: 'AAAC' })),
      'at /tensors/1/data',
    ],
    [
      changed(
        (d) =>
          d.patterns?.push({ tag: 'PatternTuple', patterns: [0] }) &&
          d.nodes?.push({
            tag: 'Match',
            data: 0,
            clauses: [{ pattern: 0, body: 0 }],
            complete: true,
          }),
      ),
      'its parts come before it',
    ],
    [changed((d) => d.attrs?.push(['a', { number: 'zero' }] as never)), 'at /attrs/0'],
  ])('is refused: %#', (data, expected) => {
    const found = problems(data).join('\n');
    if (expected !== '') expect(found).toContain(expected);
  });

  it('may not nest', () => {
    let deep: unknown = [];
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(problems({ ...base(), attrs: deep })).toEqual([
      'JSON_DEPTH the data nests deeper than 256',
    ]);
    const text = JSON.stringify(base()).replace('"attrs":[]', `"attrs":${'['.repeat(3e5)}`);
    expect(fromJson(text, { ops })._tag).toBe('Left');
  });

  it('pollutes no prototype', () => {
    const text = JSON.stringify(base()).replace('{', '{"__proto__":{"polluted":1},');
    expect(fromJson(text, { ops })._tag).toBe('Right');
    expect(({} as Data).polluted).toBeUndefined();
  });

  it('gives diagnostics however it is damaged, and never throws', () => {
    const random = mulberry32(1812);
    const below = (n: number) => Math.floor(random() * n);
    const text = JSON.stringify(encodeModule(mod(WHOLE), { spans: false }));
    const values = ['0', '-1', '1e9', 'null', '""', '"Var"', '[]', '{}', '[0]', 'true', '0.5'];
    // Replaces one value by another: text that stays JSON gets furthest.
    const marks = [...text.matchAll(/(?<=[:[,])(?:\d+|"[^"]*"|true|false)(?=[,\]}])/g)];
    for (let run = 0; run < amount(300, { quick: 60 }); run++) {
      const mark = marks[below(marks.length)];
      const to = values[below(values.length)] ?? '0';
      const at = mark?.index ?? 0;
      const damaged = text.slice(0, at) + to + text.slice(at + (mark?.[0].length ?? 0));
      const result = fromJson(damaged, { ops });
      if (result._tag === 'Right') printModule(result.right);
    }
  });
});

describe('a module from text', () => {
  it('is the same through JSON as through text', () => {
    const m = mod(WHOLE);
    const text = parseModule(printModule(again(m)), { ops });
    expect(text._tag === 'Right' && structuralEqual(text.right, again(m))).toBe(true);
  });
});
