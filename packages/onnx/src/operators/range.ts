/** `Range`: numbers from a start up to a limit, in steps. */
import type { Expr } from '@baton/ir';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const range: OnnxImporter = {
  opType: 'Range',
  convert: (context) => {
    const bounds = [0, 1, 2].map((i) => asScalar(context, context.input(i)));
    return context.call('arange', bounds, { dtype: context.dtypeOf(context.input(0)) });
  },
};

/** A bound is a scalar; exporters, and ONNX's own functions, also write one of shape (1). */
const asScalar = (context: NodeContext, bound: Expr): Expr =>
  context.dimsOf(bound).length === 1 ? context.call('squeeze', [bound], { axis: [0] }) : bound;
