/**
 * Gradients in programs: each call of the operator `gradient` becomes the function that it stands
 * for. [language §4](https://batonjs.github.io/baton/spec/language#4).
 */
import { type Diagnostic, fail, isLeft, type Result, right } from '@baton/base';
import {
  type Call,
  type Expr,
  type Func,
  funcType,
  type GlobalVar,
  type IRModule,
  inferTypes,
  isTotal,
  mapChildren,
  namedGlobals,
  postOrderExprs,
  rewriteExpr,
  substitute,
  type Type,
  type TypeArg,
  tupleType,
  typeArgsOf,
  typeOf,
  type Var,
  withFunctions,
} from '@baton/ir';
import { isCallOf, type OpCall } from '@baton/ops';
import { circularGradient, openTypeParameter, unknownFunction } from './diagnostics.ts';
import { firstOrderGradient, straightLineGradient } from './first-order.ts';
import { type HigherOrder, higherOrder } from './higher-order.ts';

/** The operator whose calls are gradients. */
const MARKER = 'gradient';

const isMarker = (node: Expr): node is OpCall => isCallOf(node, MARKER);

export const hasGradients = (m: IRModule): boolean =>
  [...m.functions.values()].some((f) => postOrderExprs([f]).some(isMarker));

/**
 * The module with each gradient as the function that it stands for, the innermost first; the same
 * object if there is none. What they call is added to the module.
 *
 * **Errors** of `inferTypes`; `GRADIENT_FUNCTION`, `GRADIENT_CIRCULAR`, `GRADIENT_POLYMORPHIC`,
 * `GRADIENT_CONSTRUCT`, `GRADIENT_PARAMETER`, `GRADIENT_RESULT`, `GRADIENT_MISSING`,
 * `GRADIENT_UNKNOWN_SIZE`.
 * **Complexity** linear in the functions and in what they become, for each level of nesting.
 */
export const expandGradients = (
  m: IRModule,
  onExpanded: (mode: unknown) => void = () => {},
): Result<IRModule> => expanded(m, { onExpanded, asGraphs: false });

/**
 * Like {@link expandGradients}, for a program that is run or exported: the gradient of a function
 * without effects, control flow and calls of functions becomes a graph in either mode. Graphs are
 * compiled; references and the closures that write to them are not.
 *
 * **Errors** of {@link expandGradients}.
 */
export const gradientsAsGraphs = (
  m: IRModule,
  onExpanded: (mode: unknown) => void = () => {},
): Result<IRModule> => expanded(m, { onExpanded, asGraphs: true });

interface Expanding {
  readonly onExpanded: (mode: unknown) => void;
  readonly asGraphs: boolean;
}

function expanded(m: IRModule, how: Expanding): Result<IRModule> {
  let current = m;
  while (hasGradients(current)) {
    const typed = inferTypes(current);
    if (isLeft(typed)) return typed;
    const next = expandInnermost(typed.right, how);
    if (isLeft(next)) return next;
    current = next.right;
  }
  return right(current);
}

function expandInnermost(m: IRModule, how: Expanding): Result<IRModule> {
  const waiting = functionsWithGradients(m);
  const session = higherOrder(m);
  const functions = new Map<string, Func>();
  const problems: Diagnostic[] = [];
  const held: OpCall[] = [];
  for (const [name, f] of m.functions) {
    const one = new Expansion(m, f, waiting, session, how);
    const body = one.run();
    problems.push(...one.problems);
    held.push(...one.held);
    if (body !== f) functions.set(name, body);
  }
  const [first, ...rest] = problems;
  if (first !== undefined) return fail(first, ...rest);
  if (functions.size === 0) return fail(circularGradient(held[0]?.span));
  const made = session.module();
  return right(withFunctions(made, new Map([...made.functions, ...functions])));
}

function functionsWithGradients(m: IRModule): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  const found: string[] = [];
  for (const [name, f] of m.functions) {
    if (postOrderExprs([f]).some(isMarker)) found.push(name);
    for (const used of namedGlobals(f)) users.set(used, [...(users.get(used) ?? []), name]);
  }
  const all = new Set(found);
  for (let next = found.pop(); next !== undefined; next = found.pop()) {
    for (const user of users.get(next) ?? []) {
      if (all.has(user)) continue;
      all.add(user);
      found.push(user);
    }
  }
  return all;
}

/** The gradients of one function whose own functions have none. */
class Expansion {
  readonly problems: Diagnostic[] = [];
  /** The gradients to expand after others. */
  readonly held: OpCall[] = [];
  readonly #m: IRModule;
  readonly #f: Func;
  readonly #waiting: ReadonlySet<string>;
  readonly #session: HigherOrder;
  readonly #how: Expanding;
  readonly #bound = new Map<Var, Expr>();
  /** The gradients that are graphs. */
  readonly #straight = new Set<Expr>();

  constructor(
    m: IRModule,
    f: Func,
    waiting: ReadonlySet<string>,
    session: HigherOrder,
    how: Expanding,
  ) {
    this.#how = how;
    this.#m = m;
    this.#f = f;
    this.#waiting = waiting;
    this.#session = session;
    for (const node of postOrderExprs([f])) {
      if (node._tag === 'Let') this.#bound.set(node.variable, node.value);
    }
  }

