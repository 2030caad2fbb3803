/** The program in integers of 8 bits. */
import { andThen, isLeft, right } from '@baton/base';
import { toNumbers } from '@baton/tensor';
import { type Arguments, evaluate, type IRModule, quantization, type Result } from 'batonjs';
import { tensorsOf } from './compare-outputs.ts';
import type { RunProgramOptions } from './run-program.ts';

const { boundsOver, observing, operandsIn, withQuantizedProducts } = quantization;

/** The program with products rounded to 8 bits, in the bounds of a run; a scale per output. */
export function quantizedFor(
  m: IRModule,
  inputs: Arguments,
  { executor, limits }: Pick<RunProgramOptions, 'executor' | 'limits'>,
): Result<IRModule> {
  const operands = operandsIn(m);
  if (operands.length === 0) return right(m);
  const program = observing(m, operands);
  if (isLeft(program)) return program;
  return andThen(evaluate(program.right, inputs, { executor, ...limits }), (value) => {
    const numbers = tensorsOf(value).map((tensor) => Number(toNumbers(tensor)[0]));
    return withQuantizedProducts(m, { bounds: boundsOver(operands, [numbers]), perChannel: true });
  });
}
