/** Gelu: x times the share of a normal distribution below x. Its steps are computed in float32. */
import type { Expr } from '@baton/ir';
import type { NodeContext } from '../operator-api/importer.ts';
import { inWide } from './wide.ts';

/** x/2 · (1 + erf(x/√2)). */
export const geluOf = (context: NodeContext, given: Expr): Expr =>
  inWide(context, given, (x) =>
    bentBy(context, x, context.call('erf', [context.call('multiply', [x, Math.SQRT1_2])])),
  );

/** The approximation by tanh(√(2/π) · (x + 0.044715 x³)). */
export const tanhGeluOf = (context: NodeContext, given: Expr): Expr =>
  inWide(context, given, (x) => {
    const { call } = context;
    const times = (a: Expr, b: Expr | number): Expr => call('multiply', [a, b]);
    const cube = times(times(x, times(x, x)), 0.044715);
    return bentBy(
      context,
      x,
      call('tanh', [times(call('add', [x, cube]), Math.sqrt(2 / Math.PI))]),
    );
  });

const bentBy = ({ call }: NodeContext, x: Expr, bent: Expr): Expr =>
  call('multiply', [call('multiply', [x, 0.5]), call('add', [bent, 1])]);
