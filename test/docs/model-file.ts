/** The ONNX file that the documents read. */
import { tensor } from '@baton/tensor';
import { modelBytes } from '../oracle/onnx-writer.ts';

/** The documents' `model.onnx`: `data` of two rows, a product, and a rectifier. */
export function modelFile(): Uint8Array {
  const weight = tensor([1, -2, 3, 4, 5, -6], [3, 2], 'float32');
  const data = tensor([0, 0, 0, 0, 0, 0], [2, 3], 'float32');
  return modelBytes({
    nodes: [
      { opType: 'MatMul', inputs: ['data', 'weight'], outputs: ['product'], attributes: {} },
      { opType: 'Relu', inputs: ['product'], outputs: ['scores'], attributes: {} },
    ],
    inputs: new Map([['data', data]]),
    constants: new Map([['weight', weight]]),
    outputs: ['scores'],
  });
}
