/** Scales on their way into weights: programs that once were rewritten into others. */
import { orThrow } from '@baton/base';
import { checkEquivalent } from '@baton/equivalence';
import { runPass } from '@baton/pass-manager';
import { backwardScales, forwardScales, greedy, saturate, weightScales } from '@baton/rewrites';
import { expect, it } from 'vitest';
import { read } from '../golden/read.ts';

/** In each the scale adds an axis, in which axes of the operator would be others. */
const PROGRAMS = {
  'a scaled bias': 'multiply(nn.bias_add(%x, %y, axis=0), %s)',
  'a bias of something scaled': 'nn.bias_add(multiply(%x, meta[relay.Constant][0]), %y, axis=0)\n',
  'a scaled concatenation': 'multiply(concatenate((%x, %y), axis=0), %t)',
};

const CONSTANT =
  '#[metadata]\n{"relay.Constant": [{"dtype": "float32", "shape": [2, 1], "data": [2, 4]}]}';

const PARAMS = ['%x: Tensor[(2), float32]', '%y: Tensor[(2), float32]'];
const SCALES = ['%s: Tensor[(2, 1), float32]', '%t: Tensor[(4, 1, 4), float32]'];

it.each(Object.entries(PROGRAMS))('%s that adds an axis', (name, body) => {
  const params = [...PARAMS, ...SCALES].join(', ');
  const m = read(`def @main(${params}) {\n  ${body}\n}\n${CONSTANT}`, name);
  for (const moves of [backwardScales, forwardScales]) {
    const rules = [moves, weightScales];
    for (const engine of [greedy(rules), saturate(rules)]) {
      const { module } = orThrow(runPass(engine)(m));
      expect(orThrow(checkEquivalent(m, module)).equivalent).toBe(true);
    }
  }
});
