/**
 * The engine of normal forms: it fills the blocks of a function with bindings.
 * [passes B1](https://batonjs.github.io/baton/spec/passes#B1).
 */

import { remember } from '@baton/base';
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
import { withBody } from '@baton/pass-manager';
import { type Blocks, blockOfUse, placementOf } from './blocks.ts';
import { isAtom, type Use } from './walk.ts';

export interface FillOptions {
  /** Whether the value of a node gets a variable, if no let binds it. */
  readonly binds: (node: Expr) => boolean;
  /** Whether constants are bound like other values; else they are written at each use. */
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
  const filling: Filling = {
    m,
    blocks,
    options,
    bindings: new Map(),
    operands: new Map(),
    results: new Map(),
    names: new Map(),
    aliases: new Map(),
  };
  const isLeaf = (node: Expr): boolean =>
    isAtom(node) || (node._tag === 'Constant' && !options.namesConstants);
  for (const { node, index, child } of blocks.steps) {
    if (child !== undefined) {
      const operand = taken(filling, child, { node, index });
      remember(filling.operands, node, (): Expr[] => []).push(operand);
    } else if (!isLeaf(node)) filling.results.set(node, finished(filling, node));
  }
  const result = filling.results.get(f.body) ?? f.body;
  return withBody(f, closed(filling, placementOf(blocks.placements, f.body).home, result));
}

interface Binding {
  readonly variable: Var;
  readonly value: Expr;
  /** The node whose value it is. */
  readonly of: Expr;
  /** The let of the program that binds the variable, if there is one. */
  readonly origin: Let | undefined;
}

/** A variable that names a node or another variable, while its block is open. */
interface Name {
  readonly variable: Var;
  readonly block: Scope;
}

interface Filling {
  readonly m: IRModule;
  readonly blocks: Blocks;
  readonly options: FillOptions;
  readonly bindings: Map<Scope, Binding[]>;
  readonly operands: Map<Expr, Expr[]>;
  /** The replacements of the finished nodes. */
  readonly results: Map<Expr, Expr>;
  /** The variables of deferred nodes in the open blocks. */
  readonly names: Map<Expr, Name[]>;
  /** The variables that took over from others. */
  readonly aliases: Map<Var, Name>;
}

function taken(filling: Filling, child: Expr, use: Use): Expr {
  const { node, index } = use;
  const { placements } = filling.blocks;
  const block = blockOfUse(placements, use);
  const binder = node._tag === 'Let' && index === 0 ? node : undefined;
  const operand = operandIn(filling, child, block, binder);
  const opens = placementOf(placements, node).opened[index] !== undefined;
  return opens ? closed(filling, block, operand) : operand;
}

/** The value of a node in a block, bound by its let if `binder` is that. */
function operandIn(filling: Filling, node: Expr, block: Scope, binder: Let | undefined): Expr {
  const { blocks, options, results, names, aliases } = filling;
  const value = results.get(node) ?? node;
  const { isDeferred } = placementOf(blocks.placements, node);
  const isNamed = isDeferred && options.namesDeferred;
  const name = isNamed ? names.get(node)?.findLast(isAround(block))?.variable : undefined;
  if (isNamed && name === undefined) {
    const first = bound(filling, block, value, node, binder);
    remember(names, node, (): Name[] => []).push({ variable: first, block });
    return first;
  }
  const isAlias = value._tag === 'Var' && !isDeferred;
  const known = name ?? (isAlias ? latestOf(value, aliases, block) : value);
  // The value may have been bound by its let when it was found; a later let gives it another name.
  if (binder === undefined || known === binder.variable) return known;
  return bound(filling, block, known, node, binder);
}

function finished(filling: Filling, node: Expr): Expr {
  const { blocks, options, bindings } = filling;
  const { home, inside, isDeferred, isTail } = placementOf(blocks.placements, node);
  const operands = filling.operands.get(node) ?? [];
  filling.operands.delete(node);
  const isLet = node._tag === 'Let';
  const made = operands.length === 0 ? node : withChildren(node, operands);
  const value = isLet ? (operands[1] ?? node) : made;
  if (isDeferred) {
    // Without bindings of its own it is the whole of its block.
    const isBound = !isLet && bindings.has(inside) && options.binds(node);
    return closed(filling, inside, isBound ? bound(filling, inside, value, node) : value);
  }
  if (isLet && isTail) return value;
  const result = inside === home ? value : closed(filling, inside, value);
  const binder = blocks.binderOf(node);
  const isBound = binder !== undefined || options.binds(node);
  return isBound ? bound(filling, home, result, node, binder) : result;
}

/** Binds the value of a node in a block, to the variable of its let or to a new one. */
function bound(
  { m, options, bindings, aliases }: Filling,
  block: Scope,
  value: Expr,
  of: Expr,
  origin?: Let,
): Var {
  const v = origin?.variable ?? variable('v', typeOf(m, of));
  if (options.takesOver && value._tag === 'Var') aliases.set(value, { variable: v, block });
  remember(bindings, block, (): Binding[] => []).push({ variable: v, value, of, origin });
  return v;
}

function closed({ bindings, names }: Filling, block: Scope, result: Expr): Expr {
  const inside = bindings.get(block) ?? [];
  bindings.delete(block);
  return inside.reduceRight<Expr>((body, { variable: v, value, of, origin }) => {
    const named = names.get(of);
    if (named?.at(-1)?.block === block) named.pop();
    if (origin?.value === value && origin.body === body) return origin;
    return letIn(v, value, body, origin?.span ?? value.span);
  }, result);
}

const isAround =
  (block: Scope) =>
  (name: Name): boolean =>
    encloses(name.block, block);

/** The variable that took over from another one, as a block sees it. */
function latestOf(v: Var, aliases: Map<Var, Name>, block: Scope): Var {
  let at = v;
  for (let next = aliases.get(at); next !== undefined; next = aliases.get(at)) {
    if (!encloses(next.block, block)) break;
    const after = aliases.get(next.variable);
    if (after !== undefined && after.block === next.block) aliases.set(at, after);
    else at = next.variable;
  }
  return at;
}
