/** Elements that are computed in steps, each of a type of its own. */
import type { CallForm, Step } from '@baton/ops';
import { apply, type Element, load } from './element.ts';
import { inShape, type Operand, pending } from './lower-map.ts';
import {
  constantOf,
  constantWindow,
  isConstant,
  type Lowering,
  shapeAt,
  type Value,
} from './lowering.ts';
import { referenced } from './reference.ts';
import type { RegionStep } from './region.ts';
import type { Window } from './window.ts';

/** A call whose elements are computed in steps. */
export function stepped(
  call: RegionStep,
  { axis, steps }: Extract<CallForm, { readonly _tag: 'Steps' }>,
  state: Lowering,
): ReadonlyArray<Value> {
  const args = call.args as ReadonlyArray<number>;
  const shape = shapeAt(call.results[0] as number, state);
  const root = steps((index) => {
    const value = state.values[args[index] as number];
    return isConstant(value, state) ? constantOf(value as Window, state) : undefined;
  });
  if (root === undefined) return referenced(call, state);
  // A vector lies along the axis.
  const spread = (element: Element, dims: ReadonlyArray<number>): Element =>
    inShape(
      element,
      dims,
      dims.length === 1 ? [...dims, ...shape.slice(axis + 1).map(() => 1)] : dims,
      shape,
    );
  const used = usedBy(root).map((index) => args[index] as number);
  return pending(call, used, state, (operands) => {
    const known = new Map(used.map((at, i) => [at, operands[i] as Operand]));
    const elementOf = (step: Step): Element => {
      if (step._tag === 'OfConstant') {
        return spread(load(constantWindow(step.data, state)), step.data.shape);
      }
      if (step._tag === 'OfArgument') {
        const { element, own } = known.get(args[step.index] as number) as Operand;
        return step.index === 0 ? element : spread(element, own);
      }
      return apply(step.expr, step.dtype, step.args.map(elementOf), step.of);
    };
    return elementOf(root);
  });
}

/** The arguments that steps use, each once. */
function usedBy(root: Step): ReadonlyArray<number> {
  const found = new Set<number>();
  const visit = (step: Step): void => {
    if (step._tag === 'OfArgument') found.add(step.index);
    else if (step._tag === 'StepOperation') step.args.forEach(visit);
  };
  visit(root);
  return [...found];
}
