/**
 * Expressions of a type, by the type: how it is introduced, and how anything is eliminated into it.
 * Each node that this makes is used once, so that effects happen in the order in which they stand.
 */
import {
  type Clause,
  call,
  clause,
  type Expr,
  type FuncType,
  func,
  funcType,
  globalVar,
  ifElse,
  letIn,
  match,
  type Pattern,
  type RefType,
  refCreate,
  refRead,
  refType,
  refWrite,
  scalarType,
  type TensorType,
  type Type,
  type TypeCall,
  tuple,
  tupleGetItem,
  tupleType,
  typeEqual,
  typeVar,
  type Var,
  variable,
} from '@baton/ir';
import { callOp, staticTensor } from '@baton/ops';
import { isFloat } from '@baton/tensor';
import type { Builder } from '../generate/builder.ts';
import { type DataType, dataTypeOf, inputsOf } from './data-types.ts';
import type { Library } from './library.ts';

/** What terms are made of. */
export interface TermSite {
  readonly b: Builder;
  readonly dataTypes: ReadonlyArray<DataType>;
  readonly library: Library | undefined;
}

/** The variables that a term may use, the innermost last. */
export type Env = ReadonlyArray<Var>;

/** A way to make an expression of a type; `undefined` where it does not apply. */
type Form = (site: TermSite, type: Type, env: Env, fuel: number) => Expr | undefined;

/** An expression of the type. `fuel` bounds its depth. */
export function termOf(site: TermSite, type: Type, env: Env, fuel: number): Expr {
  const { random } = site.b;
  if (fuel > 0 && random.chance(0.65)) {
    const eliminated = random.weighted(ELIMINATIONS)(site, type, env, fuel - 1);
    if (eliminated !== undefined) return eliminated;
  }
  const used = random.chance(fuel > 0 ? 0.3 : 0.75) ? variableOf(site, type, env) : undefined;
  return used ?? introduced(site, type, env, fuel);
}

/** A variable of the type, the inner ones more often. */
function variableOf({ b }: TermSite, type: Type, env: Env): Expr | undefined {
  const fitting = env.filter((v) => v.typeAnnotation && typeEqual(v.typeAnnotation, type));
  if (fitting.length === 0) return undefined;
  const back = Math.min(b.random.int(0, 2), fitting.length - 1);
  return fitting[fitting.length - 1 - back];
}

/** A type that terms have: mostly small. */
export function someType(site: TermSite, depth: number): Type {
  const { b, dataTypes, library } = site;
  const { random } = b;
  const deeper = (): Type => someType(site, depth - 1);
  const kind = depth > 0 ? random.int(0, 9) : 0;
  if (kind === 5) return tupleType(Array.from({ length: random.int(0, 2) }, deeper));
  if (kind === 6) return refType(deeper());
  if (kind === 7) return funcType([deeper()], deeper());
  if (kind === 8 && library !== undefined) {
    return dataTypeOf(random.chance(0.7) ? library.list : library.option, [deeper()]);
  }
  if (kind === 9 && dataTypes.length > 0) {
    const chosen = random.pick(dataTypes);
    return dataTypeOf(chosen, chosen.data.typeVars.map(deeper));
  }
  return random.weighted<() => Type>([
    [4, () => scalarType(b.float)],
    [2, () => scalarType('int32')],
    [1, () => scalarType('bool')],
    [3, () => visibleType(b)],
  ])();
}

const visibleType = (b: Builder): Type => {
  const floats = b.visible().filter((v) => v._tag === 'Tensor' && v.dtype === b.float);
  return floats.length === 0 ? scalarType(b.float) : b.random.pick(floats).type;
};

/** The expression in which the type's own values are made. */
function introduced(site: TermSite, type: Type, env: Env, fuel: number): Expr {
  switch (type._tag) {
    case 'TupleType':
      return tuple(type.fields.map((field) => termOf(site, field, env, fuel - 1)));
    case 'RefType':
      return refCreate(termOf(site, type.value, env, fuel - 1));
    case 'FuncType':
      return lambda(site, type, env, fuel - 1);
    case 'TypeCall':
      return constructed(site, type, env, fuel);
    case 'TensorType':
      return tensorTerm(site, type, env, fuel);
    default:
      throw new Error(`no term has the type ${type._tag}`);
  }
}

