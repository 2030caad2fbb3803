/**
 * Reversed functions: each operator also records how its gradient flows back.
 * [passes §14](https://batonjs.github.io/baton/spec/passes#14); Pearlmutter and Siskind,
 * "Reverse-Mode AD in a Functional Framework" (2008).
 */
import {
  type Diagnostic,
  invariant,
  isLeft,
  remember,
  right,
  run,
  runSteps,
  type Steps,
} from '@baton/base';
import {
  type Call,
  type Constructor,
  call,
  children,
  clause,
  type Expr,
  type Func,
  func,
  funcType,
  type GlobalVar,
  type IRModule,
  ifElse,
  letIn,
  mapParts,
  match,
  type NodeScopes,
  nodeScopes,
  opensBlock,
  type Pattern,
  partSpan,
  refCreate,
  refRead,
  refWrite,
  rewriteExpr,
  type Scope,
  type Type,
  tuple,
  tupleType,
  typeOf,
  type Var,
  variable,
  withArgParts,
} from '@baton/ir';
import { callOp, fieldOf, isOpCall, type OpCall } from '@baton/ops';
import { type Active, activeIn } from './active.ts';
import { callGradients } from './backward.ts';
import { notCovered } from './diagnostics.ts';
import { BACK_TYPE, type ReverseTypes } from './reverse-types.ts';
import { mapTensors, tensorsOf } from './tensors.ts';

const UNIT = tupleType([]);

/** The surroundings of a reversed function. */
export interface Reversing {
  readonly m: IRModule;
  readonly types: ReverseTypes;
  readonly global: (at: GlobalVar) => Expr;
  readonly report: (problem: Diagnostic) => void;
}

/** A value with a reference for the gradient of each of its tensors. */
export const lifted = (m: IRModule, value: Expr, type: Type): Expr =>
  mapTensors(value, type, (tensor) =>
    tuple([tensor, refCreate(callOp(m.ops, 'zeros_like', [tensor]))]),
  );

export const primal = (value: Expr, type: Type): Expr =>
  mapTensors(value, type, (pair) => fieldOf(pair, 0));

/** The gradient that a value has now. */
export const gradientOf = (value: Expr, type: Type): Expr =>
  mapTensors(value, type, (pair) => refRead(fieldOf(pair, 1)));

/** The effects one after the other, then the result. */
export const inOrder = (effects: ReadonlyArray<Expr>, result: Expr): Expr =>
  effects.reduceRight((rest, effect) => letIn(variable('_', UNIT), effect, rest), result);

/** The variables of a reversed expression that it does not bind. */
export interface Outer {
  /** The back-propagator of the function around it. */
  readonly back: Var;
  readonly values: ReadonlyMap<Var, Expr>;
  /** Those among them whose gradients nothing reads. */
  readonly constants: ReadonlySet<Var>;
}

/**
 * An expression of the module reversed.
 *
 * Sharing is kept: a shared node is evaluated once, at its first demand, as before.
 */
export function reversed(root: Expr, outer: Outer, context: Reversing): Expr {
  const active = activeIn(context.m, root, outer.constants);
  const one = new Reversal(context, nodeScopes(root, opensBlock), outer, active);
  return rewriteExpr(root, (node, get) => one.of(node, get));
}

class Reversal {
  readonly #c: Reversing;
  readonly #scopes: NodeScopes;
  readonly #values: Map<Var, Expr>;
  readonly #active: Active;
  /** The back-propagators of functions, and of scopes. */
  readonly #backs = new Map<Expr, Var>();
  readonly #backOf = new Map<Scope, Var>();

  constructor(c: Reversing, scopes: NodeScopes, { back, values }: Outer, active: Active) {
    this.#c = c;
    this.#scopes = scopes;
    this.#values = new Map(values);
    this.#active = active;
    this.#backOf.set(scopes.root, back);
  }

