/** Contractions: products by kernels written by hand. */
import type { Product } from './element.ts';
import { dtypeAt, isConstant, type Lowering, rowMajor, shapeAt, type Value } from './lowering.ts';
import { referenced } from './reference.ts';
import type { RegionStep } from './region.ts';
import type { Window } from './window.ts';

/** A product that waits, since its kernel may do elementwise work as well. */
export function contracted(step: RegionStep, state: Lowering): ReadonlyArray<Value> {
  const { call, results } = step;
  const [result] = results as [number];
  const args = step.args.filter((arg) => typeof arg === 'number');
  const isFloats = [...args, result].every((at) => dtypeAt(at, state) === 'float32');
  if (!isFloats || args.length !== 2) return referenced(step, state);
  const shape = shapeAt(result, state);
  const isWeightConstant = isConstant(state.values[args[1] as number], state);
  const shapes = args.map((at) => shapeAt(at, state));
  const form = state.abilities.product({ call, shapes, out: shape, isWeightConstant });
  if (form === undefined) return referenced(step, state);
  // A constant weight is packed, or copied, when the region is compiled, from any view.
  const operands = args.map((at, i) =>
    i === 1 && isWeightConstant ? (state.values[at] as Window) : rowMajor(at, state),
  );
  const product: Product = { _tag: 'Product', call, operands, shape };
  state.products.set(product, form);
  return [{ _tag: 'Pending', shape, element: product }];
}
