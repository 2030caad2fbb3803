/** Operators that take sizes as operands: DynamicToStatic. */
import { staticFormColumn } from '@baton/ops';
import type { Builder } from '../generate/builder.ts';
import { type Motif, motif } from '../generate/motif.ts';
import type { TensorValue } from '../generate/value.ts';
import { samplerOf } from '../samplers/standard.ts';

/** A call of an operator that has a static form. */
function anyDynamic(b: Builder): TensorValue | undefined {
  const names = b.ops.names.filter(
    (name) => b.allows(name) && b.ops.read(staticFormColumn, name) !== undefined,
  );
  const op = names.length === 0 ? undefined : b.ops.get(b.random.pick(names));
  const value = op && samplerOf(b.ops, op)?.(b, op);
  return value?._tag === 'Tuple' ? b.project(value, 0) : value;
}

export const dynamic: ReadonlyArray<Motif> = [motif(1, '', anyDynamic)];
