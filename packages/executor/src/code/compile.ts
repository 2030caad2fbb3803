/** Functions to instructions. */
import { remember } from '@baton/base';
import { type Expr, type Func, postOrderExprs, typeOf } from '@baton/ir';
import { endsInCheck, resultName } from '../size-claims.ts';
import {
  type CheckedValue,
  type DimensionCheck,
  sizeVariables,
  statesSizes,
} from '../values/dimensions.ts';
import { type Analysis, analyse, isAtom } from './analysis.ts';
import {
  type Builder,
  type Emission,
  lookUp,
  makeBuilder,
  makeEmission,
  newSlot,
  sharedSlot,
} from './builder.ts';
import type { Compilation, CompileContext, HostedSegment } from './compilation.ts';
import type { HostRoutine } from './host.ts';
import {
  CHECK,
  type ClosureSite,
  FORGET,
  HOST,
  newRoutine,
  type Operand,
  RETURN,
  RETURN_SHARED,
  type Routine,
  type Target,
  TRY_HOST,
} from './instruction.ts';
import { refcountingOf } from './refcounts.ts';
import { type Segment, segmentsOf } from './segment.ts';
import { writeNode, writeValue } from './write.ts';

/** Fills in the routine of a global function. **Complexity** linear in its nodes. */
export function compileFunction(root: Func, routine: Routine, context: CompileContext): void {
  const m = context.module;
  const analysis = analyse(root, (func) => endsInCheck(func, m));
  const builders = new Map<Func, Builder>();
  const tasks: Array<() => void> = [];
  const sites: Array<{ readonly site: ClosureSite; readonly child: Builder }> = [];

  const compilation: Compilation = {
    context,
    analysis,
    builderOf: (func, parent) =>
      remember(builders, func, () => {
        const isShared = analysis.sharesSlots(func);
        const inner = newRoutine(func, func.params.length, isShared, context.executor);
        const builder = makeBuilder(inner, parent);
        tasks.push(() => writeFunction(func, builder));
        return builder;
      }),
    targetOf: (node, builder) =>
      remember(builder.targets, node, () => {
        const target = { at: -1 };
        tasks.push(() => {
          target.at = builder.routine.instructions.length;
          writeShared(node, builder, compilation);
        });
        return target;
      }),
    hostedAt: hostedSegments(analysis, context),
    closureMade: (site, child) => {
      sites.push({ site, child });
    },
    refcountingOf: (node) => refcountingOf(typeOf(m, node)),
    checkOf,
  };

  const writeFunction = (func: Func, builder: Builder): void => {
    const emission = makeEmission(builder);
    func.params.forEach((param, i) => {
      builder.operands.set(param, i);
      builder.refcounting[i] = refcountingOf(param.typeAnnotation);
      emission.count(i, analysis.usesOf(param));
    });
    builder.routine.check = checkOf(parameterValues(func), builder);
    const hosted = context.host.functionRoutine(func);
    if (hosted !== undefined && isWhole(func, analysis)) {
      const otherwise = writeHosted(hosted, emission);
      if (otherwise === undefined) return;
      otherwise.at = builder.routine.instructions.length;
    }
    const checked = endsInCheck(func, m);
    const result = writeValue(func.body, !checked, emission, compilation);
    if (result === undefined) return;
    const subject = resultName(func, m);
    const check =
      checked && func.retType !== undefined
        ? checkOf([{ operand: result, subject, type: func.retType, span: func.span }], builder)
        : undefined;
    if (check !== undefined) emission.emit(CHECK, check, {});
    emission.emit(RETURN, undefined, { a: result, ...emission.leaveWith([result]) });
  };

  routine.sharesSlots = analysis.sharesSlots(root);
  const start = makeBuilder(routine, undefined);
  builders.set(root, start);
  tasks.push(() => writeFunction(root, start));
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) task();
  for (const { site, child } of sites) connect(site, child, analysis);
}

