// A custom pass, tested on random programs: products with 2 become sums.
import { motif, testPass } from '@baton/testing';
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

/** The replacement of a call whose arguments have been rewritten; `undefined` keeps the call. */
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

// The random programs contain many such products; a program that the pass breaks is an error.
const products = motif(1, 'multiply', (b) =>
  b.tensor('multiply', [b.operand(), b.constant([2], [])]),
);
const trial = orThrow(testPass(doubleByAdding, { count: 20, motifs: [products] }));
console.log(`${trial.programs} random programs, most of them changed: ${trial.changed > 10}`);
