/** Equations between terms as questions to the solver, in SMT-LIB. */
import { type DType, dtypeInfo, isFloat } from '@baton/tensor';
import { formatOf, numberText, sortOf, type Theories, theoryOf } from './literals.ts';
import { MEANINGS } from './meaning.ts';
import {
  isTruth,
  type NodeTerm,
  type NumberTerm,
  type SymbolTerm,
  subterms,
  type Term,
} from './terms.ts';

/** The freedoms with special values that an equation takes. */
export interface Freedoms {
  /** Zeros of both signs are alike. */
  readonly zeros: boolean;
  /** No NaN is given or made. */
  readonly noNaN: boolean;
  /** No infinity is given or made. */
  readonly noInfinity: boolean;
}

/** A question to the solver: `sat` is an answer that refutes the equation. */
export interface Query {
  /** Without the options and the end, so that equal questions are equal texts. */
  readonly text: string;
  /** The symbols by their numbers in the text. */
  readonly symbols: ReadonlyArray<SymbolTerm>;
  /** Whether the text has functions of which the solver knows nothing, or too little. */
  readonly isVague: boolean;
}

/**
 * The question whether two terms can differ; `undefined` if a node has no meaning in these theories.
 * Over the reals the left side has a value, and then the right side must have the same.
 */
export function differs(
  left: Term,
  right: Term,
  theories: Theories,
  freedoms: Freedoms,
): Query | undefined {
  const writer = new Writer(theories);
  if (!writer.write(left) || !writer.write(right)) return undefined;
  const asTruths = isTruth(left) && isTruth(right);
  const [a, b] = [left, right].map((side) =>
    asTruths ? writer.textOf(side) : writer.asNumber(side),
  );
  if (theories.floats === 'real') {
    writer.lines.push(`(assert ${writer.domainOf(left)})`);
    writer.lines.push(`(assert (not (and ${writer.domainOf(right)} (= ${a} ${b}))))`);
  } else {
    const areZeros = !asTruths && isFloat(left.dtype) && freedoms.zeros;
    const same = areZeros ? `(or (= ${a} ${b}) (fp.eq ${a} ${b}))` : `(= ${a} ${b})`;
    for (const name of writer.floats()) {
      if (freedoms.noNaN) writer.lines.push(`(assert (not (fp.isNaN ${name})))`);
      if (freedoms.noInfinity) writer.lines.push(`(assert (not (fp.isInfinite ${name})))`);
    }
    writer.lines.push(`(assert (not ${same}))`);
  }
  return { text: writer.lines.join('\n'), symbols: writer.symbols, isVague: writer.isVague };
}

/** Writes terms, each once as a definition. */
class Writer {
  readonly lines: string[] = [];
  readonly symbols: SymbolTerm[] = [];
  isVague = false;
  readonly #theories: Theories;
  readonly #texts = new Map<Term, string>();
  readonly #domains = new Map<Term, string>();
  readonly #functions = new Set<string>();
  readonly #roots = new Map<string, string>();

  constructor(theories: Theories) {
    this.#theories = theories;
  }

  /** Whether all of a term has a meaning; then it is written. */
  write(root: Term): boolean {
    for (const term of subterms(root)) {
      if (this.#texts.has(term)) continue;
      const text = term._tag === 'Node' ? this.#node(term) : this.#leaf(term);
      if (text === undefined) return false;
      this.#texts.set(term, term._tag === 'Node' ? this.#named(term, text) : text);
      this.#domains.set(term, this.#theories.floats === 'real' ? this.#domain(term) : 'true');
    }
    return true;
  }

  /** The name of a written term. */
  textOf(term: Term): string {
    return this.#texts.get(term) ?? '';
  }

  /** A written term as a number: a truth is 1 or 0. */
  asNumber(term: Term): string {
    const text = this.textOf(term);
    if (!isTruth(term)) return text;
    return `(ite ${text} ${this.#number(1, term.dtype)} ${this.#number(0, term.dtype)})`;
  }

  /** The condition under which a written term has a value. */
  domainOf(term: Term): string {
    return this.#domains.get(term) ?? 'true';
  }

  /** The names of all floats. */
  floats(): ReadonlyArray<string> {
    const all = [...this.#texts].filter(([term]) => isFloat(term.dtype) && !isTruth(term));
    return all.map(([, name]) => name);
  }

  /** A written term as a truth: a number is true unless it is 0. */
  #asTruth(term: Term): string {
    const text = this.textOf(term);
    if (isTruth(term)) return text;
    const zero = this.#number(0, term.dtype);
    const isZero =
      this.#theory(term.dtype) === 'ieee' ? `(fp.eq ${text} ${zero})` : `(= ${text} ${zero})`;
    return `(not ${isZero})`;
  }

  #theory(dtype: DType) {
    return theoryOf(dtype, this.#theories);
  }

  #number(value: number, dtype: DType): string | undefined {
    return numberText(value, dtype, this.#theories, (square) => this.#root(square));
  }

  /** The root of a fraction has a name, and its square is known. */
  #root(square: string): string {
    const known = this.#roots.get(square);
    if (known !== undefined) return known;
    const name = `root${this.#roots.size}`;
    this.#roots.set(square, name);
    this.lines.push(`(declare-const ${name} Real)`);
    this.lines.push(`(assert (and (> ${name} 0.0) (= (* ${name} ${name}) ${square})))`);
    return name;
  }

