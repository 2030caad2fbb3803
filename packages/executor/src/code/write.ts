/**
 * Expressions to instructions, in the order of evaluation: strict, left to right, a computed callee
 * after the arguments (decisions [D13](https://batonjs.github.io/baton/spec/decisions#D13) and
 * [D17](https://batonjs.github.io/baton/spec/decisions#D17)).
 */
import { type Diagnostic, invariant } from '@baton/base';
import {
  type Call,
  type Constructor,
  type Expr,
  type Func,
  type If,
  type Let,
  type Match,
  noAttrs,
  type RefRead,
} from '@baton/ir';
import * as diagnostics from '../diagnostics.ts';
import { calleeName } from '../promises.ts';
import type { CheckedValue } from '../values/dimensions.ts';
import { boxed } from '../values/scalar.ts';
import { adtValue, emptyTuple } from '../values/value.ts';
import { isAtom } from './analysis.ts';
import {
  type Arm,
  type Builder,
  constantOperand,
  type Emission,
  lookUp,
  newSlot,
  sharedSlot,
} from './builder.ts';
import type { Compilation } from './compilation.ts';
import * as ins from './instruction.ts';
import { matchSteps } from './patterns.ts';
import { inputsCheck, operatorCode, operatorSite } from './sites.ts';

/**
 * Writes the instructions that give the value of `root`. The result is where the value then is, or
 * `undefined` if `isTail`: then the instructions end the function with it.
 *
 * **Complexity** linear in the nodes that belong to this run of instructions.
 */
export const writeValue = (
  root: Expr,
  isTail: boolean,
  emission: Emission,
  compilation: Compilation,
): ins.Operand | undefined =>
  write(emission, compilation, (writer) => writer.value(root, undefined, isTail));

/** As {@link writeValue}, but `root` is what this run of instructions is for: it is computed. */
export const writeNode = (
  root: Expr,
  isTail: boolean,
  emission: Emission,
  compilation: Compilation,
): ins.Operand | undefined =>
  write(emission, compilation, (writer) => writer.node(root, undefined, isTail));

function write(
  emission: Emission,
  compilation: Compilation,
  start: (writer: Writer) => void,
): ins.Operand | undefined {
  const jobs: Array<() => void> = [];
  const operands: ins.Operand[] = [];
  start(makeWriter(emission, compilation, jobs, operands));
  for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) job();
  return operands.pop();
}

/** The slot that a value is wanted in, or `undefined` for wherever it happens to be. */
type Want = number | undefined;

/** A node, and where its value goes. */
interface Place {
  readonly node: Expr;
  readonly want: Want;
  readonly isTail: boolean;
}

/**
 * Both put work on the list of jobs. Once it is done, the value's operand is on the stack of
 * operands, or the function has ended with it if `isTail`.
 */
interface Writer {
  /** Writes what is needed to have the value of a node: nothing, if it has been computed. */
  readonly value: (node: Expr, want: Want, isTail: boolean) => void;
  /** Writes the computation of a node that is no atom. */
  readonly node: (node: Expr, want: Want, isTail: boolean) => void;
}