  of(node: Expr, get: (part: Expr) => Expr): Expr {
    switch (node._tag) {
      case 'Var':
        return this.#variable(node);
      case 'Constant':
        return this.#lifted(node, node);
      case 'Constructor':
        return this.#c.types.ctor(node);
      case 'Op':
        return node;
      case 'GlobalVar':
        return this.#c.global(node);
      case 'Call':
        return isOpCall(node) ? this.#operator(node, get) : this.#call(node, get);
      case 'Function':
        return this.#function(node, get);
      case 'If': {
        const cond = fieldOf(get(node.cond), 0);
        return ifElse(cond, get(node.trueBranch), get(node.falseBranch), node.span);
      }
      case 'Match': {
        const clauses = node.clauses.map((each) => {
          const pattern = mapPattern(each.pattern, (v) => this.#binder(v), this.#c.types.ctor);
          return clause(pattern, this.#asValue(each.body, node, get));
        });
        return match(get(node.data), clauses, node.complete, node.span);
      }
      default:
        return this.#sameConstruct(node, get);
    }
  }

  /** A construct that is the same of reversed parts; a constructor as a value needs nothing else. */
  #sameConstruct(node: Expr, get: (part: Expr) => Expr): Expr {
    const child = (part: Expr): Expr => this.#asValue(part, node, get);
    return mapParts(node, {
      child,
      binder: (v) => this.#binder(v),
      types: this.#c.types,
      isCopy: true,
    });
  }

  /** A part as a value: operators and constructors take no back-propagator. */
  #asValue(part: Expr, node: Expr, get: (part: Expr) => Expr): Expr {
    if (part._tag !== 'Op' && part._tag !== 'Constructor') return get(part);
    const type = this.#type(part);
    const isPlain = part._tag === 'Constructor' && type?._tag !== 'FuncType';
    if (isPlain) return get(part);
    const at = partSpan(node, children(node).indexOf(part));
    const what = part._tag === 'Op' ? `operator \`${part.name}\`` : `constructor ${part.nameHint}`;
    this.#c.report(notCovered(`${what} as a value`, 'write a function literal that calls it', at));
    return part;
  }