  #leaf(term: NumberTerm | SymbolTerm): string | undefined {
    if (term._tag === 'Number') {
      if (term.dtype !== 'bool') return this.#number(term.value, term.dtype);
      return term.value === 0 ? 'false' : 'true';
    }
    const name = `s${this.symbols.length}`;
    this.symbols.push(term);
    const sort = term.dtype === 'bool' ? 'Bool' : sortOf(term.dtype, this.#theories);
    this.lines.push(`(declare-const ${name} ${sort})`);
    if (term.range !== undefined) this.lines.push(...this.#within(name, term, term.range));
    return name;
  }

  /** The bounds of a float, which is NaN otherwise. */
  #within(
    name: string,
    { dtype }: SymbolTerm,
    [least, most]: readonly [number, number],
  ): ReadonlyArray<string> {
    const isIeee = this.#theory(dtype) === 'ieee';
    const [leq, orNaN] = isIeee ? ['fp.leq', `(fp.isNaN ${name})`] : ['<=', 'false'];
    return [
      [this.#number(least, dtype), name],
      [name, this.#number(most, dtype)],
    ].flatMap(([low, high]) =>
      low === undefined || high === undefined
        ? []
        : [`(assert (or ${orNaN} (${leq} ${low} ${high})))`],
    );
  }

  #named(node: NodeTerm, text: string): string {
    const name = `t${this.#texts.size}`;
    const sort = isTruth(node) ? 'Bool' : sortOf(node.dtype, this.#theories);
    this.lines.push(`(define-fun ${name} () ${sort} ${text})`);
    if (this.#theory(node.dtype) !== 'real') return name;
    if (node.kind === 'exp') this.lines.push(`(assert (> ${name} 0.0))`);
    if (node.kind === 'sqrt') {
      const x = this.textOf(node.args[0] as Term);
      const isRoot = `(and (>= ${name} 0.0) (= (* ${name} ${name}) ${x}))`;
      this.lines.push(`(assert (=> (>= ${x} 0.0) ${isRoot}))`);
    }
    return name;
  }

  #node(node: NodeTerm): string | undefined {
    switch (node.kind) {
      case 'cast':
        return this.#cast(node);
      case 'sum':
        return this.#sum(node);
      case 'opaque':
        return this.#unknown(`operator ${node.name}`, node.dtype, node.args);
      case 'operator':
        return this.#theory(node.dtype) === 'ieee'
          ? this.#unknown(`operator ${node.name}`, node.dtype, node.args.slice(1))
          : this.textOf(node.args[0] as Term);
      default:
        return this.#filled({ ...node, kind: node.kind });
    }
  }

  /** The meaning of a node's kind, with its arguments. */
  #filled(node: NodeTerm & { readonly kind: keyof typeof MEANINGS }): string | undefined {
    const { kind, dtype, args } = node;
    const theory = this.#theory(dtype);
    const meaning = MEANINGS[kind];
    const areTruths = args.slice(kind === 'select' ? 1 : 0).every(isTruth);
    const isUnsigned = theory === 'bits' && dtypeInfo(dtype).kind !== 'int';
    const ofTruths = areTruths ? meaning.truth : undefined;
    const template = ofTruths ?? (isUnsigned ? meaning.unsigned : undefined) ?? meaning[theory];
    if (template === undefined)
      return isFloat(dtype) ? this.#unknown(kind, dtype, args) : undefined;
    const parts = args.map((arg, i) => {
      if (kind === 'select' && i === 0) return this.#asTruth(arg);
      return ofTruths === undefined ? this.asNumber(arg) : this.textOf(arg);
    });
    return template
      .replace(/\b[xyz]\b/g, (name) => parts['xyz'.indexOf(name)] ?? name)
      .replaceAll('ZERO', this.#number(0, dtype) ?? '')
      .replaceAll('NAN', `(_ NaN ${formatOf(dtype)})`);
  }

  /** A call of a function of which the solver knows only that it is one. */
  #unknown(kind: string, dtype: DType, args: ReadonlyArray<Term>): string {
    this.isVague = true;
    const name = `|${kind} ${dtype} ${args.map((arg) => arg.dtype).join(' ')}|`;
    const sorts = args.map((arg) => sortOf(arg.dtype, this.#theories)).join(' ');
    if (!this.#functions.has(name)) {
      this.lines.push(`(declare-fun ${name} (${sorts}) ${sortOf(dtype, this.#theories)})`);
    }
    this.#functions.add(name);
    return `(${name} ${args.map((arg) => this.asNumber(arg)).join(' ')})`;
  }

  /** Floats as integers are cut off; what no integer of the type is then, no theory here says. */
  #cast({ dtype, args }: NodeTerm): string | undefined {
    const [from] = args as [Term];
    const text = this.textOf(from);
    if (from.dtype === dtype) return text;
    if (dtype === 'bool') return this.#asTruth(from);
    if (isTruth(from)) {
      return `(ite ${text} ${this.#number(1, dtype)} ${this.#number(0, dtype)})`;
    }
    const [source, target] = [this.#theory(from.dtype), this.#theory(dtype)];
    if (source === 'real' && target === 'real') return text;
    if (source === 'ieee' && target === 'ieee') return `((_ to_fp ${formatOf(dtype)}) RNE ${text})`;
    if (source === 'ieee' && target === 'bits') return this.#cutOff(text, from.dtype, dtype, args);
    if (source === 'bits' && target === 'bits') return resized(text, from.dtype, dtype);
    if (source !== 'bits' || target !== 'ieee') return undefined;
    const kind = dtypeInfo(from.dtype).kind === 'int' ? 'to_fp' : 'to_fp_unsigned';
    return `((_ ${kind} ${formatOf(dtype)}) RNE ${text})`;
  }

  #cutOff(text: string, from: DType, to: DType, args: ReadonlyArray<Term>): string {
    const { bits, kind, min, max } = dtypeInfo(to);
    const [name, least] = kind === 'int' ? ['fp.to_sbv', min] : ['fp.to_ubv', 0];
    const isHeld = `(and (fp.leq ${this.#number(Number(least), from)} ${text}) (fp.lt ${text} ${this.#number(Number(max) + 1, from)}))`;
    return `(ite ${isHeld} ((_ ${name} ${bits}) RTZ ${text}) ${this.#unknown('cast', to, args)})`;
  }

  #sum({ dtype, args }: NodeTerm): string {
    const theory = this.#theory(dtype);
    if (theory === 'ieee') return this.#unknown('sum', dtype, args);
    const parts = args.map((arg) => this.asNumber(arg));
    const name = theory === 'bits' ? 'bvadd' : '+';
    return parts.reduce((sum, part) => `(${name} ${sum} ${part})`);
  }

  /** The condition under which a term has a real value: a name, or `true`. */
  #domain(term: Term): string {
    if (term._tag !== 'Node') return 'true';
    const inner = term.args.map((arg) => this.domainOf(arg));
    if (term.kind === 'select') {
      const chosen = `(ite ${this.#asTruth(term.args[0] as Term)} ${inner[1]} ${inner[2]})`;
      return `(and ${inner[0]} ${chosen})`;
    }
    const all = [...new Set([...inner, ...this.#ownDomain(term)])].filter(
      (part) => part !== 'true',
    );
    if (all.length === 0) return 'true';
    const name = `d${this.#domains.size}`;
    this.lines.push(`(define-fun ${name} () Bool (and ${all.join(' ')}))`);
    return name;
  }

  #ownDomain({ kind, dtype, args }: NodeTerm): ReadonlyArray<string> {
    if (this.#theory(dtype) !== 'real') return [];
    const [first, second] = args.map((arg) => this.asNumber(arg));
    if (kind === 'sqrt') return [`(>= ${first} 0.0)`];
    if (kind === 'log') return [`(> ${first} 0.0)`];
    const divides = kind === 'div' || kind === 'rem' || kind === 'floorDiv';
    return divides ? [`(not (= ${second} 0.0))`] : [];
  }
}

/** Bits of an integer as more of them, or as the last ones. */
function resized(text: string, from: DType, to: DType): string {
  const more = dtypeInfo(to).bits - dtypeInfo(from).bits;
  if (more === 0) return text;
  if (more < 0) return `((_ extract ${dtypeInfo(to).bits - 1} 0) ${text})`;
  const kind = dtypeInfo(from).kind === 'int' ? 'sign_extend' : 'zero_extend';
  return `((_ ${kind} ${more}) ${text})`;
}
