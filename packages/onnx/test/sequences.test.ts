/** Sequences and optional values: tuples, and the values themselves. */
import { tensor } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { type GraphParts, graphProto } from './helpers/encode.ts';
import { imported, refused, summary } from './helpers/import.ts';

const floats = (name: string, ...dims: number[]) => ({ name, dims });
const place = (value: number) => ({ name: 'place', dims: [], ints: [value] });

/** What follows a sequence of `a` and `b`. */
const after = (...nodes: GraphParts['nodes']): GraphParts => ({
  nodes: [{ op: 'SequenceConstruct', in: ['a', 'b'], out: ['s'] }, ...nodes],
  inputs: [floats('a', 2), floats('b', 3)],
});

describe('a sequence', () => {
  test.each([
    [0, '(a, a, b)'],
    [1, '(a, a, b)'],
    [2, '(a, b, a)'],
    [-1, '(a, a, b)'],
    [-2, '(a, a, b)'],
  ])('takes another element at place %i', (at, expected) => {
    const insert = { op: 'SequenceInsert', in: ['s', 'a', 'place'], out: ['y'] };
    const graph = { ...after(insert), initializers: [place(at)] };
    expect(summary(imported(graph).body)).toBe(expected);
  });

  test.each([
    ['SequenceAt', ['s', 'place'], 2, 1],
    ['SequenceErase', ['s', 'place'], -3, 1],
    ['SequenceInsert', ['s', 'a', 'place'], 3, 2],
  ])('has places for %s', (op, given, at, last) => {
    const graph = { ...after({ op, in: given, out: ['y'] }), initializers: [place(at)] };
    expect(refused(graph)).toEqual([
      `ONNX_VALUE at test: ${op} #1: expected a place from -2 to ${last}, found ${at}`,
    ]);
  });

  test('has places that are known at import', () => {
    const graph = after({ op: 'SequenceAt', in: ['s', 'place'], out: ['y'] });
    const inputs = [...(graph.inputs ?? []), { name: 'place', dims: [], type: 7 }];
    expect(refused({ ...graph, inputs })[0]).toContain('expected a known place in a sequence');
  });

  test('is mapped, tensors along with it', () => {
    const body = graphProto({
      nodes: [{ op: 'Add', in: ['e', 'c'], out: ['sum'] }],
      inputs: [floats('e', 1), floats('c', 1)],
      outputs: ['sum'],
    });
    const map = { op: 'SequenceMap', in: ['s', 'a'], out: ['y'], attrs: { body: { g: body } } };
    const graph = { ...after(map), inputs: [floats('a', 1), floats('b', 3)] };
    expect(summary(imported(graph, { opset: 17 }).body)).toBe('(add(a, a), add(b, a))');
  });

  test('is split off a tensor', () => {
    const split = { op: 'SplitToSequence', in: ['x'], out: ['s'], attrs: { keepdims: { i: 0 } } };
    const length = { op: 'SequenceLength', in: ['s'], out: ['y'] };
    const graph = { nodes: [split, length], inputs: [floats('x', 3, 2)] };
    expect(summary(imported(graph).body)).toBe('int64()[3]');
  });
});

describe('what a file states is bounded', () => {
  test('parts of a tensor', () => {
    const split = { op: 'SplitToSequence', in: ['x'], out: ['y'] };
    expect(refused({ nodes: [split], inputs: [floats('x', 2 ** 30)] })).toEqual([
      'ONNX_UNSUPPORTED at test: SplitToSequence #0: expected at most 4096 parts',
    ]);
  });

  test('samples of a region', () => {
    const attrs = { output_height: { i: 2 ** 40 }, sampling_ratio: { i: 2 } };
    const align = { op: 'RoiAlign', in: ['x', 'r', 'b'], out: ['y'], attrs };
    const batch = { name: 'b', dims: [1], type: 7 };
    const inputs = [floats('x', 1, 1, 4, 4), floats('r', 1, 4), batch];
    expect(refused({ nodes: [align], inputs })).toEqual([
      'ONNX_UNSUPPORTED at test: RoiAlign #0: expected 1 to 65536 samples of a region',
    ]);
  });
});

describe('an input', () => {
  const value = tensor([1, 2], [2], 'float32');

  test('that is a sequence is given as a list', () => {
    const graph = {
      nodes: [{ op: 'ConcatFromSequence', in: ['s'], out: ['y'], attrs: { axis: { i: 0 } } }],
      inputs: [floats('s', 2)],
    };
    const { params } = imported(graph, { constants: { s: [value, value] } });
    expect(params).toEqual([]);
  });

  test.each([
    [null, 'bool()[0]'],
    [value, 'bool()[1]'],
  ])('that is absent is given as null', (given, expected) => {
    const graph = {
      nodes: [{ op: 'OptionalHasElement', in: ['o'], out: ['y'] }],
      inputs: [floats('o', 2)],
    };
    const { body } = imported(graph, { opset: 18, constants: { o: given } });
    expect(summary(body)).toBe(expected);
  });
});

describe('FlexAttention', () => {
  const change = (...outputs: string[]) => ({
    g: graphProto({
      nodes: [{ op: 'Tanh', in: ['scores'], out: ['out'] }],
      inputs: [floats('scores', 1, 1, 2, 2)],
      outputs,
    }),
  });
  const node = { op: 'FlexAttention', domain: 'ai.onnx.preview', in: ['q', 'q', 'q'], out: ['y'] };
  const inputs = [floats('q', 1, 1, 2, 3)];

  test('changes its scores, and its weights', () => {
    const attrs = { score_mod: change('out'), prob_mod: change('out') };
    const text = summary(imported({ nodes: [{ ...node, attrs }], inputs }, { opset: 26 }).body);
    expect(text).toMatch(/tanh\(nn\.softmax\(tanh\(/);
  });

  test('has a result of each change', () => {
    const graph = { nodes: [{ ...node, attrs: { score_mod: change() } }], inputs };
    expect(refused(graph, { opset: 26 })[0]).toContain('FlexAttention');
  });
});
