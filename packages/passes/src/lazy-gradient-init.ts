/**
 * LazyGradientInit: zeros and ones are not computed until they are needed.
 * [passes §25](https://batonjs.github.io/baton/spec/passes#25).
 */
import { mapTensors } from '@baton/autodiff';
import { invariant, isLeft, memoFold, type Result, remember, right } from '@baton/base';
import {
  type Call,
  call,
  children,
  copyFunction,
  type Expr,
  type Func,
  func,
  globalVar,
  type IRModule,
  ifElse,
  letIn,
  mapParts,
  postOrderExprs,
  rewriteExpr,
  type Type,
  type TypeArg,
  type TypeParts,
  typeCall,
  typeChildren,
  typeEqual,
  typeOf,
  type Var,
  variable,
  withFunctions,
  withTypeParts,
} from '@baton/ir';
import { cellColumn, isOpCall, type OpCall } from '@baton/ops';
import { type Count, inferType, isOpaque, type Pass, pass } from '@baton/pass-manager';
import { importStd } from '@baton/text';

const COUNTERS = ['function', 'sum', 'product', 'zeros', 'ones', 'other operator'] as const;
type Counter = (typeof COUNTERS)[number];

/** The file of the library with cells. */
const LIBRARY = 'gradient.rly';

/**
 * Writes the tensors of a function as cells, which hold a tensor, or the promise of zeros or ones:
 *
 * ```
 * add(multiply(%x, %y), zeros_like(%x))
 * =>
 * @FromGradCell(@AddGradCell(fn .., @MultiplyGradCell(fn .., Raw(%x), Raw(%y)), Zero(fn () { .. })))
 * ```
 *
 * Sums and products of cells leave zeros and ones out. Parameters and results stay tensors. A
 * function with data types, matches or type parameters of its own stays.
 *
 * **Errors** `IMPORT_CLASH` if the module has other definitions of the names of `gradient.rly`.
 * **Complexity** linear in the function.
 */
export const lazyGradientInit: Pass = pass({
  name: 'LazyGradientInit',
  doc: 'Creates zeros and ones only if they are needed.',
  subject: 'algebra',
  level: 2,
  requires: [inferType],
  // 0 · ∞ and 0 · NaN become 0, −0 + 0 stays −0.
  needs: ['nsz', 'nnan', 'ninf'],
  counters: COUNTERS,
  run: (m, { count }) => withCells(m, count),
});

function withCells(m: IRModule, count: Count<Counter>): Result<IRModule> {
  const found = [...m.functions].filter(([, f]) => !isOpaque(f) && isEligible(f, m));
  if (found.length === 0) return right(m);
  const imported = importStd(m, LIBRARY);
  if (isLeft(imported)) return imported;
  const functions = new Map(imported.right.functions);
  for (const [name, f] of found) {
    count('function');
    functions.set(name, new Cells(imported.right, m, count).of(f));
  }
  return right(withFunctions(imported.right, functions));
}

/** Whether the function has only constructs whose tensors can be cells, and some operator. */
function isEligible(f: Func, m: IRModule): boolean {
  if (f.typeParams.length > 0) return false;
  const nodes = postOrderExprs([f.body]);
  const types = [...f.params, f.body].map((node) => typeOf(m, node));
  const isPlain = types.every((type) => type !== undefined && isTensors(type));
  return isPlain && nodes.some(isOpCall) && nodes.every((node) => mayHoldCells(node, m));
}

function mayHoldCells(node: Expr, m: IRModule): boolean {
  switch (node._tag) {
    case 'Match':
    case 'Constructor':
    case 'TempExpr':
      return false;
    case 'Function':
      return node.typeParams.length === 0 && !isName(node.body);
    case 'Call': {
      if (node.args.some(isName) || typeOf(m, node) === undefined) return false;
      if (node.op._tag !== 'GlobalVar') return true;
      const callee = typeOf(m, node.op);
      const types = [...node.args, node].map((part) => typeOf(m, part));
      const isPlain = types.every((type) => type !== undefined && isTensors(type));
      return isPlain && callee?._tag === 'FuncType';
    }
    default:
      return node._tag === 'Op' || !children(node).some(isName);
  }
}

/** Whether a node is the name of a function, which as a value keeps its type. */
const isName = ({ _tag }: Expr): boolean => _tag === 'GlobalVar' || _tag === 'Op';

function isTensors(type: Type): boolean {
  const pending = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next._tag === 'TupleType') pending.push(...next.fields);
    else if (next._tag !== 'TensorType') return false;
  }
  return true;
}

class Cells {
  readonly #library: IRModule;
  readonly #m: IRModule;
  readonly #count: Count<Counter>;
  readonly #types: TypeParts;
  readonly #variables = new Map<Var, Var>();

  constructor(library: IRModule, m: IRModule, count: Count<Counter>) {
    this.#library = library;
    this.#m = m;
    this.#count = count;
    this.#types = cellTypes(library);
  }

