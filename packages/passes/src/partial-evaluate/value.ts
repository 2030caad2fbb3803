/** Values during partial evaluation: what is known of them, and how the residual program names them. */
import type { Constructor, Expr, Func, Type, TypeArgs, Var } from '@baton/ir';
import { replaceTypeVars } from '@baton/ir';
import type { OpValue } from '@baton/ops';
import type { Tensor } from '@baton/tensor';
import type { Binding } from './block.ts';

export type Known = KnownTensor | KnownTuple | KnownData | KnownClosure | KnownRef;

export interface KnownTensor {
  readonly _tag: 'tensor';
  readonly data: Tensor;
}

export interface KnownTuple {
  readonly _tag: 'tuple';
  readonly fields: ReadonlyArray<Value>;
  /** The tuple as an argument of an operator, if all of it is known. */
  readonly data: ReadonlyArray<OpValue> | undefined;
}

export interface KnownData {
  readonly _tag: 'data';
  readonly ctor: Constructor;
  readonly fields: ReadonlyArray<Value>;
}

export interface KnownClosure {
  readonly _tag: 'closure';
  readonly func: Func;
  /** The values of its free variables and type parameters. */
  readonly activation: Activation;
  /** The calls in progress where it was made. */
  readonly fuel: Fuel | undefined;
}

/** The measure that an argument must decrease. */
export interface Measure {
  readonly time: number;
  /** The number, if it is an integer of at least 0. */
  readonly size: number;
}

/** The calls in progress, the latest first. */
export interface Fuel {
  readonly func: Func;
  readonly left: ReadonlyArray<Measure>;
  readonly outer: Fuel | undefined;
}

/** A reference that the program created; its identity is this object. */
export interface KnownRef {
  readonly _tag: 'ref';
}

export interface Value {
  /** The time of its creation: calls are unfolded only if their measure is below it. */
  readonly time: number;
  readonly type: Type | undefined;
  readonly known: Known | undefined;
  /** A variable, constant or name of a function, in scope wherever the value is. */
  readonly atom: Expr;
  /** The binding of the variable, if it is made only when the residual program needs it. */
  readonly binding: Binding | undefined;
}

/** The value as an argument of an operator. */
export function dataOf({ known }: Value): OpValue | undefined {
  return known?._tag === 'tensor' || known?._tag === 'tuple' ? known.data : undefined;
}

interface ActivationParts {
  /** The one in which the function was made. */
  readonly outer?: Activation;
  /** The arguments of the function's own type parameters. */
  readonly own?: TypeArgs;
  readonly isCopy?: boolean;
}

/** The variables of one evaluation of a function's body. */
export class Activation {
  readonly values = new Map<Var, Value>();
  /** The arguments of all type parameters in scope. */
  readonly typeArgs: TypeArgs;
  readonly types: ReturnType<typeof replaceTypeVars>;
  /** Whether the body belongs to a call that is taken apart, or to a function made in one. */
  readonly isCopy: boolean;
  readonly #outer: Activation | undefined;

  constructor({ outer, own = new Map(), isCopy = false }: ActivationParts = {}) {
    this.#outer = outer;
    this.isCopy = isCopy || outer?.isCopy === true;
    const isSame = outer !== undefined && own.size === 0;
    this.typeArgs = isSame ? outer.typeArgs : new Map([...(outer?.typeArgs ?? []), ...own]);
    this.types = isSame ? outer.types : replaceTypeVars(this.typeArgs);
  }

  /** The value of a variable, in time linear in the functions up to the one that binds it. */
  read(v: Var): Value | undefined {
    let at: Activation | undefined = this;
    for (; at !== undefined; at = at.#outer) {
      const found = at.values.get(v);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
