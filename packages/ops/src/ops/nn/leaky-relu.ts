import { castNumber } from '@baton/tensor';
import { float } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { sloped } from '../../bounds/rules.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { functionOnIntegers } from '../../on-integers/rules.ts';
import { identityIn } from '../../relation/basic.ts';
import { rectifier } from '../../scalar/rectifier.ts';
import { rectifierScale } from '../../scale-axis/maps.ts';

export const leakyRelu = defineOp({
  name: 'nn.leaky_relu',
  doc: 'The element if it is above 0, otherwise `alpha` times the element.',
  source: 'operators §1',
  attrs: attrs({ alpha: withDefault(float, 0.25) }),
  relation: identityIn('number'),
  form: { _tag: 'Map', expr: rectifier, numbers: ({ alpha }, dtype) => [castNumber(alpha, dtype)] },
  // Both branches are 0 where they meet; the slope is any number.
  numerics: 'smooth',
  precision: 'follow',
  bounds: sloped,
  scaleAxis: rectifierScale,
  onnx: {
    opType: 'LeakyRelu',
    versions: [6, 16],
    attributes: [{ name: 'alpha', as: 'alpha', kind: 'float', defaultValue: Math.fround(0.01) }],
  },
  onIntegers: functionOnIntegers('qnn.leaky_relu'),
  examples: [{ args: [f32(2, 3)], attrs: { alpha: 0.1 }, result: f32(2, 3) }],
});