  /** The function with the gradients that can be made; itself if there are none. */
  run(): Func {
    const nodes = postOrderExprs([this.#f.body]);
    const called = new Set(nodes.flatMap((node) => (node._tag === 'Call' ? [node.op] : [])));
    const body = rewriteExpr(this.#f.body, (node, get) => {
      // A call tells the type arguments of the gradient that it calls.
      if (node._tag === 'Call' && isMarker(node.op) && isPolymorphic(this.#m, node.op)) {
        const marker = node.op;
        const made = this.#expanded(marker, typeArgsOf(this.#m, node) ?? [], this.#typeAt(node));
        if (made === undefined) return undefined;
        return mapChildren(node, (part) => (part === marker ? made : get(part)));
      }
      if (node._tag === 'Call' && isMarker(node.op)) return this.#inlined(node, get);
      if (!isMarker(node) || (called.has(node) && isPolymorphic(this.#m, node))) return undefined;
      return this.#expanded(node, [], typeOf(this.#m, node) ?? tupleType([]));
    });
    return mapChildren(this.#f, () => body) as Func;
  }

  /** A call of a straight-line gradient as the graph that the gradient is. */
  #inlined({ op, args }: Call, get: (node: Expr) => Expr): Expr | undefined {
    const callee = get(op);
    if (callee._tag !== 'Function' || !this.#straight.has(callee)) return undefined;
    // What an argument does besides its value must be done, even if the gradient does not read it.
    if (!args.every((arg) => isTotal(this.#m, arg))) return undefined;
    const values = callee.params.map((param, i) => [param, get(args[i] ?? param)] as const);
    return substitute(callee.body, new Map(values));
  }

  #typeAt(node: Call): Type {
    const params = node.args.map((arg) => typeOf(this.#m, arg));
    const known = params.filter((type) => type !== undefined);
    if (known.length < params.length) return tupleType([]);
    return funcType(known, typeOf(this.#m, node) ?? tupleType([]));
  }

  #expanded(marker: OpCall, typeArgs: ReadonlyArray<TypeArg>, type: Type): Expr | undefined {
    const value = this.#resolved(marker);
    const f = value?._tag === 'GlobalVar' ? this.#m.functions.get(value.nameHint) : value;
    if (value === undefined || f === undefined) {
      this.problems.push(unknownFunction(marker.span));
      return undefined;
    }
    if (this.#waits(f)) {
      this.held.push(marker);
      return undefined;
    }
    const missing = f.typeParams.find((_, i) => typeArgs[i] === undefined);
    if (missing !== undefined || type._tag !== 'FuncType') {
      this.problems.push(openTypeParameter(missing?.nameHint ?? '', marker.span));
      return undefined;
    }
    const isFirst = marker.attrs.mode === 'first_order';
    const isGraph = this.#how.asGraphs && !isFirst;
    const straight = isGraph ? straightLineGradient(this.#m, f) : undefined;
    if (straight !== undefined) {
      this.#how.onExpanded('first_order');
      this.#straight.add(straight);
      return straight;
    }
    const types = new Map(f.typeParams.map((v, i) => [v, typeArgs[i] as TypeArg] as const));
    const made = isFirst
      ? firstOrderGradient(this.#m, f)
      : this.#session.gradient({
          value,
          func: f,
          types,
          params: type.params,
          bound: this.#bound,
        });
    if (!isLeft(made)) {
      this.#how.onExpanded(marker.attrs.mode);
      return made.right;
    }
    this.problems.push(...made.left);
    return undefined;
  }

  /** Whether a function has gradients itself, or calls others that have. */
  #waits(f: Func): boolean {
    const seen = new Set<Expr>();
    const pending: Expr[] = [f];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const node of postOrderExprs([next], (part) => seen.has(part))) {
        seen.add(node);
        if (isMarker(node)) return true;
        if (node._tag === 'GlobalVar' && this.#waiting.has(node.nameHint)) return true;
        const value = node._tag === 'Var' ? this.#bound.get(node) : undefined;
        if (value?._tag === 'Function' && !seen.has(value)) pending.push(value);
      }
    }
    return false;
  }

  /** The function that the marker's argument is; through variables and globals. */
  #resolved(marker: OpCall): Func | GlobalVar | undefined {
    let value: Expr | undefined = marker.args[0];
    const seen = new Set<Expr>();
    while (value !== undefined && !seen.has(value)) {
      seen.add(value);
      if (value._tag === 'Function' || value._tag === 'GlobalVar') return value;
      if (value._tag === 'Var') value = this.#bound.get(value);
      else if (value._tag === 'Let') value = value.body;
      else if (value._tag === 'TupleGetItem' && value.tuple._tag === 'Tuple') {
        value = value.tuple.fields[value.index];
      } else if (value._tag === 'TupleGetItem' && value.tuple._tag === 'Var') {
        const bound = this.#bound.get(value.tuple);
        value = bound?._tag === 'Tuple' ? bound.fields[value.index] : undefined;
      } else return undefined;
    }
    return undefined;
  }
}

const isPolymorphic = (m: IRModule, marker: Call): boolean => {
  const type = typeOf(m, marker);
  return type?._tag === 'FuncType' && type.typeParams.length > 0;
};
