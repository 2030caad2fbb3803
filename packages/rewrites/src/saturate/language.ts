/** The language of e-graphs of tensor programs: what their nodes are called, and what makes two alike. */

import { remember, type Span } from '@baton/base';
import { defineLanguage, type Language } from '@baton/egraph';
import {
  type Attrs,
  type Call,
  type Constant,
  type Expr,
  type Func,
  freeVars,
  type GlobalVar,
  postOrderExprs,
  refRead,
  refType,
  structuralEqual,
  type Type,
  variable,
} from '@baton/ir';
import { attrsKey, isOpCall, type OpCall, signed } from '@baton/ops';
import { isOpaque, isPrimitive } from '@baton/pass-manager';
import { shapeSize, type Tensor, toBigInts, toNumbers } from '@baton/tensor';

/** The names of nodes that are no calls of operators; no operator's name has a space. */
export const TUPLE = 'a tuple';
export const FIELD = 'a field';
export const CONSTANT = 'a constant';
export const KERNEL = 'a kernel';
export const FUNCTION_CALL = 'a call of a function';
export const OPAQUE = 'an expression';

/**
 * An expression into which an e-graph does not look: a variable, a function, a branch, a value from
 * an outer block. It is equal to itself alone.
 */
export interface OpaqueNode {
  readonly expr: Expr;
  /** Whether an outer block computes it. */
  readonly isOuter: boolean;
  /** The expressions of the same block that it uses, in the order of the node's children. */
  readonly needs: ReadonlyArray<Expr>;
}

/** The name and payload of a node, without its children. */
export interface Head {
  readonly name: string;
  readonly payload: unknown;
}

/** The node of a call. Attributes are a payload; operators without any have none. */
export const callHead = ({ op, attrs }: OpCall): Head => ({
  name: op.name,
  payload: attrs === undefined || Object.keys(attrs).length === 0 ? undefined : attrs,
});

/** A node in words: an operator with its attributes, a variable, a constant, or the kind of the node. */
export function labelOf({ name, payload }: Head): string {
  switch (name) {
    case CONSTANT: {
      const { dtype, shape } = (payload as Constant).data;
      return shapeSize(shape) === 1
        ? `${toBigOrNumber(payload as Constant)}`
        : `${dtype}[${shape.join(', ')}]`;
    }
    case OPAQUE: {
      const { expr } = payload as OpaqueNode;
      return expr._tag === 'Var' ? `%${expr.nameHint}` : expr._tag;
    }
    case FUNCTION_CALL:
      return `@${(payload as GlobalVar).nameHint}`;
    case KERNEL:
      return String((payload as Func).attrs.Composite ?? name);
    case FIELD:
      return `.${payload}`;
    case TUPLE:
      return 'tuple';
    default:
      return payload === undefined ? name : `${name} ${attrsText(payload as Attrs)}`;
  }
}

const toBigOrNumber = ({ data }: Constant): number | bigint | undefined =>
  data.dtype === 'int64' || data.dtype === 'uint64' ? toBigInts(data)[0] : toNumbers(data)[0];

const attrsText = (attrs: Attrs): string =>
  Object.entries(attrs)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? `[${value}]` : value}`)
    .join(' ');

/** Whether an expression is the same in every block: no block computes it, nor looks into it. */
export const isEverywhere = (expr: Expr): boolean =>
  isOpaque(expr) || (EVERYWHERE.has(expr._tag) && !isStandIn(expr));

const EVERYWHERE: ReadonlySet<Expr['_tag']> = new Set([
  'Var',
  'Constant',
  'Op',
  'GlobalVar',
  'Constructor',
]);

const standIns = new WeakSet<Expr>();

/**
 * An expression that stands for a value of the block into which a copy of a function is placed. No
 * program has it.
 */
export function standIn(type: Type, isTotal: boolean): Expr {
  const made = isTotal ? variable('given', type) : refRead(variable('given', refType(type)));
  for (const node of postOrderExprs([made])) standIns.add(node);
  return made;
}

/** Whether an expression stands for a value of an outer block. */
export const isStandIn = (expr: Expr): boolean => standIns.has(expr);

/** A chosen node. Equal nodes are one object. */
export interface Chosen {
  readonly name: string;
  readonly payload: unknown;
  readonly children: ReadonlyArray<Chosen>;
  /** The expression of the function that it is, if its children are. */
  readonly origin: Expr | undefined;
  /** The place of what it replaces. */
  readonly span: Span | undefined;
}

/** Whether e-graphs look into the expression, and what its node is then. */
export function headOf(expr: Expr): Head | undefined {
  switch (expr._tag) {
    case 'Tuple':
      return { name: TUPLE, payload: undefined };
    case 'TupleGetItem':
      return { name: FIELD, payload: expr.index };
    case 'Constant':
      return expr.literal === undefined ? { name: CONSTANT, payload: expr } : undefined;
    case 'Call': {
      if (expr.typeArgs.length > 0) return undefined;
      if (isOpCall(expr)) return callHead(expr);
      if (expr.op._tag === 'GlobalVar') return { name: FUNCTION_CALL, payload: expr.op };
      return isKernelCall(expr) ? { name: KERNEL, payload: expr.op } : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether the expression calls a kernel that takes all it uses as arguments. */
export const isKernelCall = (expr: Expr): expr is Call & { readonly op: Func } =>
  expr._tag === 'Call' && isPrimitive(expr.op) && isClosed(expr.op);

const isClosed = (f: Func): boolean => freeVars(f).length === 0;

/** The language of the e-graphs of a function. Any operator may occur, and payloads are equal by content. */
export const makeLanguage = (): Language => defineLanguage({ payloadKey: makePayloadKey() });

/** A function that gives equal keys for equal payloads of nodes. */
export function makePayloadKey(): (name: string, payload: unknown) => unknown {
  const kernels = new Map<number, Func[]>();
  const kernelKey = (f: Func): Func => {
    const alike = remember(kernels, f.hash, () => [] as Func[]);
    const known = alike.find((other) => structuralEqual(f, other));
    if (known === undefined) alike.push(f);
    return known ?? f;
  };
  return (name, payload) => {
    if (name === CONSTANT) return constantKey(payload as Constant);
    if (name === OPAQUE) return (payload as OpaqueNode).expr;
    if (name === KERNEL) return kernelKey(payload as Func);
    if (name === FUNCTION_CALL) return (payload as GlobalVar).nameHint;
    return typeof payload === 'object' ? attrsKey(payload as Attrs) : payload;
  };
}

/** Constants up to this size are equal by content; larger ones by their storage. */
const MAX_COMPARED = 64;

/** Equal for equal constants: a text, but for large ones. */
export const constantKey = ({ data }: Constant): unknown =>
  shapeSize(data.shape) > MAX_COMPARED
    ? data
    : remember(constantTexts, data, () => {
        const { dtype, shape } = data;
        const isBig = dtype === 'int64' || dtype === 'uint64';
        const elements = isBig ? toBigInts(data) : Array.from(toNumbers(data), signed);
        return `${dtype}(${shape.join()})${elements.join()}`;
      });

const constantTexts = new WeakMap<Tensor, string>();
