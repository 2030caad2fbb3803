/** Elementwise operators of two tensors that broadcast. */
import type { OpInfo } from '@baton/ir';
import { noAttributes } from '../attrs/schema.ts';
import { discrete, integral } from '../bounds/rules.ts';
import type { Example } from '../columns.ts';
import { elementCount } from '../cost.ts';
import { defineOp, type Facts, type TypedRelation } from '../define-op.ts';
import { boolean, f32, i32, i64 } from '../example-types.ts';
import type { OperatorFacts } from '../facts.ts';
import { broadcast, broadcastBool } from '../relation/basic.ts';
import type { Scalar } from '../scalar/expr.ts';
import type { ScaleAxis } from '../scale-axis/scale-axis.ts';

export interface Binary extends Omit<OperatorFacts<unknown>, 'domain'>, Facts<'name' | 'doc'> {
  readonly source?: string;
  readonly scalar: Scalar;
  /** For each element of the result. */
  readonly flops: number;
  readonly scaleAxis?: ScaleAxis;
}

type Discrete = Omit<Binary, 'numerics' | 'bounds'>;

const numbers: ReadonlyArray<Example> = [
  { args: [f32(2, 1, 3), f32(5, 1)], result: f32(2, 5, 3) },
  { args: [i64(3), i64()], result: i64(3) },
];
const ints: ReadonlyArray<Example> = [
  { args: [i32(2, 1), i32(3)], result: i32(2, 3) },
  { args: [i64(3), i64(1)], result: i64(3) },
];
const bools: ReadonlyArray<Example> = [
  { args: [boolean(2, 1), boolean(3)], result: boolean(2, 3) },
];
const comparisons: ReadonlyArray<Example> = [
  { args: [f32(2, 1), f32(3)], result: boolean(2, 3) },
  { args: [i64(3), i64()], result: boolean(3) },
];

/** Two tensors of one dtype, bool included; the result has that dtype. */
export const broadcastBinary = (spec: Binary): OpInfo =>
  binary(spec, broadcast('any'), numbers, 'Broadcast');

export const broadcastInt = (spec: Discrete): OpInfo =>
  binary({ ...spec, numerics: 'exact', bounds: integral }, broadcast('int'), ints);

export const broadcastBits = (spec: Discrete): OpInfo =>
  binary({ ...spec, numerics: 'exact', bounds: integral }, broadcast('bits'), ints);

export const broadcastLogical = (spec: Discrete): OpInfo =>
  binary({ ...spec, numerics: 'exact', bounds: discrete }, broadcast('bool'), bools);

export const comparison = (spec: Discrete): OpInfo =>
  binary(
    { ...spec, numerics: 'discontinuous', bounds: discrete },
    broadcastBool('any'),
    comparisons,
    'BroadcastComp',
  );

function binary(
  spec: Binary,
  relation: TypedRelation<unknown>,
  examples: ReadonlyArray<Example>,
  relationName?: string,
): OpInfo {
  const { source = 'operators §2', scalar, flops, scaleAxis = 'none', ...facts } = spec;
  return defineOp({
    ...facts,
    source,
    inputs: ['lhs', 'rhs'],
    attrs: noAttributes,
    relation,
    ...(relationName === undefined ? {} : { relationName }),
    form: { _tag: 'Map', expr: scalar },
    kernel: 'form',
    cost: (_args, result) => flops * elementCount(result),
    fusion: 'broadcast',
    domain: 'any',
    kind: 'elementwise',
    scaleAxis,
    examples,
  });
}