  #variable(v: Var): Expr {
    return this.#values.get(v) ?? this.#binder(v);
  }

  #binder(v: Var): Var {
    const made = remember(this.#values, v, () => {
      const type = this.#type(v);
      return variable(v.nameHint, type && this.#c.types.type(type), v.span);
    });
    invariant(made._tag === 'Var', 'a binder is reversed to a variable');
    return made;
  }

  #type(node: Expr): Type | undefined {
    return typeOf(this.#c.m, node);
  }

  #lifted(value: Expr, node: Expr): Expr {
    const type = this.#type(node);
    invariant(type !== undefined, 'a constant has a type');
    return lifted(this.#c.m, value, type);
  }

  #function(f: Func, get: (part: Expr) => Expr): Func {
    const type = this.#type(f.body);
    const params = [...f.params.map((v) => this.#binder(v)), this.#backFor(f)];
    return func(params, this.#asValue(f.body, f, get), {
      ...(type === undefined ? {} : { retType: this.#c.types.type(type) }),
      typeParams: f.typeParams,
      span: f.span,
    });
  }

  #call(node: Call, get: (part: Expr) => Expr): Expr {
    const args = node.args.map((arg) => this.#asValue(arg, node, get));
    const { span } = node;
    const typeArgs = node.typeArgs.map((arg) => withArgParts(arg, this.#c.types));
    const back = node.op._tag === 'Constructor' ? [] : [this.#back(node)];
    return call(get(node.op), [...args, ...back], { typeArgs, span });
  }

  #operator(node: OpCall, get: (part: Expr) => Expr): Expr {
    const { m } = this.#c;
    const { span } = node;
    const types = node.args.map((arg) => this.#type(arg));
    const type = this.#type(node);
    const known = types.filter((each) => each !== undefined);
    invariant(type !== undefined && known.length === types.length, 'a typed call has types');
    const pairs = node.args.map((arg) => (arg._tag === 'Constant' ? undefined : get(arg)));
    const args = pairs.map((pair, i) =>
      pair === undefined ? (node.args[i] as Expr) : primal(pair, known[i] as Type),
    );
    const value = variable('v', type, span);
    const result = variable('r', this.#c.types.type(type), span);
    const called = { name: node.op.name, attrs: node.attrs, args, types: known, type, span };
    const gradient = variable('g', type, span);
    const gradients = this.#active.has(node)
      ? callGradients(m, called, value, gradient)
      : right([]);
    if (isLeft(gradients)) {
      for (const problem of gradients.left) this.#c.report(problem);
      return node;
    }
    const effects = gradients.right.flatMap((given, i) => {
      const [pair, arg] = [pairs[i], node.args[i]];
      if (given === undefined || pair === undefined) return [];
      if (arg === undefined || !this.#active.varies(arg)) return [];
      return this.#accumulated(pair, given, known[i] as Type);
    });
    const forward = call(node.op, args, { attrs: node.attrs, span });
    const lift = lifted(m, value, type);
    if (effects.length === 0) return letIn(value, forward, lift, span);
    const old = variable('old', funcType([], UNIT));
    const back = this.#back(node);
    const flow = letIn(gradient, gradientOf(result, type), inOrder(effects, call(old, [])));
    const recorded = letIn(
      old,
      refRead(back),
      inOrder([refWrite(back, func([], flow, { retType: UNIT, span }))], result),
    );
    return letIn(value, forward, letIn(result, lift, recorded), span);
  }

  /** The effects that add a gradient to what the tensors of a value have. */
  #accumulated(pair: Expr, gradient: Expr, type: Type): ReadonlyArray<Expr> {
    const { ops } = this.#c.m;
    const pairs = tensorsOf(type, pair, gradient);
    return pairs.flatMap(([own, given]) => {
      if (own === undefined || given === undefined) return [];
      const cell = fieldOf(own, 1);
      return [refWrite(cell, callOp(ops, 'add', [refRead(cell), given]))];
    });
  }

  /** The back-propagator of the function in which a node is evaluated. */
  #back(node: Expr): Var {
    const passed: Scope[] = [];
    let scope = this.#scopes.scopeOf(node) ?? this.#scopes.root;
    for (;;) {
      const known = this.#backOf.get(scope);
      const place = known === undefined ? this.#scopes.placeOf(scope) : undefined;
      if (known === undefined && place?.node._tag !== 'Function') {
        passed.push(scope);
        invariant(place !== undefined, 'only the root has no place');
        scope = this.#scopes.scopeOf(place.node) ?? this.#scopes.root;
        continue;
      }
      const back = known ?? this.#backFor(place?.node as Expr);
      for (const each of [...passed, scope]) this.#backOf.set(each, back);
      return back;
    }
  }

  #backFor(f: Expr): Var {
    return remember(this.#backs, f, () => variable('back', BACK_TYPE));
  }
}

/** Whether a type consists of tensors and tuples of them. */
export function isTensors(type: Type): boolean {
  const pending = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next._tag === 'TupleType') pending.push(...next.fields);
    else if (next._tag !== 'TensorType') return false;
  }
  return true;
}

/** A pattern with other variables and constructors. */
function mapPattern(
  root: Pattern,
  binder: (v: Var) => Var,
  ctorOf: (ctor: Constructor) => Constructor,
): Pattern {
  function* mapped(pattern: Pattern): Steps<Pattern> {
    if (pattern._tag === 'PatternVar') return { ...pattern, variable: binder(pattern.variable) };
    if (pattern._tag === 'PatternWildcard') return pattern;
    const patterns: Pattern[] = [];
    for (const part of pattern.patterns) patterns.push(yield* run(mapped(part)));
    if (pattern._tag === 'PatternTuple') return { ...pattern, patterns };
    return { ...pattern, ctor: ctorOf(pattern.ctor), patterns };
  }
  return runSteps(mapped(root));
}
