/** The names by which the option `dims` refers to the dimensions of a graph's inputs. */
import { anyDim, type Dim } from '@baton/ir';
import type { DimensionProto } from '../protobuf/messages.ts';
import type { ImportOptions } from './options.ts';

/**
 * The name of a dimension without a size: the one in the file, or the input's name with the axis,
 * as `x:0`. Exporters write no name, `?` or −1 for an unknown size.
 */
export function dimensionName(
  input: string,
  axis: number,
  dim: DimensionProto,
): string | undefined {
  if (typeof dim === 'string' && dim !== '' && dim !== '?') return dim;
  const isOpen = dim === undefined || typeof dim === 'string' || dim < 0;
  return isOpen ? `${input}:${axis}` : undefined;
}

/** A dimension of an input: its size in the file, or the size that the options give its name. */
export function dimension(
  options: ImportOptions,
  input: string,
  axis: number,
  dim: DimensionProto,
): Dim {
  const { dims = {} } = options;
  const name = dimensionName(input, axis, dim);
  if (name === undefined) return Number(dim);
  return Object.hasOwn(dims, name) ? (dims[name] ?? anyDim) : anyDim;
}
