/** Programs of several kinds and sizes for the text benchmark. */
import { type Constructor, opRef } from '@baton/ir';
import { scalar } from '@baton/tensor';
import {
  call,
  constant,
  type Expr,
  func,
  type IRModule,
  irModule,
  letIn,
  orThrow,
  parseModule,
  scalarType,
  standardOps,
  variable,
} from 'batonjs';

const add = (a: Expr, b: Expr): Expr => call(opRef('add'), [a, b], { attrs: {} });
const float = scalarType('float32');

/** A dataflow graph: each call takes the two before it. */
export function graph(calls: number): IRModule {
  const x = variable('x', float);
  let before: Expr = x;
  let last: Expr = x;
  for (let i = 0; i < calls; i++) [before, last] = [last, add(last, before)];
  return irModule({ ops: standardOps, functions: new Map([['main', func([x], last)]]) });
}

/** A chain of annotated lets. */
export function lets(count: number): IRModule {
  const x = variable('x', float);
  const vars = Array.from({ length: count }, (_, i) => variable(`v${i}`, float));
  let body: Expr = vars.at(-1) ?? x;
  for (let i = count - 1; i >= 0; i--) {
    const v = vars[i];
    if (v !== undefined) body = letIn(v, add(vars[i - 1] ?? x, x), body);
  }
  return irModule({ ops: standardOps, functions: new Map([['main', func([x], body)]]) });
}

const FUNCTION = `def @fN[A](%c: bool, %l: fn (A) -> A, %x: A, %n: int32) -> A {
  let %g = fn (%y: A) -> A { if (%c && %n < 10) { %l(%y) } else { %l(%l(%y)) } };
  let %z: (A, (int32, Tensor[(2, 3), float32])) = (%g(%x), (%n * 2 + 1, Constant(1.5, (2, 3), float32)));
  %0 = @fN(%c, %l, %z.0, %n - 1);
  if (%n == 0) { %x } else { let %r = ref(%0); ref_write(%r, %0); ref_read(%r) }
}
`;

/** Functions with types, closures, branches and references; each has eleven calls. */
export function functions(count: number): IRModule {
  const text = Array.from({ length: count }, (_, i) => FUNCTION.replaceAll('@fN', `@f${i}`));
  return orThrow(parseModule(`#[version = "0.0.5"]\n${text.join('')}`));
}

const GENERAL = `def @fN(%l, %x) {
  let %id = fn (%y) { %y };
  let %twice = fn (%y) { %l(%l(%y)) };
  let %pair = (%id(%x), %id(1));
  (%twice(%pair.0), %id(%twice)(%x), %pair.1 + 2)
}
`;

/** Functions and closures without types, each of which gets its most general type. */
export function generalFunctions(count: number): IRModule {
  const text = Array.from({ length: count }, (_, i) => GENERAL.replaceAll('@fN', `@f${i}`));
  return orThrow(parseModule(`#[version = "0.0.5"]\n${text.join('')}`));
}

/** A list literal: one call of a polymorphic constructor per cell. */
export function list(cells: number): IRModule {
  const m = orThrow(parseModule('#[version = "0.0.5"]\ntype L[A] { Cons(A, L[A]), Nil }\n'));
  const cons = constructorOf(m, 'Cons');
  let cell: Expr = call(constructorOf(m, 'Nil'), []);
  for (let i = 0; i < cells; i++) cell = call(cons, [constant(scalar(i, 'int32')), cell]);
  return irModule({ ...m, functions: new Map([['main', func([], cell)]]) });
}

function constructorOf(m: IRModule, name: string): Constructor {
  const found = m.constructors.get(name);
  if (found === undefined) throw new Error(`the program defines ${name}`);
  return found;
}
