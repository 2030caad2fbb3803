/** Windows that are sums of cosines over one period. */
import type { Expr } from '@baton/ir';
import type { OnnxImporter } from '../operator-api/importer.ts';
import { namedType } from './quantization.ts';

/** The window a − b·cos(2πn/N) + c·cos(4πn/N), where N is the size, or less one if not periodic. */
export const cosineWindow = (
  opType: string,
  [a, b, c = 0]: readonly [number, number, number?],
): OnnxImporter => ({
  opType,
  convert: (context) => {
    const { call } = context;
    const size = context.input(0);
    const dtype = namedType(context, 'output_datatype', 'float32');
    if (dtype === undefined) return undefined;
    const isPeriodic = context.attributes.int('periodic') !== 0;
    const [zero, one] = [0, 1].map((n) => context.scalar(n, 'int64')) as [Expr, Expr];
    const count = call('cast', [size], { dtype: 'int64' });
    const places = call('arange', [zero, count, one], { dtype: 'int64' });
    const period = isPeriodic ? count : call('subtract', [count, one]);
    const share = call('divide', [
      call('cast', [places], { dtype: 'float64' }),
      call('cast', [period], { dtype: 'float64' }),
    ]);
    const cosine = (turns: number): Expr =>
      call('cos', [call('multiply', [share, 2 * Math.PI * turns])]);
    const first = call('add', [call('multiply', [cosine(1), -b]), a]);
    const sum = c === 0 ? first : call('add', [first, call('multiply', [cosine(2), c])]);
    return call('cast', [sum], { dtype });
  },
});
