import { type Pattern, patternsOf, patternVariables, type Side, subpatterns } from '../pattern.ts';

/** An operator as a pattern names it. */
export interface OperatorRef {
  /** Whether `name` is a token, which the language has yet to read. */
  readonly isToken: boolean;
  readonly name: string;
  readonly payload: unknown;
  readonly arity: number;
}

/**
 * One step of matching. Registers hold canonical classes; `op` counts in the program's operators;
 * `slot` says which node of the pattern the step matches.
 */
export type Instruction =
  /** For every node of `op`: its class to `root`, its children to `out …`. */
  | {
      readonly _tag: 'Scan';
      readonly op: number;
      readonly arity: number;
      readonly root: number;
      readonly out: number;
      readonly slot: number;
    }
  /** For every class. */
  | { readonly _tag: 'ScanClasses'; readonly root: number }
  /** For every node of `op` in class `from`: its children to `out …`. */
  | {
      readonly _tag: 'Bind';
      readonly op: number;
      readonly arity: number;
      readonly from: number;
      readonly out: number;
      readonly slot: number;
    }
  /** Only if the leaf `op` is in class `from`. */
  | { readonly _tag: 'Leaf'; readonly op: number; readonly from: number; readonly slot: number }
  /** Only if both registers hold the same class. */
  | { readonly _tag: 'Same'; readonly a: number; readonly b: number }
  /** Only if there is a node of `op` above these registers: its class to `out`. */
  | {
      readonly _tag: 'Get';
      readonly op: number;
      readonly args: ReadonlyArray<number>;
      readonly out: number;
      readonly slot: number;
    };

/** A left-hand side, ready to be matched by interpretation or by generated code. */
export interface Program {
  readonly operators: ReadonlyArray<OperatorRef>;
  readonly instructions: ReadonlyArray<Instruction>;
  readonly registers: number;
  /** The register of the matched class. */
  readonly root: number;
  readonly variables: ReadonlyArray<string>;
  /** The register of each variable. */
  readonly places: ReadonlyArray<number>;
  /** How many nodes the patterns have. */
  readonly slots: number;
}

/** A pattern that stands for an operator. */
type Inner = Exclude<Pattern, { _tag: 'Variable' }>;

interface Todo {
  readonly pattern: Inner;
  readonly register: number;
}

const childrenOf = (p: Inner): ReadonlyArray<Pattern> => (p._tag === 'Node' ? p.children : []);

/** Collects the operators of patterns, each once. */
export class OperatorRefs {
  readonly all: OperatorRef[] = [];

  /** The number of the operator of `p`. */
  of(p: Inner): number {
    const isToken = p._tag === 'Atom';
    const [name, payload] = isToken ? [p.token, undefined] : [p.name, p.payload];
    const arity = childrenOf(p).length;
    const found = this.all.findIndex(
      (other) =>
        other.isToken === isToken &&
        other.name === name &&
        other.arity === arity &&
        Object.is(other.payload, payload),
    );
    return found >= 0 ? found : this.all.push({ isToken, name, payload, arity }) - 1;
  }
}

class Compiler {
  readonly operators = new OperatorRefs();
  readonly instructions: Instruction[] = [];
  readonly registerOf = new Map<string, number>();
  registers = 0;
  private todo: Todo[] = [];
  /** The nodes of the patterns whose step is still to come: one object may stand at two places. */
  readonly slots: (Inner | undefined)[];

  constructor(patterns: ReadonlyArray<Pattern>) {
    this.slots = subpatterns(patterns).flatMap((p) => (p._tag === 'Variable' ? [] : p));
  }

  private slot(p: Inner): number {
    const slot = this.slots.indexOf(p);
    this.slots[slot] = undefined;
    return slot;
  }

  /** Emits the steps for a pattern whose class is in `register` if given. */
  clause(p: Pattern, register: number | undefined): number {
    const root = register ?? this.registers++;
    if (register !== undefined) this.demand(p, root);
    else if (p._tag === 'Variable') {
      this.instructions.push({ _tag: 'ScanClasses', root });
      this.bind(p.name, root);
    } else this.rows(p, { _tag: 'Scan', root });
    this.drain();
    return root;
  }

