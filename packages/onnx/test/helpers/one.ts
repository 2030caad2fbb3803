import type { Attribute, GraphParts, TensorParts, ValueParts } from './encode.ts';

/** A graph of one node. Inputs are values by name and shape; constants are initializers. */
export function one(
  op: string,
  inputs: Readonly<Record<string, ReadonlyArray<number | string>>>,
  attrs: Readonly<Record<string, Attribute>> = {},
  constants: ReadonlyArray<TensorParts> = [],
): GraphParts {
  const values: ReadonlyArray<ValueParts> = Object.entries(inputs).map(([name, dims]) => ({
    name,
    dims,
  }));
  const names = [...Object.keys(inputs), ...constants.map((c) => c.name ?? '')];
  return { nodes: [{ op, in: names, attrs }], inputs: values, initializers: constants };
}

export const ints = (name: string, values: ReadonlyArray<number | bigint>): TensorParts => ({
  name,
  dims: [values.length],
  ints: values,
});
