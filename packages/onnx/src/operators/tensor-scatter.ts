/** `TensorScatter`: a cache with updates from a place of each batch on. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const tensorScatter: OnnxImporter = {
  opType: 'TensorScatter',
  convert: (context) => {
    const { call } = context;
    const [cache, update, starts] = [context.input(0), context.input(1), context.optional(2)];
    const shape = context.shapeOf(update);
    const dims = context.dimsOf(cache);
    const axis = context.axis(context.attributes.int('axis'), dims.length);
    const [length, count] = [dims[axis], shape?.[axis]];
    if (context.hasFailed()) return undefined;
    if (shape === undefined || count === undefined || typeof length !== 'number') {
      return context.unknown('expected known sizes of the cache and of its update');
    }
    const alone = (at: number) => shape.map((_, i) => (i === at ? -1 : 1));
    const bounds = [0, count, 1].map((n) => context.scalar(n, 'int64'));
    const places = call('arange', bounds, { dtype: 'int64' });
    const own = call('reshape', [places], { newshape: alone(axis) });
    const from = starts && call('reshape', [starts], { newshape: alone(0) });
    const moved = from ? call('add', [own, from]) : own;
    const isCircular = context.attributes.string('mode') === 'circular';
    const wrapped = isCircular ? call('floor_mod', [moved, length]) : moved;
    const indices = call('broadcast_to', [wrapped], { shape });
    return call('scatter_elements', [cache, indices, update], { axis, reduction: 'update' });
  },
};
