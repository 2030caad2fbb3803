/** Elementwise operators of one tensor without attributes. */
import type { OpInfo } from '@baton/ir';
import { noAttributes } from '../attrs/schema.ts';
import { discrete, integral } from '../bounds/rules.ts';
import type { Example } from '../columns.ts';
import { elementCount } from '../cost.ts';
import { defineOp, type Facts, type TypedRelation } from '../define-op.ts';
import { boolean, f32, f64, i32 } from '../example-types.ts';
import type { OperatorFacts } from '../facts.ts';
import { identityBool, identityIn } from '../relation/basic.ts';
import type { Scalar } from '../scalar/expr.ts';
import type { ScaleAxis } from '../scale-axis/scale-axis.ts';

export interface Unary extends OperatorFacts<unknown>, Facts<'name' | 'doc'> {
  readonly source?: string;
  readonly scalar: Scalar;
  /** For each element. */
  readonly flops: number;
  readonly scaleAxis?: ScaleAxis;
}

type Discrete = Omit<Unary, 'numerics' | 'domain' | 'bounds'>;

const floats: ReadonlyArray<Example> = [
  { args: [f32(2, 3)], result: f32(2, 3) },
  { args: [f64()], result: f64() },
];
const numbers: ReadonlyArray<Example> = [...floats, { args: [i32(5)], result: i32(5) }];
const tests: ReadonlyArray<Example> = [{ args: [f32(2, 3)], result: boolean(2, 3) }];

export const unaryFloat = (spec: Unary): OpInfo => unary(spec, identityIn('float'), floats);

export const unaryNumeric = (spec: Unary): OpInfo => unary(spec, identityIn('number'), numbers);

export const unaryTest = (spec: Discrete): OpInfo =>
  unary(
    { ...spec, numerics: 'discontinuous', domain: 'any', bounds: discrete },
    identityBool('float'),
    tests,
  );

export const unaryInt = (spec: Discrete): OpInfo =>
  unary({ ...spec, numerics: 'exact', domain: 'any', bounds: integral }, identityIn('int'), [
    { args: [i32(2, 3)], result: i32(2, 3) },
  ]);

export const unaryBool = (spec: Discrete): OpInfo =>
  unary({ ...spec, numerics: 'exact', domain: 'any', bounds: discrete }, identityIn('bool'), [
    { args: [boolean(2, 3)], result: boolean(2, 3) },
  ]);

function unary(
  spec: Unary,
  relation: TypedRelation<unknown>,
  examples: ReadonlyArray<Example>,
): OpInfo {
  const { source = 'operators §1', scalar, flops, scaleAxis = 'none', ...facts } = spec;
  return defineOp({
    ...facts,
    source,
    inputs: ['x'],
    attrs: noAttributes,
    relation,
    form: { _tag: 'Map', expr: scalar },
    kernel: 'form',
    cost: (_args, result) => flops * elementCount(result),
    fusion: 'elemwise',
    kind: 'elementwise',
    scaleAxis,
    examples,
  });
}
