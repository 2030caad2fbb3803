/** `BitShift` of integers: a shift by their width or more leaves 0, or −1 of negative ones to the right. */
import type { Expr } from '@baton/ir';
import { dtypeInfo } from '@baton/tensor';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const bitShift: OnnxImporter = {
  opType: 'BitShift',
  convert: (context) => {
    const direction = context.attributes.string('direction', '');
    if (direction !== 'LEFT' && direction !== 'RIGHT') {
      return context.fail('ONNX_ATTRIBUTE', 'expected direction LEFT or RIGHT');
    }
    const [x, places] = [context.input(0), context.input(1)];
    const op = direction === 'LEFT' ? 'left_shift' : 'right_shift';
    const shifted = context.call(op, [x, places]);
    return context.version < 28 ? shifted : unlessPast(context, shifted, { x, places, direction });
  },
};

interface Shift {
  readonly x: Expr;
  readonly places: Expr;
  readonly direction: 'LEFT' | 'RIGHT';
}

/** What is shifted, unless the places are negative or as many as the integers have bits. */
function unlessPast(context: NodeContext, shifted: Expr, { x, places, direction }: Shift): Expr {
  const { call } = context;
  const { bits, kind } = dtypeInfo(context.dtypeOf(x));
  const isWithin = call('logical_and', [
    call('greater_equal', [places, 0]),
    call('less', [places, bits]),
  ]);
  const keepsSign = direction === 'RIGHT' && kind === 'int';
  const rest = keepsSign ? call('right_shift', [x, bits - 1]) : 0;
  return call('where', [isWithin, shifted, rest]);
}
