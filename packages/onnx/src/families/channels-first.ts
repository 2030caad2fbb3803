/** Operators with an attribute for channels along the last axis. */
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { withInputs } from './through-floats.ts';

/** The conversion of data whose channels are along the axis that `channels_last` states. */
export const channelsFirst =
  (convert: (context: NodeContext) => Converted) =>
  (context: NodeContext): Converted => {
    if (context.attributes.int('channels_last') === 0) return convert(context);
    const { call } = context;
    const rank = context.dimsOf(context.input(0)).length;
    const places = Array.from({ length: Math.max(rank - 2, 0) }, (_, i) => i + 1);
    const first = call('transpose', [context.input(0)], { axes: [0, rank - 1, ...places] });
    const found = convert(withInputs(context, [first]));
    const value = found === undefined || '_tag' in found ? found : found[0];
    const back = [0, ...places.map((place) => place + 1), 1];
    return value && call('transpose', [value], { axes: back });
  };
