/** The data of instructions for operators and constructors. */
import type { Span } from '@baton/base';
import type { Attrs, Constructor, OpTable } from '@baton/ir';
import { kernelColumn } from '@baton/ops';
import { type DimensionCheck, sizeVariables, statesSizes } from '../values/dimensions.ts';
import { OPERATOR, type Operand, type OperatorSite, SCALAR } from './instruction.ts';

export const operatorSite = (
  name: string,
  attrs: Attrs,
  span: Span | undefined,
  ops: OpTable,
): OperatorSite => ({
  name,
  attrs,
  span,
  scalar: ops.read(kernelColumn, name)?.scalar,
  call: undefined,
  dtype: undefined,
  out: 'bool',
  apply: (x) => x,
});

/** The instruction for a call of an operator with this many arguments. */
export const operatorCode = (
  { scalar }: OperatorSite,
  arity: number,
): typeof SCALAR | typeof OPERATOR =>
  scalar !== undefined && (arity === 1 || arity === 2) ? SCALAR : OPERATOR;

/** The check of a constructor's fields against the sizes in its declared inputs. */
export function inputsCheck(
  ctor: Constructor,
  span: Span | undefined,
  inputs: ReadonlyArray<Operand>,
  newSlot: () => number,
): DimensionCheck | undefined {
  const values = ctor.inputs.flatMap((type, i) => {
    const operand = inputs[i];
    if (operand === undefined || !statesSizes(type)) return [];
    return [{ operand, subject: `input ${i} of ${ctor.nameHint}`, type, span }];
  });
  if (values.length === 0) return undefined;
  // Each construction solves for the sizes of its own names.
  const names = new Set(values.flatMap((checked) => sizeVariables(checked.type)));
  return { values, sizes: new Map([...names].map((name) => [name, newSlot()])) };
}