  /** `name` stands for the class in `register`. */
  bind(name: string, register: number): void {
    const known = this.registerOf.get(name);
    if (known === undefined) this.registerOf.set(name, register);
    else if (known !== register) this.instructions.push({ _tag: 'Same', a: known, b: register });
  }

  private demand(p: Pattern, register: number): void {
    if (p._tag === 'Variable') this.bind(p.name, register);
    else this.todo.push({ pattern: p, register });
  }

  /** Emits a loop over nodes of the operator of `p`, and demands its children. */
  private rows(
    p: Inner,
    head:
      | { readonly _tag: 'Scan'; readonly root: number }
      | { readonly _tag: 'Bind'; readonly from: number },
  ): void {
    const children = childrenOf(p);
    const out = this.registers;
    const arity = children.length;
    this.registers += arity;
    this.instructions.push({ ...head, op: this.operators.of(p), arity, out, slot: this.slot(p) });
    children.forEach((child, i) => {
      this.demand(child, out + i);
    });
  }

  /** Works off what is demanded: first what is ground by now, then what binds most variables. */
  private drain(): void {
    while (this.todo.length > 0) {
      let best = 0;
      for (let i = 1; i < this.todo.length; i++) {
        if (this.better(this.todo[i] as Todo, this.todo[best] as Todo)) best = i;
      }
      const [next] = this.todo.splice(best, 1);
      if (next !== undefined) this.emit(next);
    }
  }

  private free(p: Pattern): number {
    return patternVariables(p).filter((name) => !this.registerOf.has(name)).length;
  }

  private better(x: Todo, y: Todo): boolean {
    const [freeX, freeY] = [this.free(x.pattern), this.free(y.pattern)];
    if ((freeX === 0) !== (freeY === 0)) return freeX === 0;
    const [sizeX, sizeY] = [subpatterns([x.pattern]).length, subpatterns([y.pattern]).length];
    return freeX !== freeY ? freeX > freeY : sizeX < sizeY;
  }

  private emit({ pattern, register }: Todo): void {
    if (childrenOf(pattern).length === 0) {
      const [op, slot] = [this.operators.of(pattern), this.slot(pattern)];
      this.instructions.push({ _tag: 'Leaf', op, from: register, slot });
    } else if (this.free(pattern) === 0) {
      this.instructions.push({ _tag: 'Same', a: this.get(pattern), b: register });
    } else this.rows(pattern, { _tag: 'Bind', from: register });
  }

  /** Looks a ground pattern up from the leaves on: the register of its class. */
  private get(p: Pattern): number {
    if (p._tag === 'Variable') return this.registerOf.get(p.name) ?? 0;
    const [op, slot] = [this.operators.of(p), this.slot(p)];
    const args = childrenOf(p).map((child) => this.get(child));
    const out = this.registers++;
    this.instructions.push({ _tag: 'Get', op, args, out, slot });
    return out;
  }
}

/** The program of a side; the class of a multi-pattern is that of its first clause. */
export function compileSide(side: Side): Program {
  const clauses = '_tag' in side ? [{ variable: undefined, pattern: side }] : side;
  const compiler = new Compiler(patternsOf(side));
  const slots = compiler.slots.length;
  let root = 0;
  clauses.forEach(({ variable: name, pattern }, i) => {
    const known = name === undefined ? undefined : compiler.registerOf.get(name);
    const register = compiler.clause(pattern, known);
    if (i === 0) root = register;
    if (name !== undefined) compiler.bind(name, register);
  });
  const variables = [...compiler.registerOf.keys()];
  return {
    operators: compiler.operators.all,
    instructions: compiler.instructions,
    registers: compiler.registers,
    root,
    variables,
    places: [...compiler.registerOf.values()],
    slots,
  };
}