function makeWriter(
  emission: Emission,
  compilation: Compilation,
  jobs: Array<() => void>,
  operands: ins.Operand[],
): Writer {
  const { builder, emit, consume } = emission;
  const { analysis, context } = compilation;

  const inOrder = (steps: ReadonlyArray<() => void>): void => {
    for (let i = steps.length - 1; i >= 0; i--) jobs.push(steps[i] as () => void);
  };
  /** Has the operands computed from left to right, then goes on with where they are. */
  const withOperands = (
    nodes: ReadonlyArray<Expr>,
    then: (inputs: ReadonlyArray<ins.Operand>) => void,
  ): void => {
    jobs.push(() => then(popped(nodes.length)));
    for (let i = nodes.length - 1; i >= 0; i--) {
      const node = nodes[i] as Expr;
      jobs.push(() => value(node, undefined, false));
    }
  };
  const popped = (count: number): ReadonlyArray<ins.Operand> =>
    operands.splice(operands.length - count, count);
  const here = (): number => builder.routine.instructions.length;

  /** Brings a value that is there to where it is wanted. */
  const deliver = (operand: ins.Operand, want: Want, isTail: boolean): void => {
    if (isTail) emit(ins.RETURN, undefined, { a: operand });
    else if (want === undefined || want === operand) operands.push(operand);
    else {
      emit(ins.MOVE, undefined, { dest: want, a: operand, dead: consume([operand]) });
      operands.push(want);
    }
  };

  /** Writes the instruction that computes a node from its operands. */
  const finish = <Op extends ins.Instruction['op']>(
    op: Op,
    data: ins.DataOf<Op>,
    at: Place,
    inputs: ReadonlyArray<ins.Operand>,
  ): void => {
    const dead = consume(inputs);
    const dest = at.want ?? emission.temporary(compilation.isScalar(at.node));
    emit(op, data, { dest, a: inputs[0] ?? 0, b: inputs[1] ?? 0, args: inputs, dead });
    deliver(dest, undefined, at.isTail);
  };

  const failWith = (problem: Diagnostic, want: Want, isTail: boolean): void => {
    emit(ins.FAIL, problem, {});
    deliver(constantOperand(builder, emptyTuple), want, isTail);
  };

  const value = (node: Expr, want: Want, isTail: boolean): void => {
    if (isAtom(node)) {
      const found = atom(node, builder, compilation);
      if (typeof found === 'number') deliver(found, want, isTail);
      else failWith(found, want, isTail);
      return;
    }
    const placement = analysis.placementOf(node);
    if (placement === 'once') compute(node, want, isTail);
    else if (placement === 'first') first(node, want, isTail);
    else if (placement === 'demand') demand(node, want, isTail);
    else {
      invariant(isTail, 'all uses of the node end the function');
      emit(ins.JUMP, compilation.targetOf(node, builder), {});
    }
  };

  /** A shared node at its first use, or later. */
  const first = (node: Expr, want: Want, isTail: boolean): void => {
    const known = lookUp(builder, node);
    if (known !== undefined) {
      deliver(known, want, isTail);
      return;
    }
    const slot = newSlot(builder);
    jobs.push(() => {
      operands.pop();
      builder.places.set(node, slot);
      emission.count(slot, analysis.usesOf(node), compilation.isScalar(node));
      deliver(slot, want, isTail);
    });
    jobs.push(() => compute(node, slot, false));
  };

  const demand = (node: Expr, want: Want, isTail: boolean): void => {
    const home = homeOf(node, builder, compilation);
    const site: ins.SharedSite = {
      routine: home.routine,
      target: compilation.targetOf(node, home),
      slot: sharedSlot(node, home),
      hops: hopsTo(home, builder),
    };
    const dest = home === builder ? site.slot : (want ?? emission.temporary(false));
    emit(ins.DEMAND, site, { dest });
    deliver(dest, want, isTail);
  };

  const compute = (node: Expr, want: Want, isTail: boolean): void => {
    const at = { node, want, isTail };
    switch (node._tag) {
      case 'Tuple':
        if (node.fields.length === 0) deliver(constantOperand(builder, emptyTuple), want, isTail);
        else withOperands(node.fields, (inputs) => finish(ins.TUPLE, undefined, at, inputs));
        break;
      case 'TupleGetItem':
        withOperands([node.tuple], (inputs) => finish(ins.PROJECT, node.index, at, inputs));
        break;
      case 'Function':
        closure(node, want, isTail);
        break;
      case 'Call':
        call(node, want, isTail);
        break;
      case 'Let':
        bind(node, want, isTail);
        break;
      case 'If':
        branch(node, want, isTail);
        break;
      case 'Match':
        choose(node, want, isTail);
        break;
      case 'RefCreate':
        withOperands([node.value], (inputs) => finish(ins.REF_CREATE, undefined, at, inputs));
        break;
      case 'RefRead':
        withOperands([node.ref], (inputs) => readCell(node, inputs, at));
        break;
      case 'RefWrite':
        withOperands([node.ref, node.value], (inputs) =>
          finish(ins.REF_WRITE, undefined, at, inputs),
        );
        break;
      default:
        value(node, want, isTail);
    }
  };

  /** What a cell holds may be of a type with `?` where the type that it is read at has a size. */
  const readCell = (node: RefRead, inputs: ReadonlyArray<ins.Operand>, at: Place): void => {
    const type = compilation.statedBy(node);
    if (type === undefined) {
      finish(ins.REF_READ, undefined, at, inputs);
      return;
    }
    finish(ins.REF_READ, undefined, { ...at, isTail: false }, inputs);
    const operand = operands.pop() as ins.Operand;
    checkSizes({ operand, subject: 'what the reference holds', type, span: node.span });
    deliver(operand, undefined, at.isTail);
  };

  const closure = (node: Func, want: Want, isTail: boolean): void => {
    const child = compilation.builderOf(node, builder);
    const site: ins.ClosureSite = { routine: child.routine, sources: [], self: [] };
    compilation.closureMade(site, child);
    finish(ins.CLOSURE, site, { node, want, isTail }, []);
  };

  const call = (node: Call, want: Want, isTail: boolean): void => {
    const { op, args } = node;
    if (op._tag === 'Op') callOperator(node, op.name, { node, want, isTail });
    else if (op._tag === 'Constructor') construct(node, op, { node, want, isTail });
    else withOperands([...args, op], (inputs) => callFunction(node, inputs, want, isTail));
  };

  const callOperator = (node: Call, name: string, at: Place): void => {
    const site = operatorSite(name, node.attrs ?? noAttrs, node.span, context.module.ops);
    const code = operatorCode(site, node.args.length);
    withOperands(node.args, (inputs) => finish(code, site, at, inputs));
  };

  const construct = (node: Call, ctor: Constructor, at: Place): void => {
    if (node.args.length === 0) {
      deliver(nullary(ctor), at.want, at.isTail);
      return;
    }
    withOperands(node.args, (inputs) => {
      const check = inputsCheck(ctor, node.span, inputs, () => newSlot(builder));
      finish(ins.CONSTRUCT, { ctor, check }, at, inputs);
    });
  };

  const callFunction = (
    node: Call,
    inputs: ReadonlyArray<ins.Operand>,
    want: Want,
    isTail: boolean,
  ): void => {
    const args = inputs.slice(0, -1);
    const a = inputs[inputs.length - 1] as ins.Operand;
    const dead = consume(inputs);
    const site = { span: node.span };
    const promise = compilation.promiseOf(node);
    if (isTail && promise?.mayBeKept !== false) {
      const otherwise: ins.Target = { at: -1 };
      if (promise !== undefined) {
        emit(ins.UNLESS_KEPT, { type: promise.type, otherwise, kept: undefined }, { a });
      }
      emit(ins.TAIL_CALL, site, { a, args, dead });
      otherwise.at = here();
      if (promise === undefined) return;
    }
    const dest = want ?? emission.temporary(compilation.isScalar(node));
    emit(ins.CALL, site, { dest, a, args, dead });
    if (promise !== undefined) {
      const subject = `the result of ${calleeName(node.op)}`;
      checkSizes({ operand: dest, subject, type: promise.type, span: node.span });
    }
    deliver(dest, undefined, isTail);
  };

  const checkSizes = (...values: ReadonlyArray<CheckedValue>): void => {
    const check = compilation.checkOf(values, builder);
    if (check !== undefined) emit(ins.CHECK, check, {});
  };

  const nullary = (ctor: Constructor): ins.Operand => {
    const known = builder.places.get(ctor);
    if (known !== undefined) return known;
    const operand = constantOperand(builder, adtValue(ctor, []));
    builder.places.set(ctor, operand);
    return operand;
  };

  const bind = (node: Let, want: Want, isTail: boolean): void => {
    const { variable } = node;
    const uses = analysis.usesOf(variable);
    const slot = uses > 0 ? newSlot(builder) : undefined;
    jobs.push(() => {
      const operand = operands.pop() as ins.Operand;
      checkBound(node, operand);
      if (slot === undefined) forget(consume([operand]));
      else {
        builder.places.set(variable, slot);
        emission.count(slot, uses, compilation.isScalar(node.value));
      }
      value(node.body, want, isTail);
    });
    jobs.push(() => value(node.value, slot, false));
  };

  /** Checks the value of a let where its own type promises less than the variable's. */
  const checkBound = (node: Let, operand: ins.Operand): void => {
    const { variable } = node;
    const type = variable.typeAnnotation;
    if (!compilation.mayDiffer(node.value, type)) return;
    const subject = `variable %${variable.nameHint}`;
    checkSizes({ operand, subject, type, span: variable.span ?? node.span });
  };

  const forget = (dead: ReadonlyArray<number>): void => {
    if (dead.length > 0) emit(ins.FORGET, undefined, { dead });
  };

  const branch = (node: If, want: Want, isTail: boolean): void => {
    withOperands([node.cond], (cond) => {
      const otherwise: ins.Target = { at: -1 };
      emit(ins.BRANCH, otherwise, { a: cond[0] ?? 0, dead: consume(cond) });
      arms(
        [
          { target: undefined, body: node.trueBranch },
          { target: otherwise, body: node.falseBranch },
        ],
        { node, want, isTail },
      );
    });
  };

  const choose = (node: Match, want: Want, isTail: boolean): void => {
    withOperands([node.data], (data) => {
      const clauses = node.clauses.map((clause) => {
        const slots: Array<readonly [slot: number, uses: number]> = [];
        const checks: CheckedValue[] = [];
        const steps = matchSteps(clause.pattern, (variable) => {
          const uses = analysis.usesOf(variable);
          if (uses === 0) return undefined;
          const slot = newSlot(builder);
          builder.places.set(variable, slot);
          slots.push([slot, uses]);
          const type = compilation.statedBy(variable);
          const subject = `variable %${variable.nameHint}`;
          const span = variable.span ?? node.span;
          if (type !== undefined) checks.push({ operand: slot, subject, type, span });
          return slot;
        });
        return { steps, target: { at: -1 }, body: clause.body, slots, checks };
      });
      const site = { clauses, span: node.span };
      emit(ins.MATCH, site, { a: data[0] ?? 0, dead: consume(data) });
      arms(clauses, { node, want, isTail });
    });
  };

  /** Parts of which one runs. Their values end up in one place. */
  const arms = (parts: ReadonlyArray<ArmPart>, at: Place): void => {
    const { isTail } = at;
    const outer = emission.arm();
    const end: ins.Target = { at: -1 };
    const dest = isTail
      ? undefined
      : (at.want ?? emission.temporary(compilation.isScalar(at.node)));
    const entered: Arm[] = [];
    const steps = parts.flatMap((part, i) => [
      () => {
        if (part.target !== undefined) part.target.at = here();
        entered.push(emission.enter(outer));
        for (const [slot, uses] of part.slots ?? []) emission.count(slot, uses, false);
        checkSizes(...(part.checks ?? []));
        value(part.body, dest, isTail);
      },
      () => {
        if (isTail) return;
        operands.pop();
        if (i < parts.length - 1) emit(ins.JUMP, end, {});
      },
    ]);
    jobs.push(() => {
      end.at = here();
      emission.goOn(outer);
      if (dest === undefined) return;
      forget(entered.flatMap((arm) => arm.dying));
      operands.push(dest);
    });
    inOrder(steps);
  };

  return { value, node: compute };
}