/** A function literal, with annotations on its parameters or without. */
function lambda(site: TermSite, type: FuncType, env: Env, fuel: number): Expr {
  const params = type.params.map((param, i) => variable('uvw'[i] ?? 'z', param));
  const body = termOf(site, type.result, [...env, ...params], Math.max(fuel, 0));
  return func(params, body, { retType: type.result });
}

/** A constructor applied to terms: the first, which ends, where there is no fuel left. */
function constructed(site: TermSite, type: TypeCall, env: Env, fuel: number): Expr {
  const chosen = dataTypeNamed(site, type);
  const { random } = site.b;
  const ending = chosen.constructors.filter((c) => !isRecursive(chosen, c.inputs));
  const ctor = random.pick(fuel > 0 ? chosen.constructors : ending);
  const inputs = inputsOf(chosen, ctor, type);
  return call(
    ctor,
    inputs.map((input) => termOf(site, input, env, fuel - 1)),
  );
}

const isRecursive = ({ data }: DataType, inputs: ReadonlyArray<Type>): boolean =>
  inputs.some((input) => input._tag === 'TypeCall' && input.func === data.header);

function dataTypeNamed({ dataTypes, library }: TermSite, type: TypeCall): DataType {
  const all = library === undefined ? dataTypes : [...dataTypes, library.list, library.option];
  const found = all.find(({ data }) => data.header === type.func);
  if (found === undefined) throw new Error(`${type.func.nameHint} is a known data type`);
  return found;
}

/** A tensor: a value of the program, a constant, or an operator on terms of the same type. */
function tensorTerm(site: TermSite, type: TensorType, env: Env, fuel: number): Expr {
  const { b } = site;
  const { random } = b;
  const known = staticTensor(type);
  if (known === undefined) throw new Error('terms are tensors of known shapes');
  const names = operatorsFor(b, known.dtype);
  const part = (): Expr => termOf(site, type, env, fuel - 1);
  if (fuel > 0 && names.length > 0 && random.chance(0.7)) {
    const name = random.pick(names);
    const isUnary = b.ops.get(name)?.inputs.length === 1;
    return callOp(b.ops, name, isUnary ? [part()] : [part(), part()]);
  }
  if (known.dtype === 'bool' && fuel > 0 && known.shape.length === 0 && b.allows('less')) {
    const scalar = scalarType(random.chance(0.5) ? b.float : 'int32');
    const [left, right] = [0, 1].map(() => termOf(site, scalar, env, fuel - 1));
    if (left && right) return callOp(b.ops, random.pick(['less', 'greater']), [left, right]);
  }
  const visible = b.visible().filter((v) => v._tag === 'Tensor' && typeEqual(v.type, type));
  if (visible.length > 0 && random.chance(0.6)) {
    const value = random.pick(visible);
    b.use(value);
    return value.expr;
  }
  return b.weights(known.shape, known.dtype).expr;
}

/** Operators that keep small numbers small. */
function operatorsFor(b: Builder, dtype: string): ReadonlyArray<string> {
  if (dtype === 'bool') return ['logical_not', 'logical_and', 'logical_or'].filter(b.allows);
  const both = ['add', 'subtract', 'maximum', 'minimum', 'negative'];
  return (isFloat(dtype as 'float32') ? [...both, 'nn.relu', 'tanh', 'abs'] : both).filter(
    b.allows,
  );
}

/** `let %t: S = term; rest`, where the rest sees the variable. */
function withLet(
  site: TermSite,
  bound: Type,
  env: Env,
  fuel: number,
  rest: (v: Var) => Expr,
): Expr {
  const v = variable(site.b.random.pick(['s', 't', 'f', 'r']), bound);
  return letIn(v, termOf(site, bound, env, fuel), rest(v));
}

const letForm: Form = (site, type, env, fuel) =>
  withLet(site, someType(site, 2), env, fuel, (v) => termOf(site, type, [...env, v], fuel));

const ifForm: Form = (site, type, env, fuel) =>
  ifElse(
    termOf(site, scalarType('bool'), env, fuel),
    termOf(site, type, env, fuel),
    termOf(site, type, env, fuel),
  );

/** A field of a tuple: of a literal, or of one that is bound. */
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
          f.typeAnnotation.params.map((param) => termOf(site, param, env, fuel)),
        )
      : undefined;
  }
  const param = someType(site, 1);
  const f = lambda(site, funcType([param], type), env, fuel);
  return call(f, [termOf(site, param, env, fuel)]);
};

