// A custom operator: one record suffices for text, inference, passes and the executor.
import {
  attr,
  attrs,
  defineOp,
  elementCount,
  evaluate,
  optimize,
  orThrow,
  parseModule,
  printModule,
  runPass,
  standardOps,
  tensor,
  toData,
  withDefault,
} from 'batonjs';

const swish = defineOp({
  name: 'my.swish',
  doc: 'The element times the sigmoid of `beta` times it.',
  source: 'Ramachandran et al., "Searching for Activation Functions" (2017)',
  inputs: ['x'],
  attrs: attrs({ beta: withDefault(attr.float, 1) }),
  relation: ([x]) => x,
  kernel: (args, { beta }) => {
    const x = args.tensor(0);
    const values = tensor.toNumbers(x).map((v) => v / (1 + Math.exp(-beta * v)));
    return tensor(values, x.shape, x.dtype);
  },
  kind: 'elementwise',
  // It rounds, and is continuous.
  numerics: 'smooth',
  cost: (_, result) => 4 * elementCount(result),
  examples: [],
});

const program = orThrow(
  parseModule(
    `#[version = "0.0.5"]
def @main(%x: Tensor[(2), float32]) { my.swish(%x, beta=2f) + my.swish(0f) }`,
    { ops: standardOps.with(swish) },
  ),
);
const { module } = orThrow(runPass(optimize({ level: 3 }))(program));
console.log(printModule(module, { showTypes: false }));
console.log(JSON.stringify(toData(orThrow(evaluate(module, { x: [0, 1] })))));
