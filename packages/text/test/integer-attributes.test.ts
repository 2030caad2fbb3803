import {
  attrInteger,
  type Call,
  type Func,
  func,
  irModule,
  structuralEqual,
  structuralHash,
  tuple,
} from '@baton/ir';
import { decodeModule, encodeModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';
import { errors, expr, shown } from './text-support.ts';

const attrsOf = (text: string) => (expr(text) as Func).attrs;

describe('integers as attributes', () => {
  it.each([
    ['0', 0],
    ['-1', -1],
    ['9007199254740991', 2 ** 53 - 1],
    ['-9007199254740991', 1 - 2 ** 53],
    ['9007199254740992', 2n ** 53n],
    ['9007199254740993', 2n ** 53n + 1n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['18446744073709551615', 2n ** 64n - 1n],
    ['[1, 9223372036854775807]', [1, 2n ** 63n - 1n]],
  ])('%s is exact in text and in JSON', (text, value) => {
    const f = expr(`fn (%x, K=${text}) {\n  %x\n}`) as Func;
    expect(f.attrs).toEqual({ K: value });
    expect(shown(f)).toBe(`fn (%x, K=${text}) {\n  %x\n}`);
    const m = irModule({ ops, functions: new Map([['main', f]]) });
    const again = decodeModule(JSON.parse(JSON.stringify(encodeModule(m))), { ops });
    if (again._tag === 'Left') throw new Error(again.left[0].message);
    expect(again.right.functions.get('main')?.attrs).toEqual({ K: value });
    expect(structuralEqual(again.right, m)).toBe(true);
  });

  it('take the value of their suffix, and leave 64 bits as floats', () => {
    expect(attrsOf('fn (%x, K=9223372036854775807i64) { %x }')).toEqual({ K: 2n ** 63n - 1n });
    expect(attrsOf('fn (%x, K=18446744073709551616) { %x }')).toEqual({ K: 2 ** 64 });
    expect(attrsOf('fn (%x, K=-9223372036854775809) { %x }')).toEqual({ K: -(2 ** 63) });
    expect(attrsOf('fn (%x, K=9007199254740993f) { %x }')).toEqual({ K: 2 ** 53 });
  });

  it('differ from their neighbours, which are the same double', () => {
    const of = (text: string) => expr(`fn (%x, K=${text}) { %x }`);
    const [a, b] = [of('9223372036854775807'), of('9223372036854775806')];
    expect(structuralEqual(a, b)).toBe(false);
    expect(structuralHash(a)).not.toBe(structuralHash(b));
    expect(structuralEqual(a, of('9223372036854775807'))).toBe(true);
    expect(structuralHash(a)).toBe(structuralHash(of('9223372036854775807')));
  });

  it('are numbers for operators that declare floats', () => {
    const written = expr('free_var %x: float32; nn.dropout(%x, rate=9007199254740993)') as Call;
    expect(written.attrs).toEqual({ rate: 2 ** 53 });
  });

  it('are refused by operators where no such value makes sense', () => {
    const found = errors('nn.softmax(1f, axis=9223372036854775807)');
    expect(found.map((d) => d.code)).toEqual(['ATTR_TYPE']);
  });

  it('are written as floats where a double stands for more than one of them', () => {
    const f = func([], tuple([]), {
      attrs: { K: 2 ** 60, L: 1e20, M: -(2 ** 53), N: 2 ** 53 - 1 },
    });
    const text = shown(f);
    expect(text.split('\n')[0]).toBe(
      'fn (K=1152921504606847000f, L=1e20f, M=-9007199254740992f, ' + 'N=9007199254740991) {',
    );
    expect((expr(text) as Func).attrs).toEqual(f.attrs);
  });

  it('are made of bigints by one rule', () => {
    expect([5n, -(2n ** 53n), 2n ** 53n - 1n].map(attrInteger)).toEqual([
      5,
      -(2n ** 53n),
      2 ** 53 - 1,
    ]);
  });
});

describe('JSON data of integer attributes', () => {
  const dataWith = (value: unknown): unknown => {
    const f = func([], tuple([]), { attrs: { K: 1 } });
    const data = encodeModule(irModule({ ops, functions: new Map([['main', f]]) }));
    return JSON.parse(JSON.stringify(data).replace('["K",1]', `["K",${JSON.stringify(value)}]`));
  };

  it('has digits only for values that are no number', () => {
    const read = (value: unknown) => {
      const result = decodeModule(dataWith(value), { ops });
      return result._tag === 'Left' ? 'refused' : result.right.functions.get('main')?.attrs.K;
    };
    expect(read({ integer: '9223372036854775807' })).toBe(2n ** 63n - 1n);
    expect(read({ integer: '7' })).toBe(7);
    expect(read({ integer: '1e9' })).toBe('refused');
    expect(read({ integer: '9'.repeat(21) })).toBe('refused');
    expect(read({ integer: 7 })).toBe('refused');
  });
});
