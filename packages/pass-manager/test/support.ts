/** Small passes and modules for the tests of the pass manager. */
import { isLeft, orThrow, right } from '@baton/base';
import {
  call,
  constant,
  type Expr,
  type Func,
  func,
  type IRModule,
  irModule,
  type OpInfo,
  opRef,
  opTable,
  scalarType,
  variable,
  withFunctions,
} from '@baton/ir';
import {
  functionPass,
  type Pass,
  type PassContextParts,
  type PassResult,
  pass,
  passesRun,
  runPass,
} from '@baton/pass-manager';
import { scalar } from '@baton/tensor';

const log: OpInfo = {
  name: 'log',
  doc: 'log',
  source: 'this test',
  inputs: [{ name: 'x' }],
  attrs: { fields: [], decode: (attrs) => right(attrs) },
  relation: ([x], _attrs, context) =>
    x?._tag === 'TensorType' ? x : context.fail('OP_NOT_TENSOR', 'expected a tensor'),
  effect: 'total',
  nonComputational: false,
  facets: new Map(),
};
export const ops = opTable([log]);
export const apply = (e: Expr): Expr => call(opRef('log'), [e]);
export const f32 = scalarType('float32');
export const x = variable('x', f32);
export const num = constant(scalar(1, 'float32'));
export const base = irModule({ ops, functions: new Map([['main', func([x], apply(x))]]) });
export const main = (m: IRModule): Func => m.functions.get('main') as Func;
export const withBody = (m: IRModule, body: Expr): IRModule =>
  withFunctions(m, new Map([['main', func([x], body)]]));

/** A pass that puts one more logarithm around the body. */
export const grow = (name: string, level = 0, requires: ReadonlyArray<Pass> = []): Pass =>
  functionPass({
    name,
    doc: 'One more logarithm.',
    level,
    requires,
    run: (f) => right(func(f.params, apply(f.body), f)),
  });
export const idle = (name: string): Pass =>
  pass({ name, doc: 'Nothing.', level: 0, run: (m) => right(m) });

export const names = (result: PassResult): ReadonlyArray<string> =>
  passesRun(result.report).map((entry) => entry.name);
export const ran = (p: Pass, parts?: PassContextParts): PassResult =>
  orThrow(runPass(p, parts)(base));
export const codes = (p: Pass, parts?: PassContextParts, m = base): ReadonlyArray<string> => {
  const result = runPass(p, parts)(m);
  return isLeft(result) ? result.left.map((d) => `${d.severity} ${d.code}: ${d.message}`) : [];
};
