/** Functions of kernels. Their parameters are integers: addresses in bytes, and sizes. */

import { dtypeInfo } from '@baton/tensor';
import {
  type FunctionBuilder,
  type FunctionRef,
  i32,
  type Local,
  type ModuleBuilder,
  type Value,
} from '../emit/index.ts';
import type { Epilogue } from './kernel.ts';

type Address = Value<'i32'>;
type Integer = Local<'i32'>;

/** A function of integers that gives nothing. */
export type Procedure = FunctionRef<ReadonlyArray<'i32'>, 'none'>;

/** Writes the body of a function of integers. */
type Body = (f: FunctionBuilder, ...params: ReadonlyArray<Integer>) => void;

/** Adds a function of a number of integers. */
export const procedureOf = (module: ModuleBuilder, params: number, body: Body): Procedure =>
  module.procedure(
    Array.from({ length: params }, () => 'i32' as const),
    body,
  );

/** The function that was added for this key, or is added now. */
export const sharedFunction = (
  module: ModuleBuilder,
  key: string,
  params: number,
  body: Body,
): Procedure => module.once(key, () => procedureOf(module, params, body));

/** What the function of a kernel is given. */
export interface Addresses<A = Address> {
  readonly data: A;
  readonly weight: A;
  /** Of a weight in blocks: the scales and the zero points. */
  readonly scaling?: ReadonlyArray<A>;
  /** The operands of the epilogue. */
  readonly operands: ReadonlyArray<A>;
  readonly out: A;
  readonly scratch: A;
}

/** Adds the function of a kernel, whose parameters are {@link Addresses} in their order. */
export const kernelFunction = (
  module: ModuleBuilder,
  { operands }: Epilogue,
  body: (f: FunctionBuilder, given: Addresses<Integer>) => void,
  { hasBlocks = false }: { readonly hasBlocks?: boolean } = {},
): Procedure => {
  const first = hasBlocks ? 4 : 2;
  return procedureOf(module, first + operands.length + 2, (f, ...params) => {
    const [data, weight] = params as readonly [Integer, Integer];
    const [out, scratch] = params.slice(-2) as [Integer, Integer];
    const scaling = params.slice(2, first);
    body(f, { data, weight, scaling, operands: params.slice(first, -2), out, scratch });
  });
};

/** **Units** bytes of an element of the result. */
export const outBytesOf = ({ types, sums }: Epilogue): number =>
  dtypeInfo(types?.out ?? sums).bytes;

/** **Units** bytes of an element of an operand. */
export const operandBytesOf = ({ types, sums }: Epilogue, index: number): number =>
  dtypeInfo(types?.operands[index] ?? sums).bytes;

/**
 * The operands of an epilogue at another place of the result: those of spread `scalar` stay. `full` is
 * given the bytes of an element.
 */
export const operandsAt = (
  epilogue: Epilogue,
  operands: ReadonlyArray<Address>,
  full: (operand: Address, bytes: number) => Address,
  channel = (operand: Address): Address => operand,
): ReadonlyArray<Address> =>
  operands.map((operand, i) => {
    const spread = epilogue.operands[i];
    if (spread === 'full') return full(operand, operandBytesOf(epilogue, i));
    return spread === 'channel' ? channel(operand) : operand;
  });

/** A distance in the result, in bytes, as one in elements of other bytes. */
export function rescaled(distance: Address, from: number, to: number): Address {
  if (from === to) return distance;
  return from < to
    ? i32.shl(distance, Math.log2(to / from))
    : i32.shrS(distance, Math.log2(from / to));
}

/** Runs a body again and again until a condition holds before a turn. */
export const until = (f: FunctionBuilder, condition: Address, body: () => void): void =>
  f.block((end) =>
    f.loop((again) => {
      f.branchIf(end, condition);
      body();
      f.branch(again);
    }),
  );

/**
 * Writes steps along a depth, which is not zero: two in a turn, with an exit between, which keeps them in
 * blocks of their own. `advance` moves on by both.
 */
export const alongDepth = (
  f: FunctionBuilder,
  depth: Integer,
  step: (n: number) => void,
  advance: () => void,
): void =>
  f.block((end) =>
    f.loop((again) => {
      step(0);
      f.increase(depth, -1);
      f.branchIf(end, i32.eqz(depth));
      step(1);
      f.increase(depth, -1);
      advance();
      f.branchIf(again, depth);
    }),
  );
