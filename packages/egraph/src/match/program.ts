/** Left-hand sides as programs for matching. */
import {
  clausesOf,
  MATCHED,
  type Pattern,
  partsOf,
  patternsOf,
  patternVariables,
  payloadVariable,
  payloadVariables,
  type Side,
  subpatterns,
} from '../pattern.ts';

export type OperatorPattern = Exclude<Pattern, { _tag: 'Variable' }>;

/**
 * A step of matching with several outcomes. Registers hold canonical classes; `slot` is the number
 * of the operator, and so of the pattern's node, that the step matches.
 */
export type Loop =
  /**
   * Visits every node of an operator, anywhere (`Scan`) or in the class in `root` (`Bind`): its
   * class goes to `root`, its children to `out …`. With `payload` ≥ 0 it visits every node of a
   * family of operators, and the number of its payload goes there.
   */
  | {
      readonly _tag: 'Scan' | 'Bind';
      readonly slot: number;
      readonly root: number;
      readonly out: number;
      readonly arity: number;
      readonly payload: number;
    }
  /** Visits every class. */
  | { readonly _tag: 'Classes'; readonly root: number };

export type Instruction =
  | Loop
  /** Succeeds if both registers hold the same class. */
  | { readonly _tag: 'Same'; readonly root: number; readonly other: number }
  /** Succeeds if there is a node of an operator above these registers: its class goes to `root`. */
  | {
      readonly _tag: 'Get';
      readonly slot: number;
      readonly root: number;
      readonly args: ReadonlyArray<number>;
    };

/** A left-hand side, compiled for interpretation and for generated code. */
export interface Program {
  /** The operator of each node of the patterns, in the order of `subpatterns`. */
  readonly operators: ReadonlyArray<OperatorPattern>;
  readonly instructions: ReadonlyArray<Instruction>;
  readonly registers: number;
  readonly variables: ReadonlyArray<string>;
  readonly payloads: ReadonlySet<string>;
  /** The registers that make a match: the matched class's, then the variables'. */
  readonly places: ReadonlyArray<number>;
}

/** The program of a side; the class of a multi-pattern is its first clause's. */
export function compileSide(side: Side): Program {
  const operators = subpatterns(patternsOf(side)).flatMap((p) => (p._tag === 'Variable' ? [] : p));
  /** The operators without a step so far. One object may occur in the pattern twice. */
  const open: (OperatorPattern | undefined)[] = [...operators];
  const instructions: Instruction[] = [];
  const registerOf = new Map<string, number>();
  const demands: (readonly [OperatorPattern, number])[] = [];
  let registers = 0;

  const slotOf = (p: OperatorPattern): number => {
    const slot = open.indexOf(p);
    open[slot] = undefined;
    return slot;
  };

  /** Binds `name` to the class in `root`. */
  const bind = (name: string, root: number): void => {
    const other = registerOf.get(name);
    if (other === undefined) registerOf.set(name, root);
    else if (other !== root) instructions.push({ _tag: 'Same', root, other });
  };

  const demand = (p: Pattern, root: number): void => {
    if (p._tag === 'Variable') bind(p.name, root);
    else demands.push([p, root]);
  };

  /** Emits a loop over nodes of the operator of `p`, and demands its children. */
  const loop = (_tag: 'Scan' | 'Bind', p: OperatorPattern, root: number): void => {
    const children = partsOf(p);
    const out = registers;
    registers += children.length;
    const own = payloadVariable(p);
    const payload = own === undefined ? -1 : registers++;
    instructions.push({ _tag, slot: slotOf(p), root, out, arity: children.length, payload });
    if (own !== undefined) bind(own, payload);
    children.forEach((child, i) => {
      demand(child, out + i);
    });
  };

  /** Looks a ground pattern up from the leaves on, and returns the register of its class. */
  const get = (p: Pattern): number => {
    if (p._tag === 'Variable') return registerOf.get(p.name) as number;
    const slot = slotOf(p);
    const args = partsOf(p).map(get);
    instructions.push({ _tag: 'Get', slot, root: registers, args });
    return registers++;
  };

  clausesOf(side).forEach(({ variable, pattern }, i) => {
    const known = registerOf.get(variable);
    const root = known ?? registers++;
    if (i === 0) bind(MATCHED, root);
    if (known !== undefined) demand(pattern, root);
    else if (pattern._tag !== 'Variable') loop('Scan', pattern, root);
    else {
      instructions.push({ _tag: 'Classes', root });
      bind(pattern.name, root);
    }
    while (demands.length > 0) {
      const next = demands.reduce((x, y) => (isBefore(registerOf, y[0], x[0]) ? y : x));
      demands.splice(demands.indexOf(next), 1);
      const [p, register] = next;
      if (free(registerOf, p) > 0 || payloadVariables([p]).size > 0) loop('Bind', p, register);
      else instructions.push({ _tag: 'Same', root: get(p), other: register });
    }
    bind(variable, root);
  });
  const [, ...variables] = registerOf.keys();
  const payloads = payloadVariables(patternsOf(side));
  return {
    operators,
    instructions,
    registers,
    variables,
    payloads,
    places: [...registerOf.values()],
  };
}

/** The unbound variables of a pattern. */
const free = (known: ReadonlyMap<string, number>, p: Pattern): number =>
  patternVariables(p).filter((name) => !known.has(name)).length;

/** Ground patterns come first, then those that bind most variables, then small ones. */
function isBefore(known: ReadonlyMap<string, number>, x: Pattern, y: Pattern): boolean {
  const [freeX, freeY] = [free(known, x), free(known, y)];
  if (freeX === freeY) return subpatterns([x]).length < subpatterns([y]).length;
  return freeX === 0 || (freeY !== 0 && freeX > freeY);
}
