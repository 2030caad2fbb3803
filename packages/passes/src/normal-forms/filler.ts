/**
 * The engine of normal forms: it fills the blocks of a function with bindings.
 * [passes B1](https://batonjs.github.io/baton/spec/passes#B1).
 */
import {
  type Expr,
  encloses,
  type Func,
  type IRModule,
  type Let,
  letIn,
  type Scope,
  typeOf,
  type Var,
  variable,
  withChildren,
} from '@baton/ir';
import { withBody } from '../rewrite.ts';
import type { Blocks } from './blocks.ts';
import { isAtom } from './walk.ts';

/** The choice of bindings. */
export interface FillOptions {
  /** Whether the value of a node gets a variable, if no let binds it. */
  readonly binds: (node: Expr) => boolean;
  /** Whether constants are bound like other values; else they stand wherever they are used. */
  readonly namesConstants: boolean;
  /** Whether a deferred node gets a variable in each block that uses it. */
  readonly namesDeferred: boolean;
  /** Whether a let whose value is a variable takes over the later uses of that variable. */
  readonly takesOver: boolean;
}

/**
 * The function with the bindings that the options demand, each in the block of its node, in the
 * order of evaluation. A deferred node stays one shared node, evaluated where it is first needed.
 *
 * **Complexity** O(log depth) a use.
 */
export function fillBlocks(f: Func, m: IRModule, blocks: Blocks, options: FillOptions): Func {
  const fill = makeFiller(m, blocks, options);
  return withBody(f, fill(f.body));
}

interface Binding {
  readonly variable: Var;
  readonly value: Expr;
  /** The let of the program that binds the variable, if there is one. */
  readonly origin: Let | undefined;
}

/** A variable that stands for a node or for another variable, while its block is open. */
interface Name {
  readonly variable: Var;
  readonly block: Scope;
}

/** A node in progress: its finished operands, and the let whose value it is. */
interface Frame {
  readonly node: Expr;
  readonly below: ReadonlyArray<Expr>;
  readonly operands: Expr[];
  readonly binder: Let | undefined;
}