/** A function that gives a function, called twice. */
const curriedForm: Form = (site, type, env, fuel) => {
  const [first, second] = [someType(site, 1), someType(site, 1)];
  const curried = funcType([first], funcType([second], type));
  return withLet(site, curried, env, fuel, (f) =>
    call(call(f, [termOf(site, first, env, fuel)]), [termOf(site, second, env, fuel)]),
  );
};

/** What a reference holds: one that is in scope, or a new one. */
const readForm: Form = (site, type, env, fuel) => {
  const wanted = refType(type);
  const known = variableOf(site, wanted, env);
  return refRead(known ?? termOf(site, wanted, env, fuel));
};

/** A write to a reference, and then something that may read it. */
const writeForm: Form = (site, type, env, fuel) => {
  const { random } = site.b;
  const refs = env.filter((v) => v.typeAnnotation?._tag === 'RefType');
  const write = (ref: Var, scope: Env): Expr => {
    const { value } = ref.typeAnnotation as RefType;
    const written = refWrite(ref, termOf(site, value, scope, fuel));
    return letIn(variable('', tupleType([])), written, termOf(site, type, scope, fuel));
  };
  if (refs.length > 0 && random.chance(0.8)) return write(random.pick(refs), env);
  const held = random.chance(0.6) ? type : someType(site, 1);
  return withLet(site, refType(held), env, fuel, (ref) => write(ref, [...env, ref]));
};

/** A value taken apart by cases; all of them are there. */
const matchForm: Form = (site, type, env, fuel) => {
  const { random } = site.b;
  const all = [
    ...site.dataTypes,
    ...(site.library ? [site.library.list, site.library.option] : []),
  ];
  if (all.length === 0) return undefined;
  const chosen = random.pick(all);
  const scrutinee = dataTypeOf(
    chosen,
    chosen.data.typeVars.map(() => someType(site, 1)),
  );
  return withLet(site, scrutinee, env, fuel, (v) => {
    const scope = [...env, v];
    const clauses = random.shuffle(chosen.constructors).flatMap((ctor): Clause[] => {
      const inputs = inputsOf(chosen, ctor, scrutinee);
      const clauseOf = (isDeep: boolean): Clause => {
        const bound: Var[] = [];
        const patterns = inputs.map((input) => patternFor(site, input, bound, isDeep));
        const pattern: Pattern = {
          _tag: 'PatternConstructor',
          ctor,
          patterns,
          span: undefined,
        };
        return clause(pattern, termOf(site, type, [...scope, ...bound], fuel));
      };
      // A deeper pattern may fail; the one behind it does not.
      return random.chance(0.25) ? [clauseOf(true), clauseOf(false)] : [clauseOf(false)];
    });
    return match(v, withCatchAll(site, clauses, type, scope, fuel), random.chance(0.85));
  });
};

/** The last clauses as one for everything, now and then. */
function withCatchAll(
  site: TermSite,
  clauses: ReadonlyArray<Clause>,
  type: Type,
  env: Env,
  fuel: number,
): ReadonlyArray<Clause> {
  const { random } = site.b;
  if (!random.chance(0.2)) return clauses;
  const rest = clause({ _tag: 'PatternWildcard', span: undefined }, termOf(site, type, env, fuel));
  return [...clauses.slice(0, random.int(0, clauses.length)), rest];
}

/** A pattern that matches every value of the type; a deep one may ask for a constructor. */
function patternFor(site: TermSite, type: Type, bound: Var[], isDeep: boolean): Pattern {
  const { random } = site.b;
  const variablePattern = (of: Type): Pattern => {
    if (random.chance(0.15)) return { _tag: 'PatternWildcard', span: undefined };
    const v = variable(random.pick(['h', 'k', 'm']), of);
    bound.push(v);
    return { _tag: 'PatternVar', variable: v, span: undefined };
  };
  if (isDeep && type._tag === 'TypeCall') {
    const chosen = dataTypeNamed(site, type);
    const ctor = random.pick(chosen.constructors);
    const patterns = inputsOf(chosen, ctor, type).map(variablePattern);
    return { _tag: 'PatternConstructor', ctor, patterns, span: undefined };
  }
  if (type._tag === 'TupleType' && type.fields.length > 0 && random.chance(0.5)) {
    return { _tag: 'PatternTuple', patterns: type.fields.map(variablePattern), span: undefined };
  }
  return variablePattern(type);
}

