/** `Upsample` by constant scales. */
import { type Dim, isStaticDim } from '@baton/ir';
import { tensor, toNumbers } from '@baton/tensor';
import { keepsSizes, resized, scaledAxes } from '../families/resizing.ts';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import { asResize } from './resize.ts';

export const upsample: OnnxImporter = {
  opType: 'Upsample',
  since: 7,
  // Of sizes that only the run knows, as of others from operator set 11 on.
  laterNode: (context) => {
    const x = context.input(0);
    const numbers = scalesOf(context);
    const isStated = (dim: Dim, axis: number): boolean => isStaticDim(dim) || numbers?.[axis] === 1;
    if (numbers !== undefined && context.dimsOf(x).every(isStated)) return undefined;
    const given = context.optional(1);
    const listed = numbers && context.constant(tensor(numbers, [numbers.length], 'float32'));
    const mode = context.attributes.string('mode');
    const scales = given ?? listed;
    return scales && asResize(x, scales, mode, 'floor');
  },
  convert: (context) => {
    const x = context.input(0);
    const own = context.dimsOf(x);
    const mode = context.attributes.string('mode');
    if (context.hasFailed()) return undefined;
    if (mode !== 'nearest' && mode !== 'linear') {
      return context.fail('ONNX_ATTRIBUTE', 'expected mode nearest or linear');
    }
    const dims = own.map((dim) => (isStaticDim(dim) ? dim : undefined));
    const scales = scalesOf(context) ?? [];
    if (scales.length !== dims.length) {
      return context.fail('ONNX_INPUTS', `expected ${dims.length} scales above 0`);
    }
    // Others stay as they are.
    const known = dims.flatMap((dim, axis) => (dim === undefined ? [] : [axis]));
    const axes = scaledAxes(
      context,
      dims,
      known,
      known.map((axis) => scales[axis] ?? 1),
    );
    if (axes === undefined) return undefined;
    if (keepsSizes(axes)) return x;
    const how = {
      mode,
      coordinates: 'asymmetric',
      nearestMode: 'floor',
      cubicA: -0.75,
      excludeOutside: false,
      antialias: false,
    } as const;
    return resized(context, x, dims, axes, how, undefined);
  },
};

/** The scales that a node states, if the import knows them. */
function scalesOf(context: NodeContext): ReadonlyArray<number> | undefined {
  const raw = context.attributes.raw('scales');
  if (raw?.kind === 'floats') return Array.from(raw.value);
  const given = context.optional(1);
  const value = given && context.valueOf(given);
  return value && Array.from(toNumbers(value));
}
