/** The backward sweep through a graph of calls, and the gradients of one call. */
import { type Diagnostic, invariant, isLeft, type Result, remember, right } from '@baton/base';
import {
  type Expr,
  type IRModule,
  postOrderExprs,
  substitute,
  type Type,
  tuple,
  typeOf,
  variable,
} from '@baton/ir';
import {
  type CallFacts,
  callOp,
  definitionOf,
  fieldOf,
  type Gradients,
  gradientsOf,
  hasFloats,
  isOpCall,
  type OpCall,
} from '@baton/ops';
import { sumOf, zerosOf } from './tensors.ts';

/**
 * The gradients of a call's arguments from the gradient `g` of its `result`. If the operator has none of
 * its own, they are those of its definition, which the forward run does not compute.
 *
 * **Errors** `GRADIENT_MISSING`, `GRADIENT_UNKNOWN_SIZE`.
 */
export const callGradients = (
  m: IRModule,
  called: CallFacts,
  result: Expr,
  g: Expr,
): Result<Gradients> =>
  gradientsOf(m.ops, called, { result, g }, () => definitionGradients(m, called, g));

function definitionGradients(
  m: IRModule,
  called: CallFacts,
  g: Expr,
): Result<Gradients> | undefined {
  const params = called.types.map((type, i) => variable(`a${i}`, type, called.span));
  const definition = definitionOf(m.ops, { ...called, args: params });
  if (definition === undefined || isLeft(definition)) return definition;
  const seed = variable('g', called.type, called.span);
  const back = new Backward(m, postOrderExprs([definition.right]), params);
  back.seedWith(definition.right, seed);
  const problem = back.run();
  if (problem !== undefined) return { _tag: 'Left', left: problem };
  const found = params.map((v, i) => back.gradientFor(v, called.types[i] as Type));
  const known = found.filter((each) => each !== undefined);
  const values = new Map<Expr, Expr>([[seed, g]]);
  for (const [i, v] of params.entries()) values.set(v, called.args[i] ?? v);
  const whole = substitute(tuple(known), values);
  invariant(whole._tag === 'Tuple', 'a tuple stays one');
  const fields = [...whole.fields];
  return right(found.map((each) => (each === undefined ? undefined : fields.shift())));
}

/** The contributions to the gradient of one node: of its type, or of a field of it. */
interface Contributions {
  readonly whole: Expr[];
  readonly fields: Map<number, Expr[]>;
}

export class Backward {
  readonly #m: IRModule;
  readonly #order: ReadonlyArray<Expr>;
  /** The nodes that depend on a parameter and hold floats. */
  readonly #active = new Set<Expr>();
  readonly #found = new Map<Expr, Contributions>();

  constructor(m: IRModule, order: ReadonlyArray<Expr>, params: ReadonlyArray<Expr>) {
    this.#m = m;
    this.#order = order;
    const varying = new Set(params);
    for (const node of order) {
      if (partsOf(node).some((part) => varying.has(part))) varying.add(node);
      if (varying.has(node) && hasFloats(typeOf(m, node))) this.#active.add(node);
    }
  }

  seedWith(node: Expr, gradient: Expr): void {
    this.#add(node, gradient);
  }

  gradientFor(node: Expr, type: Type): Expr | undefined {
    return this.#found.has(node) && this.#active.has(node) ? this.totalOf(node, type) : undefined;
  }

  /** Begins with ones for the first tensor of the result. */
  seed(body: Expr, type: Type): void {
    const path: Expr[] = [body];
    for (let of: Type = type; of._tag === 'TupleType'; ) {
      const [field] = of.fields;
      const last = path[path.length - 1];
      if (field === undefined || last === undefined) return;
      path.push(fieldOf(last, 0));
      of = field;
    }
    const last = path[path.length - 1] ?? body;
    this.#add(last, callOp(this.#m.ops, 'ones_like', [last], {}, body.span));
    const isListed = new Set(this.#order);
    for (const field of path.reverse()) {
      if (field._tag !== 'TupleGetItem' || isListed.has(field)) break;
      if (this.#active.has(body)) this.#active.add(field);
      this.#passFields(field);
    }
  }

  /** Visits each node after its users. */
  run(): readonly [Diagnostic, ...Diagnostic[]] | undefined {
    for (const node of [...this.#order].reverse()) {
      if (!this.#found.has(node) || !this.#active.has(node)) continue;
      if (node._tag === 'Tuple') this.#intoFields(node);
      if (node._tag === 'TupleGetItem') this.#passFields(node);
      if (!isOpCall(node)) continue;
      const problem = this.#throughCall(node);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  totalOf(node: Expr, type: Type): Expr {
    const { ops } = this.#m;
    const found = this.#found.get(node);
    if (found === undefined || !this.#active.has(node)) return zerosOf(ops, node, type);
    const { whole, fields } = found;
    if (type._tag !== 'TupleType' || fields.size === 0) {
      const [first, ...rest] = whole;
      return first === undefined ? zerosOf(ops, node, type) : sumOf(ops, [first, ...rest], type);
    }
    return tuple(
      type.fields.map((field, i) => {
        const [first, ...rest] = this.#ofField(found, i);
        if (first === undefined) return zerosOf(ops, fieldOf(node, i), field);
        return sumOf(ops, [first, ...rest], field);
      }),
    );
  }

  #ofField({ whole, fields }: Contributions, i: number): ReadonlyArray<Expr> {
    return [...(fields.get(i) ?? []), ...whole.map((one) => fieldOf(one, i))];
  }

  #add(node: Expr, gradient: Expr): void {
    this.#of(node).whole.push(gradient);
  }

  #of(node: Expr): Contributions {
    return remember(this.#found, node, () => ({ whole: [], fields: new Map() }));
  }

  #intoFields(node: Extract<Expr, { _tag: 'Tuple' }>): void {
    const found = this.#of(node);
    for (const [i, field] of node.fields.entries()) {
      for (const part of this.#ofField(found, i)) this.#add(field, part);
    }
  }

  #passFields(node: Extract<Expr, { _tag: 'TupleGetItem' }>): void {
    const type = typeOf(this.#m, node);
    invariant(type !== undefined, 'a typed field has a type');
    const total = this.totalOf(node, type);
    remember(this.#of(node.tuple).fields, node.index, () => []).push(total);
  }

  #throughCall(node: OpCall): readonly [Diagnostic, ...Diagnostic[]] | undefined {
    const type = typeOf(this.#m, node);
    const types = node.args.map((arg) => typeOf(this.#m, arg));
    const known = types.filter((each) => each !== undefined);
    invariant(type !== undefined && known.length === types.length, 'a typed call has types');
    const called = {
      name: node.op.name,
      attrs: node.attrs,
      args: node.args,
      types: known,
      type,
      span: node.span,
    };
    const gradients = callGradients(this.#m, called, node, this.totalOf(node, type));
    if (isLeft(gradients)) return gradients.left;
    gradients.right.forEach((gradient, i) => {
      const arg = node.args[i];
      if (gradient !== undefined && arg !== undefined) this.#add(arg, gradient);
    });
    return undefined;
  }
}

const partsOf = (node: Expr): ReadonlyArray<Expr> => {
  if (node._tag === 'Tuple') return node.fields;
  if (node._tag === 'TupleGetItem') return [node.tuple];
  return node._tag === 'Call' ? node.args : [];
};
