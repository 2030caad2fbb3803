import { diagnostic } from '@baton/base';
import { tensor } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import type { GraphParts, TensorParts } from './helpers/encode.ts';
import { bytes, int, text } from './helpers/encode.ts';
import { imported, refused, summary } from './helpers/import.ts';

const filled: GraphParts = {
  nodes: [
    { op: 'ConstantOfShape', in: ['s'], attrs: { value: { t: { dims: [1], floats: [3] } } } },
  ],
  initializers: [{ name: 's', dims: [1], ints: [2] }],
};
const initializer: GraphParts = {
  nodes: [],
  initializers: [{ name: 'y', dims: [2], floats: [1, 2] }],
};
const weight = tensor([5, 6], [2], 'float32');

describe('weights that the caller supplies', () => {
  test.each([
    ['a record', { y: weight }],
    ['a map', new Map([['y', weight]])],
    ['a function', (name: string) => (name === 'y' ? weight : undefined)],
  ] as const)('as %s', (_, weights) => {
    expect(summary(imported(initializer, { weights }).body)).toBe('float32(2)[5, 6]');
    expect(summary(imported(filled, { weights }).body)).toBe('float32(2)[5, 6]');
  });

  test('names that the caller leaves out keep the value of the file', () => {
    expect(summary(imported(initializer, { weights: {} }).body)).toBe('float32(2)[1, 2]');
    expect(summary(imported(filled, { weights: new Map() }).body)).toBe('float32(2)[3, 3]');
    const inherited: GraphParts = {
      nodes: [],
      initializers: [{ name: 'toString', dims: [2], floats: [1, 2] }],
      outputs: ['toString'],
    };
    expect(summary(imported(inherited, { weights: {} }).body)).toBe('float32(2)[1, 2]');
  });

  test('the supplier gets shape and dtype, once, and is never asked for integers', () => {
    const asked: string[] = [];
    const graph: GraphParts = {
      nodes: [
        { op: 'Add', in: ['w', 'w'], out: ['a'] },
        { op: 'Reshape', in: ['a', 's'] },
      ],
      initializers: [
        { name: 'w', dims: [1, 2], floats: [1, 2] },
        { name: 's', dims: [1], ints: [2] },
      ],
    };
    imported(graph, {
      weights: (name, { shape, dtype }) => {
        asked.push(`${name}: ${dtype}(${shape.join(', ')})`);
        return undefined;
      },
    });
    expect(asked).toEqual(['w: float32(1, 2)']);
  });

  test.each([
    ['shape', tensor([5, 6], [2, 1], 'float32'), 'found float32 (2, 1)'],
    ['dtype', tensor([5, 6], [2], 'float64'), 'found float64 (2)'],
  ] as const)('one of another %s is refused', (_, y, expected) => {
    expect(refused(initializer, { weights: { y } })[0]).toContain(
      'ONNX_WEIGHT at test: Initializer y: expected a weight y of float32 (2)',
    );
    expect(refused(filled, { weights: { y } })[0]).toContain(expected);
  });
});

describe('constants that a few bytes ask for', () => {
  const of = (dims: ReadonlyArray<number>): GraphParts => ({
    ...filled,
    initializers: [{ name: 's', dims: [dims.length], ints: dims }],
  });
  test('the limit is 64 MiB unless the caller raises it', () => {
    expect(refused(of([4096, 4097]))[0]).toContain('found 67125248');
    const { body } = imported(of([4096, 4097]), { maxConstantBytes: 2 ** 28 });
    expect(body._tag === 'Constant' && body.data.data.length).toBe(1);
  });
  test('a supplied weight may be of any size', () => {
    const big = tensor(new Float32Array(4096 * 4097), [4096, 4097], 'float32');
    expect(refused(of([4096, 4097]), { weights: { y: big } })).toEqual(['imported']);
  });
  test.each([
    [[2 ** 31 - 1, 2 ** 31 - 1], 'TENSOR_TOO_LARGE'],
    [[-1], 'TENSOR_DIMENSION'],
    [new Array<number>(17).fill(1), 'TENSOR_RANK'],
  ])('a shape that no tensor can have is refused: %s', (dims, code) => {
    expect(refused(of(dims))[0]).toContain(`${code} at test: ConstantOfShape #0`);
  });
});

