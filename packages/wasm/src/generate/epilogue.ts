/** Epilogues: elementwise work on the sums of a product, before they are stored. */
import { type Element, nodesOf, type Spread, windowsOf } from '@baton/lower';
import type { DType } from '@baton/tensor';
import type { Epilogue } from '../kernels/kernel.ts';
import { elementKey } from './map.ts';
import { elementCode, kindOf } from './vector.ts';

/**
 * The epilogue that makes an element of its product; `spreads` belong to its windows, `out` is the type
 * of the result.
 */
export function epilogueOf(
  element: Element,
  spreads: ReadonlyArray<Spread>,
  out: DType,
): Epilogue {
  const windows = windowsOf(element);
  const isOfIntegers = nodesOf(element).some(
    (node) => node._tag === 'Product' && node.integers !== undefined,
  );
  const types = isOfIntegers
    ? { operands: windows.slice(0, spreads.length).map(({ dtype }) => dtype), out }
    : undefined;
  return {
    key: `${elementKey(element)} ${spreads.join()}`,
    operands: spreads,
    types,
    apply: (f, sums, operand, isSame) => {
      const given = f.let(sums);
      const lanes = elementCode(
        element,
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
