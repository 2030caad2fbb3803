/** `Split`: parts along an axis, of equal or given sizes. */
import { divideDims, type Expr, isStaticDim } from '@baton/ir';
import { normalizeAxis } from '@baton/tensor';
import { asInt64, isIntegral, listOf, sizeOfAxis } from '../families/sized.ts';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const split: OnnxImporter = {
  opType: 'Split',
  since: 2,
  kernelSince: 13,
  kernelReads: [1],
  // Places that only the run knows take many nodes to say.
  kernelWhen: (context) => partsOf(context) === 'at run',
  convert: (context) => {
    const x = context.input(0);
    const axis = context.axis(context.attributes.int('axis', 0), context.dimsOf(x).length);
    if (context.hasFailed()) return undefined;
    const sizes = partsOf(context);
    if (sizes === undefined) return undefined;
    if (sizes === 'at run') return partsAtRun(context, x, axis);
    if (typeof sizes === 'number') {
      if (sizes === 1) return [x];
      const parts = context.call('split', [x], { indices_or_sections: sizes, axis });
      return Array.from({ length: sizes }, (_, i) => context.field(parts, i));
    }
    if (sizes.length === 1) return [x];
    let end = 0;
    const ends = sizes.map((size) => {
      end += size;
      return end;
    });
    const dim = context.dimsOf(x)[axis];
    const isWhole = typeof dim !== 'number' || ends[ends.length - 1] === dim;
    if (sizes.some((size) => size < 0) || !isWhole) {
      return context.fail('ONNX_INPUTS', `expected sizes that make up axis ${axis}`);
    }
    if (!sizes.includes(0)) {
      const cuts = { indices_or_sections: ends.slice(0, -1), axis };
      const parts = context.call('split', [x], cuts);
      return sizes.map((_, i) => context.field(parts, i));
    }
    // `split` has no empty parts.
    return ends.map((to, i) => {
      const begin = [to - (sizes[i] ?? 0)];
      return context.call('strided_slice', [x], { begin, end: [to], strides: [1], axes: [axis] });
    });
  },
};

/** The sizes of the parts, or the number of equal parts, if the import knows them. */
function partsOf(context: NodeContext): ReadonlyArray<number> | number | 'at run' | undefined {
  const { attributes, version } = context;
  const dims = context.dimsOf(context.input(0));
  const axis = normalizeAxis(attributes.int('axis', 0), dims.length);
  const listed = version < 13 ? undefined : context.optional(1);
  if (listed !== undefined && context.valueOf(listed) === undefined) {
    const known = context.sizes(1)?.filter(isStaticDim);
    return known?.length === context.outputCount ? known : 'at run';
  }
  const given = version < 13 ? attributes.ints('split') : context.ints(1);
  const dim = dims[axis ?? 0];
  if (given !== undefined || context.hasFailed() || dim === undefined) return given;
  if (typeof dim === 'number') return equalSizes(context, dim);
  const count = attributes.int('num_outputs', context.outputCount);
  if (count < 1 || count !== context.outputCount) {
    return context.fail('ONNX_ATTRIBUTE', `expected ${context.outputCount} parts, found ${count}`);
  }
  const part = divideDims(dim, count);
  // Before operator set 18 the parts are equal.
  return version < 18 || (part !== undefined && isIntegral(part)) ? count : 'at run';
}

/** The parts between places that the run computes. */
function partsAtRun(context: NodeContext, x: Expr, axis: number): ReadonlyArray<Expr> {
  const { call } = context;
  const list = context.optional(1);
  const vector = (size: Expr): Expr => call('reshape', [size], { newshape: [1] });
  const size = asInt64(context, sizeOfAxis(context, x, axis));
  const count = context.outputCount;
  const equal = call('floor_divide', [call('add', [size, count - 1]), count]);
  let begin: Expr = context.scalar(0, 'int64');
  return Array.from({ length: count }, (_, i) => {
    const at = context.scalar(i, 'int64');
    const part = list === undefined ? equal : call('take', [list, at], { axis: 0 });
    const end = call('add', [begin, part]);
    const bounds = [vector(begin), vector(end), listOf(context, [1])];
    begin = end;
    return call('dyn.strided_slice', [x, ...bounds], { axes: [axis] });
  });
}

/** Parts of equal sizes; the last one is smaller if they do not divide the axis. */
function equalSizes(context: NodeContext, dim: number): ReadonlyArray<number> | undefined {
  const count = context.attributes.int('num_outputs', context.outputCount);
  const part = Math.ceil(dim / count);
  if (count < 1 || count !== context.outputCount || part * (count - 1) > dim) {
    return context.fail('ONNX_ATTRIBUTE', `expected parts of an axis of ${dim}, found ${count}`);
  }
  return Array.from({ length: count }, (_, i) => Math.min(part, dim - i * part));
}