function makeFiller(m: IRModule, blocks: Blocks, options: FillOptions): (root: Expr) => Expr {
  const bindings = new Map<Scope, Binding[]>();
  const results = new Map<Expr, Expr>();
  const names = makeNames();
  const aliases = makeAliases();

  const push = (block: Scope, value: Expr, of: Expr, binder: Let | undefined): Var => {
    const bound = binder?.variable ?? variable('v', typeOf(m, of));
    const binding = { variable: bound, value, origin: binder };
    if (options.takesOver && value._tag === 'Var') aliases.bind(value, bound, block);
    const known = bindings.get(block);
    if (known === undefined) bindings.set(block, [binding]);
    else known.push(binding);
    return bound;
  };
  const close = (block: Scope, result: Expr): Expr => {
    const inside = bindings.get(block) ?? [];
    bindings.delete(block);
    names.close(block);
    return inside.reduceRight<Expr>((body, { variable: bound, value, origin }) => {
      if (origin?.value === value && origin.body === body) return origin;
      return letIn(bound, value, body, origin?.span ?? value.span);
    }, result);
  };

  /** The replacement of a deferred node in a block. */
  const deferredIn = (node: Expr, block: Scope, binder: Let | undefined): Expr => {
    const value = results.get(node) ?? node;
    const known = options.namesDeferred ? names.of(node, block) : undefined;
    if (known === undefined && (options.namesDeferred || binder !== undefined)) {
      const bound = push(block, value, node, binder);
      if (options.namesDeferred) names.add(node, bound, block);
      return bound;
    }
    return binder === undefined ? (known ?? value) : push(block, known ?? value, node, binder);
  };
  /** The replacement of a finished child, in the block that uses it. */
  const use = (child: Expr, block: Scope, binder: Let | undefined): Expr => {
    if (blocks.isDeferred(child)) return deferredIn(child, block, binder);
    const found = results.get(child) ?? child;
    const result = found._tag === 'Var' ? aliases.resolve(found, block) : found;
    // The value may have been bound by its let when it was found; a later let gives it another
    // name.
    if (binder === undefined || result === binder.variable) return result;
    return push(block, result, child, binder);
  };

  const finish = ({ node, below, operands, binder }: Frame): void => {
    const own = blocks.ownBlock(node);
    const isDeferred = blocks.isDeferred(node);
    const closed = (result: Expr): Expr => (own === undefined ? result : close(own, result));
    const last = operands[1];
    if (node._tag === 'Let' && last !== undefined && blocks.isTail(node)) {
      results.set(node, closed(last));
      return;
    }
    const rebuilt = (): Expr => (below.length === 0 ? node : withChildren(node, operands));
    const value = node._tag === 'Let' && last !== undefined ? closed(last) : rebuilt();
    // A deferred node without bindings of its own is the whole of its block.
    const isBound = isDeferred
      ? own !== undefined && bindings.has(own) && options.binds(node)
      : binder !== undefined || options.binds(node);
    const letOf = isDeferred ? undefined : binder;
    const result = isBound ? push(blocks.blockOf(node), value, node, letOf) : value;
    results.set(node, isDeferred ? closed(result) : result);
  };

  return (root) => {
    const isLeaf = (node: Expr): boolean =>
      isAtom(node) || (node._tag === 'Constant' && !options.namesConstants);
    if (isLeaf(root)) return root;
    const enter = (node: Expr, binder: Let | undefined): Frame => ({
      node,
      below: blocks.visible(node),
      operands: [],
      binder,
    });
    const stack: Frame[] = [enter(root, undefined)];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { node, below, operands } = top;
      const index = operands.length;
      const child = below[index];
      if (child === undefined) {
        finish(top);
        stack.pop();
        continue;
      }
      const binder = node._tag === 'Let' && index === 0 ? node : undefined;
      if (!isLeaf(child) && !results.has(child)) {
        stack.push(enter(child, binder));
        continue;
      }
      const block = blocks.blockOfUse(node, index);
      const operand = use(child, block, binder);
      operands.push(blocks.opens(node, index) ? close(block, operand) : operand);
    }
    return close(blocks.root, results.get(root) ?? root);
  };
}

/** The variables of deferred nodes in the open blocks. */
function makeNames() {
  const known = new Map<Expr, Name[]>();
  const named = new Map<Scope, Expr[]>();
  return {
    of: (node: Expr, block: Scope): Var | undefined =>
      known.get(node)?.findLast((name) => encloses(name.block, block))?.variable,
    add: (node: Expr, bound: Var, block: Scope): void => {
      const name = { variable: bound, block };
      const list = known.get(node);
      if (list === undefined) known.set(node, [name]);
      else list.push(name);
      const nodes = named.get(block);
      if (nodes === undefined) named.set(block, [node]);
      else nodes.push(node);
    },
    close: (block: Scope): void => {
      for (const node of named.get(block) ?? []) {
        const list = known.get(node) ?? [];
        list.splice(
          list.findLastIndex((name) => name.block === block),
          1,
        );
      }
      named.delete(block);
    },
  };
}

/** The variables that stand for others, by block. */
function makeAliases() {
  const aliases = new Map<Var, Name>();
  return {
    bind: (of: Var, to: Var, block: Scope): void => {
      aliases.set(of, { variable: to, block });
    },
    resolve: (of: Var, block: Scope): Var => {
      let at = of;
      for (let next = aliases.get(at); next !== undefined; next = aliases.get(at)) {
        if (!encloses(next.block, block)) break;
        const after = aliases.get(next.variable);
        if (after !== undefined && after.block === next.block) aliases.set(at, after);
        else at = next.variable;
      }
      return at;
    },
  };
}
