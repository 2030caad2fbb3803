/** Expressions that reach a type by way of another. */
import {
  call,
  type Expr,
  funcType,
  ifElse,
  letIn,
  type RefType,
  refRead,
  refType,
  refWrite,
  scalarType,
  tupleGetItem,
  tupleType,
  typeEqual,
  type Var,
  variable,
} from '@baton/ir';
import { lambda } from './introduce.ts';
import { matchForm, partialForm } from './matches.ts';
import { libraryForm, loopForm, polymorphicForm } from './recursion.ts';
import { type Env, type Form, someType, variableOf, withLet } from './site.ts';

const letForm: Form = (site, type, env, fuel) =>
  withLet(site, someType(site, 2), env, fuel, (v) => site.term(type, [...env, v], fuel));

const ifForm: Form = (site, type, env, fuel) =>
  ifElse(
    site.term(scalarType('bool'), env, fuel),
    site.term(type, env, fuel),
    site.term(type, env, fuel),
  );

/** A field of a tuple, of a literal or a bound one. */
const projectionForm: Form = (site, type, env, fuel) => {
  const { random } = site.b;
  const at = random.int(0, 1);
  const other = someType(site, 1);
  const bound = tupleType(at === 0 ? [type, other] : [other, type]);
  return withLet(site, bound, env, fuel, (v) => tupleGetItem(v, at));
};

/** A call of a function literal, or of a variable that is a function. */
const callForm: Form = (site, type, env, fuel) => {
  const fitting = env.filter(
    (v) => v.typeAnnotation?._tag === 'FuncType' && typeEqual(v.typeAnnotation.result, type),
  );
  const { random } = site.b;
  if (fitting.length > 0 && random.chance(0.7)) {
    const f = random.pick(fitting);
    return f.typeAnnotation?._tag === 'FuncType'
      ? call(
          f,
          f.typeAnnotation.params.map((param) => site.term(param, env, fuel)),
        )
      : undefined;
  }
  const param = someType(site, 1);
  const f = lambda(site, funcType([param], type), env, fuel);
  return call(f, [site.term(param, env, fuel)]);
};

/** A function that returns a function, called twice. */
const curriedForm: Form = (site, type, env, fuel) => {
  const [first, second] = [someType(site, 1), someType(site, 1)];
  const curried = funcType([first], funcType([second], type));
  return withLet(site, curried, env, fuel, (f) =>
    call(call(f, [site.term(first, env, fuel)]), [site.term(second, env, fuel)]),
  );
};

/** The content of a reference in scope, or of a new one. */
const readForm: Form = (site, type, env, fuel) => {
  const wanted = refType(type);
  const known = variableOf(site, wanted, env);
  return refRead(known ?? site.term(wanted, env, fuel));
};

/** A write to a reference, then an expression that may read it. */
const writeForm: Form = (site, type, env, fuel) => {
  const { random } = site.b;
  const refs = env.filter((v) => v.typeAnnotation?._tag === 'RefType');
  const write = (ref: Var, scope: Env): Expr => {
    const { value } = ref.typeAnnotation as RefType;
    const written = refWrite(ref, site.term(value, scope, fuel));
    return letIn(variable('', tupleType([])), written, site.term(type, scope, fuel));
  };
  if (refs.length > 0 && random.chance(0.8)) return write(random.pick(refs), env);
  const held = random.chance(0.6) ? type : someType(site, 1);
  return withLet(site, refType(held), env, fuel, (ref) => write(ref, [...env, ref]));
};

/** Every way, with its frequency. */
export const ELIMINATIONS: ReadonlyArray<readonly [weight: number, form: Form]> = [
  [3, letForm],
  [2, ifForm],
  [1.5, projectionForm],
  [2.5, callForm],
  [1, curriedForm],
  [2, readForm],
  [2.5, writeForm],
  [2.5, matchForm],
  [1.2, loopForm],
  [1, polymorphicForm],
  [1.5, libraryForm],
  [1, partialForm],
];