/** Finds the segments that the host computes; asks for each when the writer first reaches it. */
function hostedSegments(
  analysis: Analysis,
  { module: m, host }: CompileContext,
): Compilation['hostedAt'] {
  const segments = segmentsOf(analysis, m, host.takes);
  const asked = new Map<Segment, { readonly hosted: HostedSegment | undefined }>();
  const ask = (segment: Segment): { readonly hosted: HostedSegment | undefined } => {
    const routine = host.segmentRoutine(segment);
    return { hosted: routine && { segment, routine } };
  };
  return (node) => {
    const segment = segments.get(node);
    return segment && remember(asked, segment, () => ask(segment)).hosted;
  };
}

/** A node in tail position ends its function; one on demand returns to its first use. */
function writeShared(node: Expr, builder: Builder, compilation: Compilation): void {
  const emission = makeEmission(builder);
  const isTail = compilation.analysis.placementOf(node) === 'tail';
  const result = writeNode(node, isTail, emission, compilation);
  if (result === undefined) return;
  const dest = sharedSlot(node, builder, compilation.refcountingOf(node));
  emission.emit(RETURN_SHARED, undefined, { a: result, dest, ...emission.pass([result]) });
}

/** The instructions of a hosted function, and where those for calls that the host refuses start. */
function writeHosted(hosted: HostRoutine, { builder, emit }: Emission): Target | undefined {
  const args = Array.from({ length: builder.routine.parameterCount }, (_, i) => i);
  const dest = newSlot(builder, 'emptied');
  const otherwise = hosted.callAtSizes && { at: -1 };
  if (hosted.callAtSizes && otherwise) {
    emit(TRY_HOST, { call: hosted.callAtSizes, otherwise }, { dest, args });
  } else emit(HOST, hosted, { dest, args });
  emit(FORGET, undefined, { dead: args.filter((i) => builder.refcounting[i] !== 'none') });
  emit(RETURN, undefined, { a: dest });
  return otherwise;
}

/** Whether a function, or one inside it, evaluates all nodes in its body, and no others need them. */
function isWhole(func: Func, analysis: Analysis): boolean {
  const nodes = postOrderExprs([func.body]);
  const own = new Set<Expr>([func, ...nodes.filter(({ _tag }) => _tag === 'Function')]);
  return (
    !analysis.sharesValues(func) &&
    nodes.every((node) => isAtom(node) || own.has(analysis.homeOf(node)))
  );
}

/** Fills in the captures of a closure, once everything inside it is compiled. */
function connect(site: ClosureSite, child: Builder, analysis: Analysis): void {
  const { func } = child.routine;
  const names = new Set<unknown>(func === undefined ? [] : analysis.namesOf(func));
  const self: number[] = [];
  site.sources = child.captures.map((key, i): Operand => {
    if (names.has(key)) self.push(i);
    return child.parent?.operands.get(key) ?? 0;
  });
  site.self = self;
}

const parameterValues = (func: Func): ReadonlyArray<CheckedValue> =>
  func.params.flatMap((param, operand) => {
    const type = param.typeAnnotation;
    const subject = `parameter %${param.nameHint}`;
    return type === undefined ? [] : [{ operand, subject, type, span: param.span ?? func.span }];
  });

function checkOf(
  values: ReadonlyArray<CheckedValue>,
  builder: Builder,
): DimensionCheck | undefined {
  const stated = values.filter((value) => statesSizes(value.type));
  if (stated.length === 0) return undefined;
  const declared = new Set(builder.routine.func?.typeParams ?? []);
  const sizes = new Map(
    stated
      .flatMap((value) => sizeVariables(value.type))
      .map((name) => {
        // A name of a surrounding function has its size from there.
        const known = declared.has(name) ? builder.operands.get(name) : lookUp(builder, name);
        const slot = known ?? newSlot(builder, 'none');
        builder.operands.set(name, slot);
        return [name, slot] as const;
      }),
  );
  return { values: stated, sizes };
}