/** A local function that calls itself a few times, with an argument that counts down. */
const loopForm: Form = (site, type, env, fuel) => {
  const { b } = site;
  if (!['less', 'subtract'].every(b.allows)) return undefined;
  const int = scalarType('int32');
  const n = variable('n', int);
  const state = variable('acc', type);
  const loop = variable('loop', funcType([int, type], type));
  const number = (value: number): Expr => b.constant([value], [], 'int32').expr;
  // The state changes before the next round or after it: then no call is the last thing done.
  const isTail = b.random.chance(0.7);
  const changed = (of: Var): Expr => termOf(site, type, [...env, n, of], Math.min(fuel, 1));
  const next = (argument: Expr): Expr =>
    call(loop, [callOp(b.ops, 'subtract', [n, number(1)]), argument]);
  const result = variable('acc', type);
  const round = isTail ? next(changed(state)) : letIn(result, next(state), changed(result));
  const done = callOp(b.ops, 'less', [n, number(1)]);
  const body = ifElse(done, state, round);
  const f = func([n, state], body, { retType: type });
  const rounds = number(b.random.int(0, 3));
  return letIn(loop, f, call(loop, [rounds, termOf(site, type, env, fuel)]));
};

/** A local function for any type, used at two of them. */
const polymorphicForm: Form = (site, type, env, fuel) => {
  const { random } = site.b;
  const [a, c] = [typeVar('A'), typeVar('B')];
  const [x, y] = [variable('x', a), variable('y', c)];
  const isFirst = random.chance(0.5);
  const [result, resultType] = isFirst ? [x, a] : [y, c];
  const f = func([x, y], result, { typeParams: [a, c], retType: resultType });
  const v = variable('f', funcType([a, c], resultType, [a, c]));
  const other = someType(site, 1);
  // The other argument is bound with its type: the result does not tell it.
  return withLet(site, other, env, fuel, (o) => {
    const scope = [...env, o];
    const again = call(v, isFirst ? [o, o] : [o, o]);
    const chosen = termOf(site, type, scope, fuel);
    const main = call(v, isFirst ? [chosen, again] : [again, chosen]);
    return letIn(v, f, main);
  });
};

/** A function of the library: over lists, or over functions. */
const libraryForm: Form = (site, type, env, fuel) => {
  const { library, b } = site;
  if (library === undefined) return undefined;
  const { random } = b;
  const element = someType(site, 1);
  const listOf = (of: Type): TypeCall => dataTypeOf(library.list, [of]);
  const given = (of: Type, rest: (v: Var) => Expr): Expr => withLet(site, of, env, fuel, rest);
  const named = (name: string, args: ReadonlyArray<Expr>): Expr => call(globalVar(name), args);
  const kind = random.int(0, 6);
  if (kind === 0) return named('id', [termOf(site, type, env, fuel)]);
  if (kind === 1) {
    return given(funcType([type, element], type), (f) =>
      given(listOf(element), (list) =>
        named(random.pick(['foldl']), [f, termOf(site, type, env, fuel), list]),
      ),
    );
  }
  if (kind === 2) {
    return given(funcType([element, type], type), (f) =>
      given(listOf(element), (list) => named('foldr', [f, termOf(site, type, env, fuel), list])),
    );
  }
  if (kind === 3) {
    return given(funcType([element], type), (f) =>
      given(funcType([type], element), (g) =>
        call(named('compose', [f, g]), [termOf(site, type, env, fuel)]),
      ),
    );
  }
  if (kind === 4) {
    const rounds = b.constant([random.int(0, 3)], [], 'int32').expr;
    return given(funcType([type], type), (f) =>
      call(named('iterate', [f, rounds]), [termOf(site, type, env, fuel)]),
    );
  }
  if (type._tag === 'TypeCall' && type.func === library.list.data.header) {
    return given(type, (list) => {
      const name = random.pick(['rev', 'concat', 'filter']);
      if (name === 'rev') return named(name, [list]);
      if (name === 'concat') return named(name, [list, termOf(site, type, env, fuel)]);
      const of = type.args[0]?.kind === 'Type' ? type.args[0].value : element;
      return given(funcType([of], scalarType('bool')), (f) => named('filter', [f, list]));
    });
  }
  return undefined;
};

const ELIMINATIONS: ReadonlyArray<readonly [weight: number, form: Form]> = [
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
];
