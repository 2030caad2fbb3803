import { right } from '@baton/base';
import {
  adtConstructor,
  anyDim,
  call,
  clause,
  type Effect,
  type Expr,
  effectOf,
  type Func,
  func,
  globalTypeVar,
  globalVar,
  type IRModule,
  ifElse,
  irModule,
  letIn,
  match,
  type OpInfo,
  opRef,
  opTable,
  type Pattern,
  refCreate,
  refRead,
  refType,
  refWrite,
  scalarType,
  type Type,
  tensorType,
  tuple,
  tupleGetItem,
  typeOf,
  variable,
} from '@baton/ir';
import { describe, expect, test } from 'vitest';

const op = (name: string, effect: Effect): OpInfo => ({
  name,
  doc: name,
  source: 'this test',
  inputs: [{ name: 'x' }],
  attrs: { fields: [], decode: (attrs) => right(attrs) },
  relation: ([first]) => first,
  effect,
  nonComputational: false,
  facets: new Map(),
});
const ops = opTable([op('log', 'total'), op('check', 'partial'), op('emit', 'stateful')]);
const apply = (name: string, e: Expr): Expr => call(opRef(name), [e]);

const f32 = scalarType('float32');
const unknown = tensorType([anyDim], 'float32');
const known = tensorType([3], 'float32');
const x = variable('x', f32);
const yes = variable('yes', scalarType('bool'));
const r = variable('r', refType(f32));
const wild = { _tag: 'PatternWildcard', span: undefined } as const;
const bind = (type: Type): Pattern => ({
  _tag: 'PatternVar',
  variable: variable('y', type),
  span: undefined,
});
const box = adtConstructor('Box', [f32], globalTypeVar('Box'), 0);

const globals: ReadonlyArray<[string, Func]> = [
  ['pure', func([x], apply('log', x), { retType: f32 })],
  ['through', func([x], call(globalVar('pure'), [x]), { retType: f32 })],
  ['writes', func([r], refWrite(r, x), { retType: f32 })],
  ['loop', func([x], ifElse(yes, x, call(globalVar('loop'), [x])), { retType: f32 })],
  ['ping', func([x], call(globalVar('pong'), [x]), { retType: f32 })],
  ['pong', func([x], ifElse(yes, x, call(globalVar('ping'), [x])), { retType: f32 })],
  [
    'noisy',
    func([x], ifElse(yes, apply('emit', x), call(globalVar('noisy'), [x])), { retType: f32 }),
  ],
  ['usesLoop', func([x], call(globalVar('loop'), [x]), { retType: f32 })],
  ['checks', func([x], variable('u', unknown), { retType: known })],
  ['foreign', func([x], x, { retType: f32, attrs: { Compiler: 'other' } })],
];
const m: IRModule = irModule({ ops, functions: new Map(globals) });
const callOf = (name: string): Expr => call(globalVar(name), [x]);

const f = variable('f');
const g = variable('g');
const h = variable('h');
const identity = func([x], x, { retType: f32 });
const recursive = func([x], ifElse(yes, x, call(f, [x])), { retType: f32 });
const param = variable('p');

describe('the effect of', () => {
  test.each<[string, Expr, Effect]>([
    ['a variable', x, 'total'],
    ['an operator', apply('log', x), 'total'],
    ['an operator that may fail', apply('check', x), 'partial'],
    ['an operator with an effect', apply('log', apply('emit', x)), 'stateful'],
    ['an operator that nobody knows', apply('nothing', x), 'stateful'],
    ['a tuple and its field', tupleGetItem(tuple([x, apply('check', x)]), 0), 'partial'],
    ['a constructor', call(box, [x]), 'total'],
    ['a condition', ifElse(yes, x, apply('emit', x)), 'stateful'],
    ['a function, whatever it does', func([r], refRead(r)), 'total'],
    ['a match that covers', match(x, [clause(wild, x)], true), 'total'],
    ['a match that binds a size', match(x, [clause(bind(known), x)], true), 'partial'],
    ['a match that binds none', match(x, [clause(bind(unknown), x)], true), 'total'],
    ['a match that need not cover', match(x, [clause(wild, x)], false), 'partial'],
    ['a new reference', refCreate(x), 'partial'],
    ['a read', refRead(r), 'stateful'],
    ['a write', refWrite(r, x), 'stateful'],
    ['a size to be checked', apply('log', variable('u', unknown)), 'partial'],
    [
      'a binding that checks a size',
      letIn(variable('k', known), variable('u', unknown), x),
      'partial',
    ],
    ['a binding', letIn(variable('k', known), variable('o', known), x), 'total'],
    ['a call of a function', callOf('pure'), 'total'],
    ['a call of a caller', callOf('through'), 'total'],
    ['a call of a function that writes', callOf('writes'), 'stateful'],
    ['a call of a recursive function', callOf('loop'), 'partial'],
    ['a call of mutually recursive functions', callOf('ping'), 'partial'],
    ['a call of a recursive function with an effect', callOf('noisy'), 'stateful'],
    ['a call of a caller of a recursive function', callOf('usesLoop'), 'partial'],
    ['a call of a function that checks its result', callOf('checks'), 'partial'],
    ['a call of a function that is run elsewhere', callOf('foreign'), 'stateful'],
    ['a call of a function outside the module', callOf('nowhere'), 'stateful'],
    ['a call of a parameter', call(param, [x]), 'stateful'],
    ['a call of a literal', call(identity, [x]), 'total'],
    ['a call of a bound function', letIn(g, identity, call(g, [x])), 'total'],
    [
      'a call of a bound function that writes',
      letIn(h, func([x], refRead(r)), call(h, [x])),
      'stateful',
    ],
    ['a bound recursive function', letIn(f, recursive, x), 'total'],
    ['its call', letIn(f, recursive, call(f, [x])), 'partial'],
    ['a call of one of two', call(ifElse(yes, identity, func([x], refRead(r))), [x]), 'stateful'],
    ['a call of a match', call(match(x, [clause(wild, identity)], true), [x]), 'total'],
    ['a call of a field', call(tupleGetItem(tuple([identity]), 0), [x]), 'stateful'],
  ])('%s', (_title, expr, effect) => {
    expect(typeOf(m, x)).toBe(f32);
    expect(effectOf(m, expr)).toBe(effect);
    // The answer does not depend on earlier questions.
    expect(effectOf(irModule({ ops, functions: m.functions }), expr)).toBe(effect);
  });

  test('a variable that the module binds elsewhere has the effect of its value', () => {
    const bound = variable('bound');
    const inner = call(bound, [x]);
    const body = letIn(bound, identity, inner);
    const whole = irModule({ ops, functions: new Map([['main', func([x], body)]]) });
    expect(effectOf(whole, inner)).toBe('total');
    expect(effectOf(m, inner)).toBe('stateful');
  });

  test('long chains of values and of functions are followed', () => {
    let chain: Expr = x;
    for (let i = 0; i < 8_000; i++) chain = apply('log', chain);
    expect(effectOf(m, chain)).toBe('total');
    expect(effectOf(m, tuple([apply('emit', chain), chain]))).toBe('stateful');

    const names = Array.from({ length: 8_000 }, (_, i) => variable(`f${i}`));
    const last = names.at(-1) ?? x;
    const lets = names.reduceRight<Expr>(
      (body, name, i) => letIn(name, i === 0 ? identity : (names[i - 1] ?? x), body),
      call(last, [x]),
    );
    expect(effectOf(m, lets)).toBe('total');
  });
});
