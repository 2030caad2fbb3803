// A pass of one's own, and a property test of it: products with 2 become sums.
import { programs } from '@baton/testing';
import {
  checkPass,
  children,
  functionPass,
  ok,
  ops,
  orThrow,
  parseModule,
  postOrderExprs,
  printModule,
  runPass,
  tensor,
  withChildren,
} from 'batonjs';
import fc from 'fast-check';

const isTwo = (node) =>
  node?._tag === 'Constant' &&
  node.data.shape.length === 0 &&
  tensor.readNumber(node.data, 0) === 2;

const isProduct = (node) =>
  node._tag === 'Call' && node.op._tag === 'Op' && node.op.name === 'multiply';

/** Every node once, children first. What does not change stays the same object. */
function rewrite(f) {
  const results = new Map();
  const resultOf = (node) => results.get(node) ?? node;
  for (const node of postOrderExprs([f])) {
    const next = withChildren(node, children(node).map(resultOf));
    const isDouble = isProduct(next) && isTwo(next.args[1]);
    results.set(node, isDouble ? ops.add(next.args[0], next.args[0]) : next);
  }
  return resultOf(f);
}

const doubleByAdding = functionPass({
  name: 'DoubleByAdding',
  doc: 'Turns a product with two into a sum.',
  level: 0,
  run: (f) => ok(rewrite(f)),
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
