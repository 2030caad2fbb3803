/** `Mod`: the remainder with the sign of the divisor, or with `fmod` of the dividend. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const mod: OnnxImporter = {
  opType: 'Mod',
  convert: (context) => {
    const op = context.attributes.int('fmod') === 0 ? 'floor_mod' : 'mod';
    return context.call(op, [context.input(0), context.input(1)]);
  },
};
