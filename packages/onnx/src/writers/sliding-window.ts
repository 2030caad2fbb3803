/** `sliding_window`: the axes from the last on, each by the indices of its windows. */
import { fromNumbers } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const slidingWindow: OnnxExporter = formula('sliding_window', (context, x) => {
  const { attrs } = context;
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const [window, strides] = [attrs.ints('window_shape'), attrs.ints('strides')];
  const axis = shape.length - window.length;
  // Each axis becomes two: the place of the window, and the place in it.
  const taken = window.reduceRight((data, size, i) => {
    const stride = strides[i] ?? 1;
    const count = Math.floor(((shape[axis + i] ?? 0) - size) / stride) + 1;
    context.room(count, size);
    const places = Float64Array.from(
      { length: count * size },
      (_, k) => Math.floor(k / size) * stride + (k % size),
    );
    const indices = context.constant(fromNumbers(places, [count, size], 'int64'));
    return context.call('take', [data, indices], { axis: axis + i });
  }, x);
  const before = Array.from({ length: axis }, (_, i) => i);
  const axes = window.map((_, i) => axis + 2 * i);
  const order = [...before, ...axes, ...axes.map((at) => at + 1)];
  return context.call('transpose', [taken], { axes: order });
});
