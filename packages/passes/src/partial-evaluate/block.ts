/** The blocks of the residual program: bindings in order of evaluation, and a result. */
import type { Span } from '@baton/base';
import { type Expr, letIn, type Var } from '@baton/ir';

export interface Binding {
  readonly variable: Var;
  readonly span: Span | undefined;
  /** The bound expression, once the blocks inside it are closed; absent if nothing needs it. */
  value: (() => Expr) | undefined;
  /** Makes the value; absent once that is done, or asked for. */
  demand: (() => void) | undefined;
}

export class Block {
  readonly #bindings: Binding[] = [];
  #result: Expr | undefined;
  #closed: Expr | undefined;

  /** Binds a variable to an expression that is evaluated in any case. */
  bind(variable: Var, span: Span | undefined, value: () => Expr): void {
    this.#bindings.push({ variable, span, value, demand: undefined });
  }

  /** Reserves the position of a binding, whose value `demand` makes if it is needed. */
  reserve(variable: Var, span: Span | undefined, demand: (binding: Binding) => void): Binding {
    const binding: Binding = {
      variable,
      span,
      value: undefined,
      demand: () => demand(binding),
    };
    this.#bindings.push(binding);
    return binding;
  }

  finish(result: Expr): void {
    this.#result = result;
  }

  /** The complete block; the blocks inside it are closed. */
  get expr(): Expr {
    if (this.#closed !== undefined) return this.#closed;
    const bound = this.#bindings.filter(({ value }) => value !== undefined);
    const last = bound.at(-1);
    const isTail = last !== undefined && last.variable === this.#result;
    const start = isTail ? bound.pop()?.value?.() : this.#result;
    this.#closed = bound.reduceRight<Expr | undefined>((body, { variable, value, span }) => {
      const made = value?.();
      return made && body && letIn(variable, made, body, span ?? made.span);
    }, start);
    return this.#closed as Expr;
  }
}
