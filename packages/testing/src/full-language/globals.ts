/** Global functions beyond dataflow: recursive, polymorphic, of symbolic dimensions. */
import {
  call,
  dimOf,
  type Expr,
  type Func,
  func,
  globalVar,
  ifElse,
  letIn,
  scalarType,
  type TensorType,
  type Type,
  tensorType,
  typeVar,
  type Var,
  variable,
} from '@baton/ir';
import { callOp } from '@baton/ops';
import type { Builder } from '../generate/builder.ts';
import type { TensorValue } from '../generate/value.ts';

export type Globals = Map<string, Func>;

/** A call of a global function, which is added if it is missing. */
type GlobalCall = (b: Builder, globals: Globals) => { readonly expr: Expr; readonly type: Type };

/** `add`, `maximum` and others on tensors of one type, with any dimensions. */
function mixedUp(b: Builder, x: Expr, y: Expr): Expr {
  const names = ['add', 'subtract', 'maximum', 'minimum'].filter(b.allows);
  const unary = ['negative', 'nn.relu', 'abs'].filter(b.allows);
  const joined = names.length === 0 ? x : callOp(b.ops, b.random.pick(names), [x, y]);
  return unary.length === 0 || b.random.chance(0.4)
    ? joined
    : callOp(b.ops, b.random.pick(unary), [joined]);
}

const define = (globals: Globals, name: string, make: () => Func): Expr => {
  if (!globals.has(name)) globals.set(name, make());
  return globalVar(name);
};

const applied = (f: Expr, args: ReadonlyArray<TensorValue>, b: Builder): Expr => {
  b.use(...args);
  return call(
    f,
    args.map((arg) => arg.expr),
  );
};

/** A function of one symbolic dimension, called with different numbers. */
const symbolic: GlobalCall = (b, globals) => {
  const rows = b.random.pick([2, 3, 5]);
  const columns = 4;
  const f = define(globals, 'symbolic', () => {
    const n = typeVar('n', 'ShapeVar');
    const type = tensorType([dimOf(n), columns], b.float);
    const [x, y] = [variable('x', type), variable('y', type)];
    return func([x, y], mixedUp(b, x, y), { typeParams: [n], retType: type });
  });
  const operand = (): TensorValue => b.operand({ shape: [rows, columns], dtype: b.float });
  const args = [operand(), operand()];
  return { expr: applied(f, args, b), type: tensorType([rows, columns], b.float) };
};

const anyShape: GlobalCall = (b, globals) => {
  const f = define(globals, 'anyShape', () => {
    const s = typeVar('s', 'Shape');
    const type = tensorType(s, b.float);
    const x = variable('x', type);
    return func([x], mixedUp(b, x, x), { typeParams: [s], retType: type });
  });
  const arg = b.operand({ dtype: b.float });
  return { expr: applied(f, [arg], b), type: arg.type };
};

/** A choice between two values of any type. */
const anyType: GlobalCall = (b, globals) => {
  const f = define(globals, 'anyType', () => {
    const a = typeVar('A');
    const params = [variable('c', scalarType('bool')), variable('x', a), variable('y', a)] as const;
    const [c, x, y] = params;
    return func(params, ifElse(c, x, y), { typeParams: [a], retType: a });
  });
  const cond = b.operand({ shape: [], dtype: 'bool' });
  const x = b.operand({ kind: 'any' });
  const y = b.operand({ shape: x.shape, dtype: x.dtype });
  return { expr: applied(f, [cond, x, y], b), type: x.type };
};

/** A function of one type with local variables, called twice: the second time on its result. */
const withLets: GlobalCall = (b, globals) => {
  const x = b.operand({ dtype: b.float, rank: [0, 3] });
  const y = b.operand({ shape: x.shape, dtype: x.dtype });
  const f = define(globals, `lets${x.shape.join('x')}`, () => {
    const [p, q, r] = [variable('p', x.type), variable('q', x.type), variable('r')];
    const body = letIn(r, mixedUp(b, p, q), mixedUp(b, r, p));
    return func([p, q], body, { retType: x.type });
  });
  b.use(x, y);
  return { expr: call(f, [call(f, [x.expr, y.expr]), y.expr]), type: x.type };
};

/** Two functions that call each other a few times. */
const mutual: GlobalCall = (b, globals) => {
  const x = b.operand({ dtype: b.float, rank: [0, 3] });
  const suffix = `${x.shape.join('x')}`;
  const [even, odd] = [`even${suffix}`, `odd${suffix}`];
  const f = define(globals, even, () => countingDown(b, x.type, odd));
  define(globals, odd, () => countingDown(b, x.type, even));
  const n = b.constant([b.random.int(0, 4)], [], 'int32');
  return { expr: applied(f, [n, x], b), type: x.type };
};

/** `if (n < 1) { x } else { next(n - 1, .. x ..) }`. */
function countingDown(b: Builder, type: TensorType, next: string): Func {
  const n = variable('n', scalarType('int32'));
  const x: Var = variable('x', type);
  const one = b.constant([1], [], 'int32').expr;
  const rest = callOp(b.ops, 'subtract', [n, one]);
  const again = call(globalVar(next), [rest, mixedUp(b, x, x)]);
  const body = ifElse(callOp(b.ops, 'less', [n, one]), x, again);
  return func([n, x], body, { retType: type });
}

export const globalCall: GlobalCall = (b, globals) => {
  const recursive = ['less', 'subtract'].every(b.allows) ? [mutual] : [];
  return b.random.pick([symbolic, anyShape, anyType, withLets, ...recursive])(b, globals);
};
