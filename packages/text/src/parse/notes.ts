/** The meaning of each name of a text, the call of each callee, and the scopes, for editors. */
import type { TextSpan } from '@baton/base';
import type { Constructor, Expr, GlobalVar, OpRef, TypeVar, Var } from '@baton/ir';
import { offsetOf, type Tokens } from '../tokens/tokens.ts';
import type { ScopeFollower } from './scope.ts';

/** The meaning of a token. A binder and its uses have the same meaning. */
export type Mention =
  | { readonly _tag: 'Local'; readonly node: Var }
  | { readonly _tag: 'Graph'; readonly name: string; readonly node: Expr; readonly span: TextSpan }
  | { readonly _tag: 'Global'; readonly node: GlobalVar }
  | { readonly _tag: 'Operator'; readonly node: OpRef }
  | { readonly _tag: 'Constructor'; readonly node: Constructor }
  | { readonly _tag: 'Literal'; readonly node: Expr }
  | { readonly _tag: 'TypeVariable'; readonly node: TypeVar }
  | { readonly _tag: 'DataType'; readonly name: string };

/** A name, and the tokens from which it can be used. */
export interface Visible {
  /** With its sigil: `%x`, `%0`, `n`. */
  readonly name: string;
  readonly mention: Mention;
  /** The first token at which the name is known. */
  readonly from: number;
  /** The last one: the token that ends the scope. */
  to: number;
}

export class Notes {
  readonly #tokens: Tokens;
  /** The meanings of tokens by the offset of their first character. */
  readonly mentions: Map<number, Mention> = new Map();
  /** The call of each operator and each global that is called. */
  readonly calls: Map<Expr, Expr> = new Map();
  /** The names of locals, graph bindings and type variables, in the order of their declaration. */
  readonly visible: Visible[] = [];
  /** The offsets at which type variables are declared. */
  readonly typeVars: Map<TypeVar, number> = new Map();
  #graph: Visible[] = [];

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  mention(token: number, mention: Mention): void {
    this.mentions.set(this.#tokens.starts[token] as number, mention);
  }

  /** Notes a name that is declared before token `at`, at an offset, or at none: −1. */
  #declare(name: string, mention: Mention, place: number, at: number): Visible {
    if (place >= 0) this.mentions.set(place, mention);
    const made: Visible = { name, mention, from: at, to: Number.POSITIVE_INFINITY };
    this.visible.push(made);
    return made;
  }

  /** Notes a graph binding that is known from token `at` to the end of its definition. */
  bindGraph(name: string, node: Expr, span: TextSpan, at: number): void {
    const mention: Mention = { _tag: 'Graph', name, node, span };
    this.#graph.push(this.#declare(name, mention, offsetOf(this.#tokens, span), at));
  }

  /** Notes that a definition begins at token `at`: the graph bindings before it are forgotten. */
  endGraph(at: number): void {
    for (const one of this.#graph) one.to = at - 1;
    this.#graph = [];
  }

  /** Follows the declarations of locals. `at` returns the next token. */
  locals(at: () => number): ScopeFollower<Var> {
    return this.#follow(at, (name, node) => ({
      name: `%${name}`,
      mention: { _tag: 'Local', node },
      // A statement `e;` binds a variable without a name.
      place: node.nameHint !== '' && node.span?._tag === 'TextSpan' ? this.offsetOf(node.span) : -1,
    }));
  }

  typeVariables(at: () => number): ScopeFollower<TypeVar> {
    return this.#follow(at, (name, node) => ({
      name,
      mention: { _tag: 'TypeVariable', node },
      place: this.typeVars.get(node) ?? -1,
    }));
  }

  #follow<V>(
    at: () => number,
    describe: (
      name: string,
      value: V,
    ) => Pick<Visible, 'name' | 'mention'> & { readonly place: number },
  ): ScopeFollower<V> {
    const open: Visible[] = [];
    return {
      declare: (name, value) => {
        const { name: shown, mention, place } = describe(name, value);
        open.push(this.#declare(shown, mention, place, at()));
      },
      forget: () => {
        const last = open.pop();
        if (last !== undefined) last.to = at();
      },
    };
  }

  /** The offset of the first character of a span. */
  offsetOf(span: TextSpan): number {
    return offsetOf(this.#tokens, span);
  }

  typeVar(token: number, node: TypeVar): void {
    this.typeVars.set(node, this.#tokens.starts[token] as number);
  }
}
