/** Operators that are written as formulas of other operators. */
import type { OnnxWriter, Operand, WriterContext, Written } from '../node/writer.ts';

/** The operator `op`, whose arguments are tensors, as a formula of them. */
export const formula = (
  op: string,
  of: (context: WriterContext, ...inputs: ReadonlyArray<Operand>) => Written,
): OnnxWriter => ({
  op,
  write: (context) => {
    const inputs = Array.from({ length: of.length - 1 }, (_, index) => context.input(index));
    return of(context, ...inputs);
  },
});
