/** Epilogues: elementwise work on the sums of a product, before they are stored. */
import { present } from '@baton/base';
import { type Element, productIn, type Spread, windowsOf } from '@baton/lower';
import type { Scalar } from '@baton/ops';
import { type DType, dtypeInfo } from '@baton/tensor';
import type { Epilogue } from '../kernels/kernel.ts';
import { elementKey } from './map.ts';
import { elementCode, kindOf } from './vector.ts';

/**
 * The epilogue that makes an element of its product; `spreads` belong to its windows, `out` is the type
 * of the result.
 */
export function epilogueOf(element: Element, spreads: ReadonlyArray<Spread>, out: DType): Epilogue {
  const windows = windowsOf(element);
  const unbounded = beforeSaturation(element);
  const sums = present(productIn(element)).dtype;
  const isOfIntegers = sums === 'int32';
  const types = isOfIntegers
    ? { operands: windows.slice(0, spreads.length).map(({ dtype }) => dtype), out }
    : undefined;
  return {
    // Sizes of operands follow from those of the result, and how they spread over it.
    key: `${elementKey(element, ({ dtype }) => dtype)} ${spreads.join()}`,
    operands: spreads,
    sums,
    types,
    saturates: isOfIntegers && unbounded !== undefined,
    apply: (f, vector, operand, isSame) => {
      const given = f.let(vector);
      const lanes = elementCode(
        unbounded ?? element,
        (leaf) => {
          if (leaf._tag === 'Product') return { kind: kindOf(leaf.dtype), vector: given };
          const at = windows.indexOf(leaf.window);
          const kind = kindOf(leaf.window.dtype);
          return { kind, vector: f.let(operand(at)), isSame: isSame(at) };
        },
        f,
      );
      return lanes.vector;
    },
  };
}

/**
 * The whole number of 32 bits that a float truncates to before it is brought within the type of one byte
 * that the element has: a store does that, too.
 */
function beforeSaturation(element: Element): Element | undefined {
  if (element._tag !== 'Apply' || element.expr._tag !== 'Argument') return undefined;
  const { dtype, of, args } = element;
  const [clip] = args;
  if (dtypeInfo(dtype).bytes !== 1 || dtype === 'bool' || of !== 'float32') return undefined;
  if (clip?._tag !== 'Apply' || clip.of !== 'float32' || clip.dtype !== 'float32') return undefined;
  const { expr } = clip;
  if (expr._tag !== 'Operation' || expr.name !== 'min') return undefined;
  const [inner, high] = expr.args;
  if (inner?._tag !== 'Operation' || inner.name !== 'max') return undefined;
  const [x, low] = inner.args;
  const { min, max } = dtypeInfo(dtype);
  const isBound = (bound: Scalar | undefined, value: number): boolean =>
    bound?._tag === 'Constant' && bound.value === value;
  if (!isBound(low, Number(min)) || !isBound(high, Number(max)) || x?._tag !== 'Argument') {
    return undefined;
  }
  const [float] = clip.args;
  return float && { _tag: 'Apply', expr: x, of, dtype: 'int32', args: [float] };
}