/** A part of which it is known where it starts, and what its pattern binds. */
interface ArmPart {
  readonly target: ins.Target | undefined;
  readonly body: Expr;
  readonly slots?: ReadonlyArray<readonly [slot: number, uses: number]>;
  /** Fields of data may be of types with `?` where the type of the data has sizes. */
  readonly checks?: ReadonlyArray<CheckedValue>;
}

/** The operand of an atom, or why there is none. */
function atom(node: Expr, builder: Builder, { context }: Compilation): ins.Operand | Diagnostic {
  switch (node._tag) {
    case 'Var':
      return lookUp(builder, node) ?? diagnostics.unboundVariable(node.nameHint, node.span);
    case 'Constant': {
      const known = builder.places.get(node);
      if (known !== undefined) return known;
      const operand = constantOperand(builder, boxed(node.data));
      builder.places.set(node, operand);
      return operand;
    }
    case 'GlobalVar': {
      const closure = context.globalFunction(node.nameHint);
      return closure === undefined
        ? diagnostics.unknownGlobal(node.nameHint, node.span)
        : constantOperand(builder, closure);
    }
    case 'Op':
    case 'Constructor': {
      const wrapped = context.wrapped(node);
      return wrapped._tag === 'Closure' ? constantOperand(builder, wrapped) : wrapped;
    }
    default:
      return diagnostics.notCovered('a node private to a pass', node.span);
  }
}

/** The routine whose activation owns a node. */
function homeOf(node: Expr, builder: Builder, { analysis }: Compilation): Builder {
  const func = analysis.homeOf(node);
  let at: Builder | undefined = builder;
  while (at !== undefined && at.routine.func !== func) at = at.parent;
  invariant(at !== undefined, 'a node belongs to a function around its uses');
  return at;
}

/** How many environments lie between an activation and the one that owns a shared node. */
function hopsTo(home: Builder, builder: Builder): number {
  let hops = ins.NOWHERE;
  for (let at: Builder | undefined = builder; at !== undefined; at = at.parent) {
    if (at === home) return at === builder ? ins.NOWHERE : hops + 1;
    if (at.routine.sharesSlots) hops += 1;
  }
  return ins.NOWHERE;
}
