/** Epilogues: elementwise work on the sums of a product, before they are stored. */
import { type Element, type Spread, windowsOf } from '@baton/lower';
import type { Epilogue } from '../kernels/kernel.ts';
import { elementKey } from './map.ts';
import { elementCode, floats } from './vector.ts';

/** The epilogue that makes an element of its product; `spreads` belong to its windows. */
export function epilogueOf(element: Element, spreads: ReadonlyArray<Spread>): Epilogue {
  const windows = windowsOf(element);
  return {
    key: `${elementKey(element)} ${spreads.join()}`,
    operands: spreads,
    apply: (f, sums, operand) => {
      const given = f.let(sums);
      const lanes = elementCode(
        element,
        (leaf) =>
          floats(leaf._tag === 'Product' ? given : f.let(operand(windows.indexOf(leaf.window)))),
        f,
      );
      return lanes.vector;
    },
  };
}
