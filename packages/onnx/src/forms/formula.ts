/** Operators that are written as formulas of other operators. */
import type { CallContext, OnnxExporter, Operand, Written } from '../operator-api/exporter.ts';

/** The operator `op`, whose arguments are tensors, as a formula of them. */
export const formula = (
  op: string,
  of: (context: CallContext, ...inputs: ReadonlyArray<Operand>) => Written,
): OnnxExporter => ({
  op,
  write: (context) => {
    const inputs = Array.from({ length: of.length - 1 }, (_, index) => context.input(index));
    return of(context, ...inputs);
  },
});
