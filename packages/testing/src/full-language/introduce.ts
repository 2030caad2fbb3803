/** Expressions that make values of a type. */
import { InvariantError } from '@baton/base';
import {
  type Attrs,
  call,
  type Expr,
  type FuncType,
  func,
  noAttrs,
  refCreate,
  scalarType,
  type TensorType,
  type Type,
  type TypeCall,
  tuple,
  typeEqual,
  variable,
} from '@baton/ir';
import { callOp, staticTensor } from '@baton/ops';
import { isFloat } from '@baton/tensor';
import type { Builder } from '../generate/builder.ts';
import { type DataType, inputsOf } from './data-types.ts';
import { dataTypeNamed, type Env, type TermSite } from './site.ts';

/** The expression that makes the type's own values. */
export function introduced(site: TermSite, type: Type, env: Env, fuel: number): Expr {
  switch (type._tag) {
    case 'TupleType':
      return tuple(type.fields.map((field) => site.term(field, env, fuel - 1)));
    case 'RefType':
      return refCreate(site.term(type.value, env, fuel - 1));
    case 'FuncType':
      return lambda(site, type, env, fuel - 1);
    case 'TypeCall':
      return constructed(site, type, env, fuel);
    case 'TensorType':
      return tensorTerm(site, type, env, fuel);
    default:
      throw new InvariantError(`no term has the type ${type._tag}`);
  }
}

/** A function literal, with or without annotations on its parameters. */
export function lambda(site: TermSite, type: FuncType, env: Env, fuel: number): Expr {
  const params = type.params.map((param, i) => variable('uvw'[i] ?? 'z', param));
  const body = site.term(type.result, [...env, ...params], Math.max(fuel, 0));
  // Passes must not change a function with this attribute anywhere.
  const attrs: Attrs = site.b.random.chance(0.07) ? { SkipOptimization: 1 } : noAttrs;
  return func(params, body, { retType: type.result, attrs });
}

/** A constructor applied to terms; without fuel the first one, which ends. */
function constructed(site: TermSite, type: TypeCall, env: Env, fuel: number): Expr {
  const chosen = dataTypeNamed(site, type);
  const { random } = site.b;
  const ending = chosen.constructors.filter((c) => !isRecursive(chosen, c.inputs));
  const ctor = random.pick(fuel > 0 ? chosen.constructors : ending);
  const inputs = inputsOf(chosen, ctor, type);
  return call(
    ctor,
    inputs.map((input) => site.term(input, env, fuel - 1)),
  );
}

const isRecursive = ({ data }: DataType, inputs: ReadonlyArray<Type>): boolean =>
  inputs.some((input) => input._tag === 'TypeCall' && input.func === data.header);

/** A tensor: a value of the program, a constant, or an operator on terms of the same type. */
function tensorTerm(site: TermSite, type: TensorType, env: Env, fuel: number): Expr {
  const { b } = site;
  const { random } = b;
  const known = staticTensor(type);
  if (known === undefined) throw new InvariantError('terms are tensors of known shapes');
  const names = operatorsFor(b, known.dtype);
  const part = (): Expr => site.term(type, env, fuel - 1);
  if (fuel > 0 && names.length > 0 && random.chance(0.7)) {
    const name = random.pick(names);
    const isUnary = b.ops.get(name)?.inputs.length === 1;
    return callOp(b.ops, name, isUnary ? [part()] : [part(), part()]);
  }
  if (known.dtype === 'bool' && fuel > 0 && known.shape.length === 0 && b.allows('less')) {
    const scalar = scalarType(random.chance(0.5) ? b.float : 'int32');
    const [left, right] = [0, 1].map(() => site.term(scalar, env, fuel - 1));
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
