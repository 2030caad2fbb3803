/** `nn.layer_norm`: over the last axis. */
import { formula } from '../forms/formula.ts';
import { affine, scaleOf, standardized, withExchanged } from '../forms/normalization.ts';
import { fromFront } from '../forms/types.ts';
import { inFloat32 } from '../forms/wide.ts';
import { float, holdsFloat, int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const layerNorm: OnnxExporter = inFloat32(
  formula('nn.layer_norm', (context, x, gamma, beta) => {
    const { attrs, call } = context;
    const rank = context.dims(x).length;
    const axis = fromFront(attrs.int('axis'), rank);
    const epsilon = attrs.float('epsilon');
    const isNode = context.opset >= 17 && holdsFloat(epsilon, context.dtype(x));
    if (isNode && axis < rank - 1) {
      const all = { ...attrs.all, axis: -1 };
      return withExchanged(context, x, [axis, rank - 1], (moved) =>
        call('nn.layer_norm', [moved, gamma, beta], all),
      );
    }
    if (isNode) {
      const [scale, shift] = [scaleOf(context, gamma), attrs.bool('center') ? beta : undefined];
      const attributes = { axis: int(axis), epsilon: float(epsilon) };
      return scale && context.node('LayerNormalization', [x, scale, shift], attributes);
    }
    return affine(context, standardized(context, x, [axis], epsilon), [gamma, beta], axis);
  }),
  ({ opset }) => opset < 17,
);
