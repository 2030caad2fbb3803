/** A small model with a node of every operator family, for mutations. */
import { type GraphParts, modelBytes } from './encode.ts';

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

/** The model as a file. */
export const zooBytes = (): Uint8Array =>
  modelBytes({
    ...zoo,
    initializers: [...(zoo.initializers ?? []), { name: 'k4', dims: [], type: 7, ints: [2] }],
  });
