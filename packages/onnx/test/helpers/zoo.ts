/** A small model with a node of every operator family, for mutations. */
import type { Random } from '@baton/base';
import { type Attribute, type GraphParts, modelBytes } from './encode.ts';

const zoo: GraphParts = {
  inputs: [
    { name: 'x', dims: ['n', 4, 6, 6] },
    { name: 'v', dims: [2, 4] },
    { name: 'w1', dims: [6, 2, 3, 3] },
  ],
  initializers: [
    { name: 'w1', dims: [6, 2, 3, 3], floats: new Array<number>(108).fill(0.5) },
    { name: 'b1', dims: [6], floats: [1, 2, 3, 4, 5, 6] },
    { name: 'scale', dims: [6], raw: new Array<number>(24).fill(0) },
    { name: 'fc', dims: [5, 24], floats: new Array<number>(120).fill(0.1) },
    { name: 'shape', dims: [2], ints: [0, -1] },
    { name: 'size', dims: [2], ints: [2, 4] },
    { name: 'axes', dims: [1], ints: [1] },
    { name: 'low', dims: [], floats: [-1] },
  ],
  nodes: [
    {
      op: 'Conv',
      in: ['x', 'w1', 'b1'],
      out: ['c'],
      name: 'conv',
      attrs: {
        group: { i: 2 },
        kernel_shape: { ints: [3, 3] },
        pads: { ints: [1, 1, 1, 1] },
        strides: { ints: [1, 1] },
        auto_pad: { s: 'NOTSET' },
      },
    },
    {
      op: 'BatchNormalization',
      in: ['c', 'scale', 'b1', 'b1', 'b1'],
      out: ['n1'],
      attrs: { epsilon: { f: 1e-3 } },
    },
    { op: 'Relu', in: ['n1'], out: ['r'] },
    { op: 'Clip', in: ['r', 'low'], out: ['k'] },
    {
      op: 'MaxPool',
      in: ['k'],
      out: ['p'],
      attrs: { kernel_shape: { ints: [2, 2] }, strides: { ints: [2, 2] }, ceil_mode: { i: 1 } },
    },
    {
      op: 'AveragePool',
      in: ['p'],
      out: ['q'],
      attrs: {
        kernel_shape: { ints: [2, 2] },
        auto_pad: { s: 'SAME_UPPER' },
        count_include_pad: { i: 1 },
      },
    },
    { op: 'Concat', in: ['p', 'q'], out: ['cat'], attrs: { axis: { i: 1 } } },
    { op: 'Sum', in: ['cat', 'cat', 'cat'], out: ['sum'] },
    { op: 'ReduceMean', in: ['sum'], out: ['m'], attrs: { axes: { ints: [2, -1] } } },
    { op: 'Squeeze', in: ['m'], out: ['sq'] },
    { op: 'ReduceSum', in: ['cat', 'axes'], out: ['rs'], attrs: { keepdims: { i: 0 } } },
    { op: 'Transpose', in: ['p'], out: ['tr'], attrs: { perm: { ints: [0, 2, 3, 1] } } },
    { op: 'MatMul', in: ['p', 'p'], out: ['mm'] },
    { op: 'GlobalAveragePool', in: ['cat'], out: ['gap'] },
    { op: 'Reshape', in: ['gap', 'shape'], out: ['flat'] },
    { op: 'Flatten', in: ['v'], out: ['fl'], attrs: { axis: { i: 1 } } },
    {
      op: 'ConstantOfShape',
      in: ['size'],
      out: ['ones'],
      attrs: { value: { t: { dims: [1], floats: [1] } } },
    },
    { op: 'Add', in: ['fl', 'ones'], out: ['ad'] },
    { op: 'Shape', in: ['v'], out: ['sh'] },
    { op: 'Mul', in: ['sh', 'sh'], out: ['sh2'] },
    { op: 'Constant', in: [], out: ['k2'], attrs: { value_ints: { ints: [24, 4] } } },
    { op: 'Cast', in: ['k2'], out: ['k3'], attrs: { to: { i: 6 } } },
    { op: 'Unsqueeze', in: ['ad', 'axes'], out: ['un'] },
    { op: 'Expand', in: ['ad', 'size'], out: ['ex'] },
    { op: 'Gemm', in: ['v', 'ad'], out: ['ge'], attrs: { transB: { i: 1 }, alpha: { f: 0.5 } } },
    { op: 'Pow', in: ['ge', 'k4'], out: ['po'] },
    { op: 'Softmax', in: ['po'], out: ['y'], attrs: { axis: { i: -1 } } },
  ],
  outputs: ['y', 'tr', 'sq', 'mm', 'flat', 'un', 'sh2', 'k3', 'rs', 'ex'],
};

const whole: GraphParts = {
  ...zoo,
  initializers: [...(zoo.initializers ?? []), { name: 'k4', dims: [], type: 7, ints: [2] }],
};

/** The model as a file. */
export const zooBytes = (): Uint8Array => modelBytes(whole);

/** The model with one to three of its numbers replaced by critical values. */
export function zooWithOtherNumbers(random: Random): Uint8Array {
  let count = 0;
  mapNumbers(whole, (n) => {
    count++;
    return n;
  });
  const replaced = new Map<number, number>();
  for (let i = 1 + Math.floor(random() * 3); i > 0; i--) {
    const edge = EDGES[Math.floor(random() * EDGES.length)] ?? 0;
    replaced.set(Math.floor(random() * count), edge);
  }
  let index = 0;
  const graph = mapNumbers(whole, (n) => replaced.get(index++) ?? n);
  return modelBytes(graph, [5, 7, 9, 11, 13, 13, 13, 18, 25][Math.floor(random() * 9)]);
}

const EDGES = [-(2 ** 53), -(2 ** 31), -7, -2, -1, 0, 1, 2, 3, 16, 17, 65_536, 2 ** 31, 2 ** 53];

/** The graph with `change` applied to sizes, integers and integer attributes, not to weights. */
function mapNumbers(graph: GraphParts, change: (n: number) => number): GraphParts {
  const all = (list: ReadonlyArray<number | bigint>) => list.map((n) => change(Number(n)));
  const attribute = (value: Attribute): Attribute => {
    if ('i' in value) return { i: change(Number(value.i)) };
    return 'ints' in value ? { ints: all(value.ints) } : value;
  };
  return {
    ...graph,
    nodes: graph.nodes.map((node) => ({
      ...node,
      attrs: Object.fromEntries(
        Object.entries(node.attrs ?? {}).map(([name, value]) => [name, attribute(value)]),
      ),
    })),
    inputs: (graph.inputs ?? []).map((input) => ({
      ...input,
      dims: (input.dims ?? []).map((dim) => (typeof dim === 'number' ? change(dim) : dim)),
    })),
    initializers: (graph.initializers ?? []).map((tensor) => ({
      ...tensor,
      dims: all(tensor.dims),
      ...(tensor.ints === undefined ? {} : { ints: all(tensor.ints) }),
    })),
  };
}
