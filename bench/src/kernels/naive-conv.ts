/** The obvious convolution of seven loops, for comparison with the reference kernel. */
import { type ConvLayer, outputSize } from './conv-layers.ts';

/** `data: [1, channels, size, size]`, `weight: [filters, channels, kernel, kernel]`, both dense. */
export function naiveConv(
  layer: ConvLayer,
  data: Float32Array,
  weight: Float32Array,
): Float32Array {
  const { channels, size, filters, kernel, stride } = layer;
  const out = outputSize(layer);
  const pad = (kernel - 1) >> 1;
  const result = new Float32Array(filters * out * out);
  for (let f = 0; f < filters; f++) {
    for (let y = 0; y < out; y++) {
      for (let x = 0; x < out; x++) {
        let sum = 0;
        for (let c = 0; c < channels; c++) {
          for (let i = 0; i < kernel; i++) {
            const row = y * stride + i - pad;
            if (row < 0 || row >= size) continue;
            for (let j = 0; j < kernel; j++) {
              const column = x * stride + j - pad;
              if (column < 0 || column >= size) continue;
              sum +=
                (data[(c * size + row) * size + column] as number) *
                (weight[((f * channels + c) * kernel + i) * kernel + j] as number);
            }
          }
        }
        result[(f * out + y) * out + x] = sum;
      }
    }
  }
  return result;
}
