/** Calls of operators on random values, with the sites of their scale equations. */
import { mulberry32 } from '@baton/base';
import type { Attrs, Type } from '@baton/ir';
import {
  type ExampleArg,
  evaluateOp,
  type OpValue,
  type ScaleSite,
  standardOps,
  typeOfValue,
} from '@baton/ops';
import { fromNumbers, isTensor, shapeSize, type Tensor } from '@baton/tensor';
import { right } from './support.ts';

export const random = mulberry32(77);

export interface Call {
  readonly args: ReadonlyArray<OpValue>;
  readonly result: OpValue;
  readonly site: ScaleSite;
  /** The operator on other values. */
  readonly of: (args: ReadonlyArray<OpValue | undefined>) => OpValue;
}

export function callOf(name: string, given: ReadonlyArray<ExampleArg>, written: Attrs): Call {
  const op = standardOps.get(name);
  if (op === undefined) throw new Error(`no operator ${name}`);
  const attrs = right(op.attrs.decode(written));
  const args = given.map(valueFor);
  const of = (values: ReadonlyArray<OpValue | undefined>): OpValue =>
    right(
      evaluateOp(
        standardOps,
        name,
        attrs,
        values.filter((v) => v !== undefined),
      ),
    );
  const result = of(args);
  const constant = (index: number): Tensor | undefined => {
    const value = args[index];
    return value !== undefined && isTensor(value) ? value : undefined;
  };
  const types: ReadonlyArray<Type> = args.map((arg) => typeOfValue(arg));
  return { args, result, site: { args: types, result: typeOfValue(result), attrs, constant }, of };
}

function valueFor(arg: ExampleArg): OpValue {
  if (!('_tag' in arg)) return arg.map((field) => valueFor(field));
  if (arg._tag === 'Tensor') return arg;
  const shape = arg.shape as ReadonlyArray<number>;
  const values = Array.from({ length: shapeSize(shape) }, () => Math.floor(random() * 17 - 8) / 8);
  return fromNumbers(values, shape, arg.dtype as Tensor['dtype']);
}

export const zeros = (shape: ReadonlyArray<number>): Tensor =>
  fromNumbers(new Array(shapeSize(shape)).fill(0), shape, 'float32');
