/** The program in integers of 8 bits. */
import { andThen, isLeft, right } from '@baton/base';
import { toNumbers } from '@baton/tensor';
import {
  type Arguments,
  type Executor,
  evaluate,
  type IRModule,
  quantization,
  type Result,
} from 'batonjs';
import { tensorsOf } from './compare-outputs.ts';

const { boundsOver, observing, operandsIn, withQuantizedProducts } = quantization;

/**
 * The program whose products are rounded to 8 bits, with the bounds of a run on these inputs;
 * unchanged if it has none. Each output of a weight has its own scale.
 */
export function quantizedFor(m: IRModule, inputs: Arguments, executor: Executor): Result<IRModule> {
  const operands = operandsIn(m);
  if (operands.length === 0) return right(m);
  const program = observing(m, operands);
  if (isLeft(program)) return program;
  return andThen(evaluate(program.right, inputs, { executor }), (value) => {
    const numbers = tensorsOf(value).map((tensor) => Number(toNumbers(tensor)[0]));
    return withQuantizedProducts(m, { bounds: boundsOver(operands, [numbers]), perChannel: true });
  });
}
