// A pass of one's own, and a property test of it: products with 2 become sums.
import { programs } from '@baton/testing';
import {
  checkPass,
  forwardRewrite,
  functionPass,
  ok,
  ops,
  orThrow,
  parseModule,
  printModule,
  runPass,
  tensor,
  visibleIn,
} from 'batonjs';
import fc from 'fast-check';

/** What becomes of one call, whose arguments have been rewritten; `undefined` if nothing does. */
function doubled({ op }, [x, factor]) {
  if (op._tag !== 'Op' || op.name !== 'multiply') return undefined;
  if (factor?._tag !== 'Constant' || factor.data.shape.length > 0) return undefined;
  return tensor.readNumber(factor.data, 0) === 2 ? ops.add(x, x) : undefined;
}

const doubleByAdding = functionPass({
  name: 'DoubleByAdding',
  doc: 'Turns a product with two into a sum.',
  level: 0,
  run: (f, m) => {
    const { order } = visibleIn(f, m);
    return ok(forwardRewrite(f, doubled, { order, mayProject: () => false }));
  },
});

const program = orThrow(
  parseModule(`#[version = "0.0.5"]
def @main(%x: Tensor[(3), float32]) { exp(%x) * 2f }`),
);
const { module } = orThrow(runPass(doubleByAdding)(program));
console.log(printModule(module, { showTypes: false }));
console.log(orThrow(checkPass(doubleByAdding, program)).equivalence.verdict);

const sound = fc.property(programs({ focus: 'constants' }), ({ module }) => {
  return orThrow(checkPass(doubleByAdding, module)).equivalence.verdict !== 'different';
});
fc.assert(sound, { seed: 1, numRuns: 10 });
console.log('sound on 10 random programs');