  /** The function that makes cells of its parameters, and tensors of the cells of its result. */
  of(f: Func): Func {
    const params = f.params.map((v) => variable(v.nameHint, typeOf(this.#m, v), v.span));
    const body = rewriteExpr(f.body, (node, get) => this.#step(node, get));
    const bound = f.params.reduceRight<Expr>(
      (rest, v, i) => letIn(this.#binder(v), this.#raw(params[i] ?? v, v), rest, f.span),
      this.#tensors(body, f.body),
    );
    const retType = typeOf(this.#m, f.body);
    return copyFunction(func(params, bound, { ...f, retType }));
  }

  #step(node: Expr, get: (part: Expr) => Expr): Expr {
    switch (node._tag) {
      case 'Var':
        return this.#binder(node);
      case 'Constant':
        return this.#raw(node, node);
      case 'Op':
      case 'GlobalVar':
        return node;
      case 'If': {
        const cond = this.#tensors(get(node.cond), node.cond);
        return ifElse(cond, get(node.trueBranch), get(node.falseBranch), node.span);
      }
      case 'Call':
        if (isOpCall(node)) return this.#operator(node, get);
        return node.op._tag === 'GlobalVar' ? this.#onTensors(node, get) : this.#same(node, get);
      default:
        return this.#same(node, get);
    }
  }

  #same(node: Expr, get: (part: Expr) => Expr): Expr {
    const binder = (v: Var): Var => this.#binder(v);
    return mapParts(node, { child: get, binder, types: this.#types, isCopy: true });
  }

  #binder(v: Var): Var {
    return remember(this.#variables, v, () => {
      const type = typeOf(this.#m, v);
      return variable(v.nameHint, type && this.#types.type(type), v.span);
    });
  }

  #operator(node: OpCall, get: (part: Expr) => Expr): Expr {
    const role = this.#m.ops.read(cellColumn, node.op.name);
    const type = this.#typeOf(node);
    const alike = node.args.every((arg) => typeEqual(this.#typeOf(arg), type));
    if ((role === 'zeros' || role === 'ones') && type._tag === 'TensorType') {
      this.#count(role);
      return this.#promised(role, node, type, get);
    }
    if ((role === 'sum' || role === 'product') && alike) {
      this.#count(role);
      const [l, r] = [variable('l', type), variable('r', type)];
      const rule = func([l, r], call(node.op, [l, r], node), { retType: type, span: node.span });
      const name = role === 'sum' ? 'AddGradCell' : 'MultiplyGradCell';
      return call(globalVar(name, node.span), [rule, ...node.args.map(get)], { span: node.span });
    }
    this.#count('other operator');
    return this.#onTensors(node, get);
  }

  /** Zeros or ones as a promise. Its arguments are evaluated here, with their effects. */
  #promised(role: 'zeros' | 'ones', node: OpCall, type: Type, get: (part: Expr) => Expr): Expr {
    const held = node.args.map((arg) => variable('like', this.#types.type(this.#typeOf(arg))));
    const args = node.args.map((arg, i) => this.#tensors(held[i] ?? arg, arg));
    const promise = func([], call(node.op, args, node), { retType: type, span: node.span });
    const cell = this.#made(role === 'zeros' ? 'Zero' : 'One', promise);
    return node.args.reduceRight<Expr>((rest, arg, i) => {
      const v = held[i];
      return v === undefined ? rest : letIn(v, get(arg), rest, node.span);
    }, cell);
  }

  /** A call on the tensors of its arguments; its result becomes cells. */
  #onTensors(node: Call, get: (part: Expr) => Expr): Expr {
    const args = node.args.map((arg) => this.#tensors(get(arg), arg));
    const result = call(node.op, args, node);
    const type = this.#typeOf(node);
    if (type._tag === 'TensorType') return this.#made('Raw', result);
    const whole = variable('result', type, node.span);
    return letIn(whole, result, this.#raw(whole, node), node.span);
  }

  #typeOf(node: Expr): Type {
    const type = typeOf(this.#m, node);
    invariant(type !== undefined, 'a node of an eligible function has a type');
    return type;
  }

  /** Cells of tensors. */
  #raw(value: Expr, node: Expr): Expr {
    return mapTensors(value, this.#typeOf(node), (tensor) => this.#made('Raw', tensor));
  }

  #tensors(cells: Expr, node: Expr): Expr {
    return mapTensors(cells, this.#typeOf(node), (cell) =>
      call(globalVar('FromGradCell', node.span), [cell], { span: node.span }),
    );
  }

  #made(name: 'Raw' | 'Zero' | 'One', value: Expr): Expr {
    const ctor = this.#library.constructors.get(name);
    invariant(ctor !== undefined, 'the library has the constructors of cells');
    return call(ctor, [value], { span: value.span });
  }
}

const stays = <A>(part: A): A => part;

/** Types in which tensors are cells. */
function cellTypes(library: IRModule): TypeParts {
  const header = library.typeDefinitions.get('GradCell')?.header;
  invariant(header !== undefined, 'the library has cells');
  const type = memoFold<Type, Type>(typeChildren, (old, get) => {
    if (old._tag !== 'TensorType') {
      return withTypeParts(old, { type: get, shape: stays, dtype: stays, dim: stays });
    }
    const arg: TypeArg = { _tag: 'TypeArg', kind: 'Type', value: old };
    return typeCall(header, [arg]);
  });
  return { type, shape: stays, dtype: stays, dim: stays };
}
