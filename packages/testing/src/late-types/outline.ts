/** Calls of operators through functions without types of their arguments. */
import {
  type Call,
  call,
  type Expr,
  type Func,
  func,
  globalVar,
  letIn,
  mapChildren,
  type OpTable,
  opRef,
  rewriteExpr,
  type Var,
  variable,
} from '@baton/ir';
import type { Choices } from '../generate/random.ts';
import { atAnyType, carried, type Needed } from './carry.ts';

/** The amount that goes through functions. */
export interface Outlining {
  /** The share of the calls of operators. */
  readonly share: number;
}

/**
 * The functions with calls of operators moved into functions without annotations: bound by a let or
 * defined globally, often one for several calls, which may differ in their types.
 */
export function outlined(
  functions: ReadonlyMap<string, Func>,
  ops: OpTable,
  { share }: Outlining,
  random: Choices,
): ReadonlyMap<string, Func> {
  const needed: Needed = new Map();
  let count = 0;
  const outline = (f: Func): Func => {
    const bound: { readonly variable: Var; readonly value: Expr }[] = [];
    const known = new Map<string, Expr[]>();
    const bind = (name: string, value: Expr): Var => {
      const v = variable(`${name}${count++}`);
      bound.push({ variable: v, value });
      return v;
    };
    const made = (node: Call, name: string): Expr => {
      const body = functionOf(node, name);
      if (isPlain(node, name, ops) && random.chance(0.3)) return bind('o', opRef(name));
      if (random.chance(0.25)) {
        const global = `late_${count++}`;
        needed.set(global, body);
        return globalVar(global);
      }
      return random.chance(0.15) ? body : bind('h', body);
    };
    const functionFor = (node: Call, name: string): Expr => {
      const key = `${name} ${JSON.stringify(node.attrs ?? {}, bigints)}`;
      const others = known.get(key) ?? [];
      if (others.length > 0 && random.chance(0.75)) return random.pick(others);
      const expr = made(node, name);
      // An alias of a local function, or of an operator, serves as well.
      const usable = expr._tag === 'Var' && random.chance(0.3) ? bind('l', expr) : expr;
      if (usable._tag !== 'Function') known.set(key, [...others, usable]);
      return usable;
    };
    const body = rewriteExpr(f.body, (node, get) => {
      const next = mapChildren(node, get);
      const isChosen = next._tag === 'Call' && next.op._tag === 'Op' && random.chance(share);
      if (!isChosen || next._tag !== 'Call' || next.op._tag !== 'Op') return next;
      const arity = next.args.length;
      const expr = carried({ expr: functionFor(next, next.op.name), arity }, needed, random);
      const value = call(expr, next.args, { span: next.span });
      return random.chance(0.1) ? atAnyType(value, needed) : value;
    });
    return func(
      f.params,
      bound.reduceRight((rest, b) => letIn(b.variable, b.value, rest), body),
      f,
    );
  };
  const own = [...functions].map(([name, f]): [string, Func] => [name, outline(f)]);
  return new Map([...needed, ...own]);
}

function functionOf(node: Call, name: string): Func {
  const params = node.args.map((_, i) => variable(`y${i}`));
  return func(params, call(opRef(name), params, { attrs: node.attrs }));
}

/** Whether the attributes are the defaults, which an operator as a value has. */
function isPlain({ attrs }: Call, name: string, ops: OpTable): boolean {
  const given = JSON.stringify(attrs ?? {}, bigints);
  const defaults = ops.get(name)?.attrs.decode({});
  return defaults?._tag === 'Right' && JSON.stringify(defaults.right, bigints) === given;
}

const bigints = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}n` : value;
