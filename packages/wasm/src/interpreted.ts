/**
 * The parts of a program that have no compiled code. The executor names them in its warnings, a
 * module of its own in its refusal.
 */

import { type Diagnostic, remember } from '@baton/base';
import {
  type Call,
  children,
  type Expr,
  type Func,
  type IRModule,
  postOrderExprs,
  type Type,
  typeOf,
} from '@baton/ir';
import { isDataflow, regionOf } from '@baton/lower';
import { staticTensor } from '@baton/ops';
import { isPrimitive } from '@baton/pass-manager';
import { shapeSize } from '@baton/tensor';
import type { InterpretedPart, Reason } from './diagnostics.ts';
import * as diagnostics from './diagnostics.ts';

/** The choice of what is worth a name. */
export interface InterpretedOptions {
  /** Whether the function is compiled as a whole, or would be but for its small size. */
  readonly isWhole: (f: Func) => boolean;
  /** Calls on tensors of fewer elements are as fast on the interpreter. */
  readonly leastElements: number;
}

/**
 * The parts that the interpreter runs, of the functions that `main` needs, in order; of all functions
 * if there is no `main`. Constructs of control flow, data and references count at any size.
 *
 * **Complexity** linear in the nodes.
 */
export function interpretedParts(
  m: IRModule,
  { isWhole, leastElements }: InterpretedOptions,
): ReadonlyArray<InterpretedPart> {
  const parts = new Map<string, InterpretedPart & { readonly names: Map<string, number> }>();
  const main = m.functions.has('main') ? ['main'] : [...m.functions.keys()];
  // Also visits what is added meanwhile.
  const reached = new Set(main);
  for (const name of reached) {
    const f = m.functions.get(name);
    if (f === undefined || isWhole(f)) continue;
    const of = `@${name}`;
    for (const node of postOrderExprs([f], isPrimitive)) {
      if (node._tag === 'GlobalVar') reached.add(node.nameHint);
      if (node === f) continue;
      for (const [reason, what] of reasonsOf(node, m, leastElements)) {
        const key = `${of} ${reason}`;
        const { names } = remember(parts, key, () => ({
          of,
          reason,
          names: new Map(),
          span: node.span,
        }));
        names.set(what, (names.get(what) ?? 0) + 1);
      }
    }
  }
  return [...parts.values()];
}

/** The same as warnings. */
export const interpretedWarnings = (
  m: IRModule,
  options: InterpretedOptions,
): ReadonlyArray<Diagnostic> => interpretedParts(m, options).map(diagnostics.interpreted);

/** Whether a function is plain dataflow, of whatever size. */
export const isWholeRegion =
  (m: IRModule) =>
  (f: Func): boolean =>
    regionOf(f, m) !== undefined;

type Found = readonly [Reason, string];

/** The work of a node, without its parts, that the interpreter runs. */
function reasonsOf(node: Expr, m: IRModule, leastElements: number): ReadonlyArray<Found> {
  switch (node._tag) {
    case 'If':
      return [['control', 'if']];
    case 'Match':
      return [['control', 'match']];
    case 'RefCreate':
      return [['control', 'ref']];
    case 'RefRead':
      return [['control', 'ref_read']];
    case 'RefWrite':
      return [['control', 'ref_write']];
    case 'Function':
      return isPrimitive(node) ? [] : [['control', 'fn']];
    case 'Call':
      return reasonsOfCall(node, m, leastElements);
    default:
      return [];
  }
}

function reasonsOfCall(node: Call, m: IRModule, leastElements: number): ReadonlyArray<Found> {
  const { op } = node;
  switch (op._tag) {
    case 'Op': {
      if (isDataflow(node, m) || isSmall(node, m, leastElements)) return [];
      const isTotal = m.ops.get(op.name)?.effect === 'total';
      return [[isTotal ? 'sizes' : 'effect', op.name]];
    }
    case 'Function': {
      if (!isPrimitive(op)) return [];
      const isCompiled = regionOf(op, m) !== undefined || isSmall(node, m, leastElements);
      return isCompiled ? [] : operatorsIn(op).map((name) => ['sizes', name] as const);
    }
    case 'Constructor':
      return [['control', op.nameHint]];
    case 'GlobalVar':
      return [['control', `call of @${op.nameHint}`]];
    case 'Var':
      return [['control', `call of %${op.nameHint}`]];
    default:
      return [['control', 'call']];
  }
}

/** Whether all tensors of a call are known, and small. */
const isSmall = (node: Call, m: IRModule, leastElements: number): boolean =>
  [node, ...node.args].every((part) => {
    const size = largestIn(typeOf(m, part));
    return size !== undefined && size < leastElements;
  });

/** The elements of the largest tensor of a type; `undefined` if a size is not known. */
function largestIn(type: Type | undefined): number | undefined {
  if (type === undefined) return undefined;
  const sizes = (type._tag === 'TupleType' ? type.fields : [type]).map((field) => {
    const tensor = staticTensor(field);
    return tensor && shapeSize(tensor.shape);
  });
  return sizes.reduce<number | undefined>(
    (most, size) => (most === undefined || size === undefined ? undefined : Math.max(most, size)),
    0,
  );
}

/** The names of the operators that a kernel calls. */
const operatorsIn = (f: Func): ReadonlyArray<string> =>
  postOrderExprs([...children(f)]).flatMap((node) =>
    node._tag === 'Call' && node.op._tag === 'Op' ? [node.op.name] : [],
  );
