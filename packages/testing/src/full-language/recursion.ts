/** Recursive and polymorphic functions, and functions of the library. */
import { InvariantError } from '@baton/base';
import {
  call,
  type Expr,
  func,
  funcType,
  globalVar,
  ifElse,
  letIn,
  scalarType,
  type Type,
  typeVar,
  type Var,
  variable,
} from '@baton/ir';
import { callOp } from '@baton/ops';
import { dataTypeOf } from './data-types.ts';
import type { Library } from './library.ts';
import { type Form, someType, withLet } from './site.ts';

/** A local function that calls itself a few times, with an argument that counts down. */
export const loopForm: Form = (site, type, env, fuel) => {
  const { b } = site;
  if (!['less', 'subtract'].every(b.allows)) return undefined;
  const int = scalarType('int32');
  const n = variable('n', int);
  const state = variable('acc', type);
  const loop = variable('loop', funcType([int, type], type));
  const number = (value: number): Expr => b.constant([value], [], 'int32').expr;
  // If the state changes after the next round, no call is in tail position.
  const isTail = b.random.chance(0.7);
  const changed = (of: Var): Expr => site.term(type, [...env, n, of], Math.min(fuel, 1));
  const next = (argument: Expr): Expr =>
    call(loop, [callOp(b.ops, 'subtract', [n, number(1)]), argument]);
  const result = variable('acc', type);
  const round = isTail ? next(changed(state)) : letIn(result, next(state), changed(result));
  const done = callOp(b.ops, 'less', [n, number(1)]);
  const body = ifElse(done, state, round);
  const f = func([n, state], body, { retType: type });
  const rounds = number(b.random.int(0, 3));
  return letIn(loop, f, call(loop, [rounds, site.term(type, env, fuel)]));
};

/** A local polymorphic function, used at two types. */
export const polymorphicForm: Form = (site, type, env, fuel) => {
  const { random } = site.b;
  const [a, c] = [typeVar('A'), typeVar('B')];
  const [x, y] = [variable('x', a), variable('y', c)];
  const isFirst = random.chance(0.5);
  const [result, resultType] = isFirst ? [x, a] : [y, c];
  const f = func([x, y], result, { typeParams: [a, c], retType: resultType });
  const v = variable('f', funcType([a, c], resultType, [a, c]));
  const other = someType(site, 1);
  // The other argument is bound with its type, which the result does not determine.
  return withLet(site, other, env, fuel, (o) => {
    const scope = [...env, o];
    const again = call(v, isFirst ? [o, o] : [o, o]);
    const chosen = site.term(type, scope, fuel);
    const main = call(v, isFirst ? [chosen, again] : [again, chosen]);
    return letIn(v, f, main);
  });
};

/** A function of the library: over lists, or over functions. */
export const libraryForm: Form = (site, type, env, fuel) => {
  const { library, b } = site;
  if (library === undefined) return undefined;
  const list = library.list.data.header;
  const forms = type._tag === 'TypeCall' && type.func === list ? LIST_FORMS : LIBRARY_FORMS;
  return b.random.pick(forms)(library, site, type, env, fuel);
};

type LibraryForm = (library: Library, ...rest: Parameters<Form>) => Expr;

const named = (name: string, args: ReadonlyArray<Expr>): Expr => call(globalVar(name), args);

/** A reduction over a list of another type, from either end. */
const fold: LibraryForm = (library, site, type, env, fuel) => {
  const element = someType(site, 1);
  const isLeft = site.b.random.chance(0.5);
  const step = funcType(isLeft ? [type, element] : [element, type], type);
  return withLet(site, step, env, fuel, (f) =>
    withLet(site, dataTypeOf(library.list, [element]), env, fuel, (list) =>
      named(isLeft ? 'foldl' : 'foldr', [f, site.term(type, env, fuel), list]),
    ),
  );
};

/** A composition of a function to another type, and one back. */
const composition: LibraryForm = (_library, site, type, env, fuel) => {
  const between = someType(site, 1);
  return withLet(site, funcType([between], type), env, fuel, (back) =>
    withLet(site, funcType([type], between), env, fuel, (there) =>
      call(named('compose', [back, there]), [site.term(type, env, fuel)]),
    ),
  );
};

const iteration: LibraryForm = (_library, site, type, env, fuel) => {
  const rounds = site.b.constant([site.b.random.int(0, 3)], [], 'int32').expr;
  return withLet(site, funcType([type], type), env, fuel, (f) =>
    call(named('iterate', [f, rounds]), [site.term(type, env, fuel)]),
  );
};

const identity: LibraryForm = (_library, site, type, env, fuel) =>
  named('id', [site.term(type, env, fuel)]);

const LIBRARY_FORMS: ReadonlyArray<LibraryForm> = [identity, fold, fold, composition, iteration];

const reversed: LibraryForm = (_library, site, type, env, fuel) =>
  withLet(site, type, env, fuel, (list) => named('rev', [list]));

const joined: LibraryForm = (_library, site, type, env, fuel) =>
  withLet(site, type, env, fuel, (list) => named('concat', [list, site.term(type, env, fuel)]));

/** A list of another type, with a function for each element. */
const mapped: LibraryForm = (library, site, type, env, fuel) => {
  const from = someType(site, 1);
  const step = funcType([from], elementOf(type));
  return withLet(site, step, env, fuel, (f) =>
    withLet(site, dataTypeOf(library.list, [from]), env, fuel, (list) => named('map', [f, list])),
  );
};

const filtered: LibraryForm = (_library, site, type, env, fuel) =>
  withLet(site, funcType([elementOf(type)], scalarType('bool')), env, fuel, (f) =>
    withLet(site, type, env, fuel, (list) => named('filter', [f, list])),
  );

const elementOf = (type: Type): Type => {
  const arg = type._tag === 'TypeCall' ? type.args[0] : undefined;
  if (arg?.kind !== 'Type') throw new InvariantError('a list has elements of a type');
  return arg.value;
};

const LIST_FORMS: ReadonlyArray<LibraryForm> = [reversed, joined, mapped, filtered, fold];