describe('named dimensions', () => {
  const graph: GraphParts = {
    nodes: [
      { op: 'Shape', in: ['x'], out: ['s'] },
      { op: 'Reshape', in: ['z', 's'] },
    ],
    inputs: [
      { name: 'x', dims: ['n', 2] },
      { name: 'z', dims: [6] },
    ],
  };
  test('those that are bound make shapes constant', () => {
    const { body } = imported(graph, { dims: { n: 3 } });
    expect(summary(body, ['newshape'])).toBe('reshape(z, newshape=[3,2])');
  });
  test.each([-1, 1.5, Number.NaN])('a size of %s is refused', (n) => {
    expect(refused(graph, { dims: { n } })[0]).toContain('ONNX_DIM at test: input x');
  });
});

describe('data outside the file', () => {
  const entry = (key: string, value: string) => bytes(13, [...text(1, key), ...text(2, value)]);
  const outside = (...entries: ReadonlyArray<readonly [string, string]>): GraphParts => {
    const extra = [...entries.flatMap(([key, value]) => entry(key, value)), ...int(14, 1)];
    const y: TensorParts = { name: 'y', dims: [2], type: 2, extra };
    return { nodes: [], initializers: [y] };
  };
  const place = [
    ['location', '../weights.bin'],
    ['offset', '4'],
    ['length', '2'],
  ] as const;
  test('is refused unless the caller reads it', () => {
    expect(refused(outside(...place))[0]).toContain('ONNX_EXTERNAL_DATA at test: Initializer y');
  });
  test('has the value that the caller gives', () => {
    const asked: unknown[] = [];
    const main = imported(outside(...place), {
      externalData: (where) => {
        asked.push(where);
        return Uint8Array.from([8, 9]);
      },
    });
    expect(summary(main.body)).toBe('uint8(2)[8, 9]');
    expect(asked).toEqual([{ location: '../weights.bin', offset: 4, length: 2 }]);
  });
  test('is read as far as the tensor goes, where no length is stated', () => {
    const asked: unknown[] = [];
    imported(outside(['location', 'f']), {
      externalData: (where) => {
        asked.push(where);
        return new Uint8Array(2);
      },
    });
    expect(asked).toEqual([{ location: 'f', offset: 0, length: 2 }]);
  });
  test('is refused for the reason that the caller gives', () => {
    const reason = diagnostic('HOST_CLOSED', 'the safe is closed');
    expect(refused(outside(...place), { externalData: () => reason })[0]).toContain(
      'HOST_CLOSED at test: Initializer y',
    );
  });
  test.each([
    ['nothing', undefined, 'ONNX_EXTERNAL_DATA'],
    ['too little', new Uint8Array(1), 'TENSOR_BYTES'],
  ] as const)('is refused if the caller gives %s', (_, given, code) => {
    expect(refused(outside(...place), { externalData: () => given })[0]).toContain(code);
  });
  test.each([
    ['no location', outside(['offset', '0'])],
    ['a negative offset', outside(['location', 'f'], ['offset', '-1'])],
    ['a length that is no number', outside(['location', 'f'], ['length', '2e9'])],
    ['no entry at all', outside()],
  ])('is refused with %s', (_, graph) => {
    const found = refused(graph, { externalData: () => new Uint8Array(2) });
    expect(found[0]).toContain('expected a location, an offset and a length');
  });
});

describe('inputs that the caller binds', () => {
  const graph: GraphParts = {
    nodes: [{ op: 'Reshape', in: ['x', 's'] }],
    inputs: [
      { name: 'x', dims: [6] },
      { name: 's', dims: ['rank'], type: 7 },
    ],
  };
  test('are constants, and no parameters', () => {
    const main = imported(graph, { constants: { s: tensor([2, 3], [2], 'int64') } });
    expect(main.params.map((p) => p.nameHint)).toEqual(['x']);
    expect(summary(main.body, ['newshape'])).toBe('reshape(x, newshape=[2,3])');
  });
  test('have the type of the input', () => {
    const found = refused(graph, { constants: { s: tensor([2, 3], [2], 'int32') } });
    expect(found[0]).toContain('ONNX_WEIGHT at test: input s');
  });
});
