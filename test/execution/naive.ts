/**
 * The rules of evaluation as plainly as they can be said: a recursive evaluator of small programs
 * of integers, to compare the interpreter with. Each node has one value in each activation of the
 * innermost function around all its uses, computed at the first demand.
 */
import { binders, children, type Expr, type Func, postOrderExprs, type Var } from '@baton/ir';
import { readNumber } from '@baton/tensor';

type NaiveValue =
  | number
  | ReadonlyArray<NaiveValue>
  | { cell: NaiveValue }
  | { readonly func: Func; readonly frame: Frame }
  | { readonly tag: string; readonly fields: ReadonlyArray<NaiveValue> };

interface Frame {
  readonly func: Func;
  readonly parent: Frame | undefined;
  readonly values: Map<Expr, NaiveValue>;
}

/** The value of a function without parameters. Everything in it has integers of 32 bits. */
export function naiveValue(main: Func): NaiveValue {
  const homes = homesOf(main);
  const frameOf = (node: Expr, inner: Frame): Frame => {
    let at = inner;
    while (at.func !== homes.get(node) && at.parent !== undefined) at = at.parent;
    return at;
  };
  const bind = (variable: Var, value: NaiveValue, frame: Frame): void => {
    frameOf(variable, frame).values.set(variable, value);
  };
  const evaluate = (node: Expr, inner: Frame): NaiveValue => {
    const frame = frameOf(node, inner);
    const known = frame.values.get(node);
    if (known !== undefined) return known;
    const value = compute(node, frame);
    frame.values.set(node, value);
    return value;
  };
  const compute = (node: Expr, frame: Frame): NaiveValue => {
    const at = (child: Expr): NaiveValue => evaluate(child, frame);
    switch (node._tag) {
      case 'Constant':
        return readNumber(node.data, 0);
      case 'Tuple':
        return node.fields.map(at);
      case 'TupleGetItem':
        return (at(node.tuple) as ReadonlyArray<NaiveValue>)[node.index] as NaiveValue;
      case 'Function':
        return { func: node, frame };
      case 'Let':
        bind(node.variable, at(node.value), frame);
        return at(node.body);
      case 'If':
        return at(node.cond) !== 0 ? at(node.trueBranch) : at(node.falseBranch);
      case 'Match': {
        const value = at(node.data) as { tag: string; fields: ReadonlyArray<NaiveValue> };
        for (const { pattern, body } of node.clauses) {
          if (pattern._tag !== 'PatternConstructor') throw new Error('patterns are constructors');
          if (pattern.ctor.nameHint !== value.tag) continue;
          pattern.patterns.forEach((p, i) => {
            if (p._tag === 'PatternVar') bind(p.variable, value.fields[i] as NaiveValue, frame);
          });
          return at(body);
        }
        throw new Error('no clause fits');
      }
      case 'RefCreate':
        return { cell: at(node.value) };
      case 'RefRead':
        return (at(node.ref) as { cell: NaiveValue }).cell;
      case 'RefWrite': {
        const cell = at(node.ref) as { cell: NaiveValue };
        cell.cell = at(node.value);
        return [];
      }
      case 'Call': {
        const args = node.args.map(at);
        if (node.op._tag === 'Op') return operator(node.op.name, args as number[]);
        if (node.op._tag === 'Constructor') return { tag: node.op.nameHint, fields: args };
        const callee = at(node.op) as { readonly func: Func; readonly frame: Frame };
        const values = new Map<Expr, NaiveValue>();
        callee.func.params.forEach((p, i) => {
          values.set(p, args[i] as NaiveValue);
        });
        const called = { func: callee.func, parent: callee.frame, values };
        return evaluate(callee.func.body, called);
      }
      default:
        throw new Error(`${node._tag} has no value here`);
    }
  };
  return evaluate(main.body, { func: main, parent: undefined, values: new Map() });
}

function operator(name: string, [a = 0, b = 0]: ReadonlyArray<number>): number {
  if (name === 'add') return (a + b) | 0;
  if (name === 'multiply') return Math.imul(a, b);
  if (name === 'less') return a < b ? 1 : 0;
  throw new Error(`${name} is not among the operators`);
}

/** The innermost function around all uses of each node. */
function homesOf(main: Func): ReadonlyMap<Expr, Func> {
  const homes = new Map<Expr, Func>();
  const around = (f: Func): ReadonlyArray<Func> =>
    f === main ? [f] : [...around(homes.get(f) ?? main), f];
  const use = (node: Expr, where: Func): void => {
    const known = homes.get(node);
    const path = around(where);
    const other = known === undefined ? path : around(known);
    homes.set(node, path.filter((f) => other.includes(f)).at(-1) ?? main);
  };
  use(main.body, main);
  for (const node of [...postOrderExprs([main.body])].reverse()) {
    const inside = node._tag === 'Function' ? node : (homes.get(node) ?? main);
    for (const variable of binders(node)) homes.set(variable, inside);
    for (const child of children(node)) if (child._tag !== 'Var') use(child, inside);
  }
  return homes;
}
