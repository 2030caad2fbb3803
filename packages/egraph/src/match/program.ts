import { type Clause, type Pattern, patternVariables } from '../pattern.ts';

/** An operator as a pattern names it: a token that the language reads, or its parts. */
export type OperatorRef =
  | { readonly _tag: 'Token'; readonly token: string }
  | {
      readonly _tag: 'Parts';
      readonly name: string;
      readonly payload: unknown;
      readonly arity: number;
    };

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

interface Todo {
  readonly pattern: Exclude<Pattern, { _tag: 'Variable' }>;
  readonly register: number;
}

const sizeOf = (p: Pattern): number =>
  p._tag === 'Node' ? p.children.reduce((sum, child) => sum + sizeOf(child), 1) : 1;

/** Collects the operators of patterns, each once. */
export class OperatorRefs {
  readonly all: OperatorRef[] = [];

  /** The number of the operator of `p`. */
  of(p: Exclude<Pattern, { _tag: 'Variable' }>): number {
    const ref: OperatorRef =
      p._tag === 'Atom'
        ? { _tag: 'Token', token: p.token }
        : { _tag: 'Parts', name: p.name, payload: p.payload, arity: p.children.length };
    const found = this.all.findIndex((other) =>
      other._tag === 'Token' || ref._tag === 'Token'
        ? other._tag === ref._tag && 'token' in other && 'token' in ref && other.token === ref.token
        : other.name === ref.name &&
          other.arity === ref.arity &&
          Object.is(other.payload, ref.payload),
    );
    return found >= 0 ? found : this.all.push(ref) - 1;
  }
}

/** Numbers the nodes of patterns, variables not counted, parents first. */
function numberSlots(patterns: ReadonlyArray<Pattern>): Map<Pattern, number[]> {
  const slots = new Map<Pattern, number[]>();
  let next = 0;
  const visit = (p: Pattern): void => {
    if (p._tag === 'Variable') return;
    // One object may stand at two places.
    slots.set(p, [...(slots.get(p) ?? []), next++]);
    if (p._tag === 'Node') p.children.forEach(visit);
  };
  patterns.forEach(visit);
  return slots;
}

class Compiler {
  readonly operators = new OperatorRefs();
  readonly instructions: Instruction[] = [];
  readonly registerOf = new Map<string, number>();
  registers = 0;
  private todo: Todo[] = [];
  private readonly slots: Map<Pattern, number[]>;

  constructor(patterns: ReadonlyArray<Pattern>) {
    this.slots = numberSlots(patterns);
  }

  private slot(p: Pattern): number {
    return this.slots.get(p)?.shift() ?? 0;
  }

  /** Emits the steps for a pattern whose class is in `register` if given. */
  clause(p: Pattern, register: number | undefined): number {
    const root = register ?? this.registers++;
    if (register !== undefined) this.demand(p, root);
    else if (p._tag === 'Variable') {
      this.instructions.push({ _tag: 'ScanClasses', root });
      this.bind(p.name, root);
    } else this.scan(p, root);
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

  private scan(p: Exclude<Pattern, { _tag: 'Variable' }>, root: number): void {
    const children = p._tag === 'Node' ? p.children : [];
    const out = this.registers;
    this.registers += children.length;
    const [op, slot] = [this.operators.of(p), this.slot(p)];
    this.instructions.push({ _tag: 'Scan', op, arity: children.length, root, out, slot });
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
    return freeX !== freeY ? freeX > freeY : sizeOf(x.pattern) < sizeOf(y.pattern);
  }

  private emit({ pattern, register }: Todo): void {
    if (pattern._tag === 'Atom' || pattern.children.length === 0) {
      const [op, slot] = [this.operators.of(pattern), this.slot(pattern)];
      this.instructions.push({ _tag: 'Leaf', op, from: register, slot });
    } else if (this.free(pattern) === 0) {
      const out = this.get(pattern);
      this.instructions.push({ _tag: 'Same', a: out, b: register });
    } else {
      const out = this.registers;
      const arity = pattern.children.length;
      this.registers += arity;
      const [op, slot] = [this.operators.of(pattern), this.slot(pattern)];
      this.instructions.push({ _tag: 'Bind', op, arity, from: register, out, slot });
      pattern.children.forEach((child, i) => {
        this.demand(child, out + i);
      });
    }
  }

  /** Looks a ground pattern up from the leaves on: the register of its class. */
  private get(p: Pattern): number {
    if (p._tag === 'Variable') return this.registerOf.get(p.name) ?? 0;
    const [op, slot] = [this.operators.of(p), this.slot(p)];
    const args = (p._tag === 'Node' ? p.children : []).map((child) => this.get(child));
    const out = this.registers++;
    this.instructions.push({ _tag: 'Get', op, args, out, slot });
    return out;
  }
}

/** The program of a pattern. */
export const compilePattern = (pattern: Pattern): Program =>
  compile([{ variable: undefined, pattern }]);

/** The program of a multi-pattern; its class is that of the first clause. */
export const compileClauses = (clauses: ReadonlyArray<Clause>): Program => compile(clauses);

function compile(
  clauses: ReadonlyArray<{ readonly variable: string | undefined; readonly pattern: Pattern }>,
): Program {
  const compiler = new Compiler(clauses.map((clause) => clause.pattern));
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
    slots: clauses.reduce((sum, { pattern }) => sum + countNodes(pattern), 0),
  };
}

const countNodes = (p: Pattern): number =>
  p._tag === 'Variable'
    ? 0
    : p._tag === 'Atom'
      ? 1
      : p.children.reduce((sum, child) => sum + countNodes(child), 1);
