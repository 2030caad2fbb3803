/** Definitions against kernels: calls of one operator, and the same calls spelled out, in all regimes. */
import { InvariantError, isLeft, orThrow } from '@baton/base';
import { checkEquivalent, REGIMES } from '@baton/equivalence';
import {
  type Expr,
  func,
  type IRModule,
  inferTypes,
  irModule,
  type OpTable,
  rewriteExpr,
  typeOf,
} from '@baton/ir';
import { definitionOf, isOpCall } from '@baton/ops';
import { FAST_MATH, type FastMath } from '@baton/pass-manager';
import type { DType } from '@baton/tensor';
import { printModule } from '@baton/text';
import { callsOf } from './single-call.ts';

/** The freedoms of a definition that rounds at other steps than its kernel. */
const ROUNDS_ELSEWHERE: ReadonlyArray<FastMath> = FAST_MATH.filter(
  (word) => word !== 'narrow' && word !== 'quantized' && word !== 'scaled',
);

export interface DefinitionCheck {
  readonly seed: number;
  readonly count: number;
  readonly float?: DType;
}

export interface DefinitionCount {
  readonly operators: Set<string>;
  calls: number;
  regimes: number;
}

/** The differences between kernel and definition of an operator on random calls, counted. */
export function checkDefinition(
  ops: OpTable,
  name: string,
  { seed, count, float = 'float32' }: DefinitionCheck,
  counts: DefinitionCount,
): ReadonlyArray<string> {
  const problems: string[] = [];
  for (let one = seed; one < seed + count; one++) {
    const m = callsOf(ops, name, [one], float);
    if (m !== undefined) problems.push(...definitionProblems(m, name, one, counts));
  }
  return problems;
}

export function definitionProblems(
  m: IRModule,
  name: string,
  seed: number,
  counts: DefinitionCount,
): ReadonlyArray<string> {
  const exact = spelledOut(m, name, true);
  const other = exact ?? spelledOut(m, name, false);
  if (other === undefined) return [];
  const needs = exact === undefined ? ROUNDS_ELSEWHERE : [];
  const { regimes } = orThrow(checkEquivalent(m, other, { seed, needs }));
  counts.operators.add(name);
  counts.calls++;
  return REGIMES.flatMap((regime) => {
    const verdict = regimes[regime];
    if (verdict._tag === 'NotApplied') return [];
    counts.regimes++;
    const found = JSON.stringify(verdict.counterexample);
    return verdict.equal
      ? []
      : [`${name}, seed ${seed}, ${regime}: ${found}\n${printModule(other)}`];
  });
}

/** The module with the calls of an operator spelled out; `undefined` if no call has a definition. */
function spelledOut(m: IRModule, name: string, exactly: boolean): IRModule | undefined {
  let count = 0;
  const functions = [...m.functions].map(([key, f]) => {
    const body = rewriteExpr(f.body, (node, get) => {
      const made =
        isOpCall(node) && node.op.name === name ? ofCall(m, node, get, exactly) : undefined;
      if (made !== undefined) count++;
      return made;
    });
    return [key, func(f.params, body, { retType: f.retType })] as const;
  });
  if (count === 0) return undefined;
  const typed = inferTypes(irModule({ functions: new Map(functions), ops: m.ops }));
  if (isLeft(typed)) {
    throw new InvariantError(`the definition of ${name} is well-typed: ${typed.left[0].message}`);
  }
  return typed.right;
}

function ofCall(
  m: IRModule,
  node: Expr,
  get: (other: Expr) => Expr,
  exactly: boolean,
): Expr | undefined {
  const type = typeOf(m, node);
  if (!isOpCall(node) || type === undefined) return undefined;
  const types = node.args.map((arg) => typeOf(m, arg)).filter((each) => each !== undefined);
  const { op, attrs, span } = node;
  const called = { name: op.name, attrs, args: node.args.map(get), types, type, span };
  const made = definitionOf(m.ops, called, { exactly });
  return made === undefined || isLeft(made) ? undefined : made.right;
}
