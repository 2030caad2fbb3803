// An operator defined only by a formula. Its type, value, gradient, compiled code and ONNX nodes follow
// from it, and so does a rule that recognizes the formula in programs.
import { testRule } from '@baton/testing';
import { wasm } from '@baton/wasm';
import {
  attr,
  attrs,
  compositeOp,
  define,
  evaluate,
  exportOnnx,
  greedy,
  importOnnx,
  orThrow,
  parseModule,
  printModule,
  rewrites,
  runPass,
  standardOps,
  toData,
  withDefault,
} from 'batonjs';

const swish = compositeOp(standardOps, {
  name: 'my.swish',
  inputs: ['x'],
  attrs: attrs({ beta: withDefault(attr.float, 1) }),
  definition: define('?x * sigmoid(?x * ?beta)'),
});
const ops = standardOps.with(swish);
const recognized = rewrites.ruleFromDefinition(swish, { recognizes: true });

const parsed = (text) => orThrow(parseModule(`#[version = "0.0.5"] ${text}`, { ops }));
const shown = (value) => JSON.stringify(toData(orThrow(value)));

const program = parsed('def @main(%x: Tensor[(2), float32]) { my.swish(%x, beta=2f) }');
console.log('value:', shown(evaluate(program, { x: [0, 1] })));
console.log('compiled:', shown(evaluate(program, { x: [0, 1] }, { executor: wasm })));

const training = parsed(`def @swish(%x: Tensor[(2), float32]) { my.swish(%x, beta=2f) }
def @main(%x: Tensor[(2), float32]) { gradient(@swish)(%x).1.0 }`);
console.log('gradient:', shown(evaluate(training, { x: [0, 1] })));

const file = orThrow(exportOnnx(program));
const again = orThrow(importOnnx(file));
console.log('from the ONNX file:', shown(evaluate(again, { x: [0, 1] })));

const spelled = parsed('def @main(%x: Tensor[(2), float32]) { %x * sigmoid(%x * 2f) }');
const { module } = orThrow(runPass(greedy(recognized))(spelled));
console.log(printModule(module, { showTypes: false }));
const { instances } = orThrow(testRule(recognized, { ops, count: 20 }));
console.log(`tested on ${instances} instances`);
