/** ToANormalForm: binds every intermediate value to a variable. passes.md §10. */
import {
  type Expr,
  type Func,
  type IRModule,
  type Let,
  letIn,
  mapFunctions,
  postOrderExprs,
  type Scope,
  type Var,
  variable,
  withChildren,
} from '@baton/ir';
import { isSkipped, type Pass, pass } from '@baton/pass-manager';
import { right } from 'fp-ts/lib/Either.js';
import { statefulness, totality } from '../effects.ts';
import { withBody } from '../forward-rewrite.ts';
import { isPrimitive } from '../primitive.ts';
import { type Blocks, functionBlocks, visibleChildren } from './blocks.ts';

/**
 * The function with every value bound to a variable, in order of evaluation, in the innermost block
 * that holds all its uses:
 *
 * ```
 * 1 + 2 * 3
 * =>
 * let %a = 1; let %b = 2; let %c = 3; let %d = multiply(%b, %c); let %e = add(%a, %d); %e
 * ```
 *
 * Constants are bound, too. Bindings inside operands are moved out in front of them. Kernels are
 * values. A function stays as it is if it shares, between blocks, something that must not be
 * computed ahead of them: something stateful, or something that may fail and that not every way
 * through them needs (decision D15).
 *
 * **Complexity** O(log depth) a use.
 */
export function bindEveryValue(f: Func, effects: Effects): Func {
  const blocks = functionBlocks(f);
  if (sharesAcrossBlocks(f, blocks, effects)) return f;
  const filler = makeFiller(blocks);
  filler.visit(f.body);
  return withBody(f, filler.blockWith(blocks.root, filler.atomOf(f.body)));
}

/** Binds every value to a variable; see {@link bindEveryValue}. */
export const toANormalForm: Pass = pass({
  name: 'ToANormalForm',
  doc: 'Binds every intermediate value to a variable.',
  level: 1,
  run: (m: IRModule) => {
    const effects: Effects = { isTotal: totality(m.ops), isStateful: statefulness(m) };
    return right(
      mapFunctions(m, (f) => (isSkipped(f) || isPrimitive(f) ? f : bindEveryValue(f, effects))),
    );
  },
});

interface Effects {
  readonly isTotal: (expr: Expr) => boolean;
  readonly isStateful: (expr: Expr) => boolean;
}

function sharesAcrossBlocks(f: Func, blocks: Blocks, effects: Effects): boolean {
  return postOrderExprs([f.body], isPrimitive).some(
    (node) =>
      !isAtom(node) &&
      blocks.isHoisted(node) &&
      !effects.isTotal(node) &&
      (effects.isStateful(node) || !blocks.isDemanded(node)),
  );
}

const isAtom = (node: Expr): boolean =>
  node._tag === 'Var' ||
  node._tag === 'GlobalVar' ||
  node._tag === 'Op' ||
  node._tag === 'Constructor';

interface Binding {
  readonly variable: Var;
  readonly value: Expr;
  /** The let of the program that binds the variable, if there is one. */
  readonly origin: Let | undefined;
}

interface Filler {
  /** Fills the blocks with the bindings that `root` needs. */
  readonly visit: (root: Expr) => void;
  /** What stands for a node that has been visited. */
  readonly atomOf: (node: Expr) => Expr;
  /** The bindings of a block around a result. */
  readonly blockWith: (block: Scope, result: Expr) => Expr;
}

/** A node on the way, and which child comes next. */
interface Frame {
  readonly node: Expr;
  readonly below: ReadonlyArray<Expr>;
  /** The let whose value the node is. */
  readonly binder: Let | undefined;
  at: number;
}

function makeFiller(blocks: Blocks): Filler {
  const atoms = new Map<Expr, Expr>();
  const bindings = new Map<Scope, Binding[]>();
  // Lets at the end of a block: what they give is the block's result and needs no other name.
  const tails = new Set<Expr>();

  const atomOf = (node: Expr): Expr => atoms.get(node) ?? node;
  const push = (block: Scope, value: Expr, binder: Let | undefined): Var => {
    const bound = binder?.variable ?? variable('v');
    const known = bindings.get(block);
    const binding = { variable: bound, value, origin: binder };
    if (known === undefined) bindings.set(block, [binding]);
    else known.push(binding);
    return bound;
  };
  const blockWith = (block: Scope, result: Expr): Expr =>
    (bindings.get(block) ?? []).reduceRight<Expr>((body, { variable: bound, value, origin }) => {
      if (origin?.value === value && origin.body === body) return origin;
      return letIn(bound, value, body, origin?.span ?? value.span);
    }, result);
  const markTail = (node: Expr): void => {
    if (node._tag === 'Let' && blocks.usesOf(node) === 1) tails.add(node);
  };

  const enter = (node: Expr, binder: Let | undefined): Frame => {
    const below = visibleChildren(node);
    below.forEach((child, index) => {
      if (blocks.opened(node, index) !== undefined) markTail(child);
    });
    if (node._tag === 'Let' && tails.has(node)) markTail(node.body);
    return { node, below, binder, at: 0 };
  };
  const finish = ({ node, below, binder }: Frame): void => {
    if (isAtom(node)) return;
    const block = blocks.blockOf(node);
    if (node._tag === 'Let') {
      const result = atomOf(node.body);
      const isTail = tails.has(node) && binder === undefined;
      atoms.set(node, isTail ? result : push(block, result, binder));
      return;
    }
    const next = below.map((child, index) => {
      const inner = blocks.opened(node, index);
      return inner === undefined ? atomOf(child) : blockWith(inner, atomOf(child));
    });
    atoms.set(node, push(block, below.length === 0 ? node : withChildren(node, next), binder));
  };

  const visit = (root: Expr): void => {
    if (isAtom(root)) return;
    markTail(root);
    const seen = new Set<Expr>([root]);
    const stack: Frame[] = [enter(root, undefined)];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { node } = top;
      const child = top.below[top.at];
      if (child === undefined) {
        finish(top);
        stack.pop();
        continue;
      }
      const binder = node._tag === 'Let' && top.at === 0 ? node : undefined;
      top.at++;
      if (!isAtom(child) && !seen.has(child)) {
        seen.add(child);
        stack.push(enter(child, binder));
      } else if (binder !== undefined) {
        // The value has a name already: the let gives it another.
        push(blocks.blockOf(node), atomOf(child), binder);
      }
    }
  };
  return { visit, atomOf, blockWith };
}
