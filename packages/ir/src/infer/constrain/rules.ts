/**
 * The type of each kind of expression, from the types of its parts:
 * [types §3.3](https://batonjs.github.io/baton/spec/types#3.3) and
 * [§5](https://batonjs.github.io/baton/spec/types#5).
 */
import { type Diagnostic, didYouMean, type Span } from '@baton/base';
import { unmatchedCases } from '../../analysis/match-coverage.ts';
import { describeType } from '../../describe/describe.ts';
import * as diagnose from '../../diagnostics.ts';
import type {
  Call,
  Constant,
  Expr,
  Func,
  GlobalVar,
  If,
  Match,
  RefRead,
  RefWrite,
} from '../../expr/expr.ts';
import { partSpan } from '../../expr/part-span.ts';
import {
  funcType,
  refType,
  scalarType,
  type Type,
  tensorType,
  tupleType,
} from '../../types/type.ts';
import { incompleteType } from '../../types/variable.ts';
import { attributeProblem } from '../solve/attributes.ts';
import type { Where } from '../solve/relations.ts';
import { isGeneral } from '../solve/unify.ts';
import {
  attributesOf,
  constructorType,
  generalCall,
  missingOperator,
  operatorType,
} from './calls.ts';
import { joinFunctions } from './join.ts';
import { type RuleContext, wrong } from './rule-context.ts';

const bool = scalarType('bool');
const unit = tupleType([]);

/** The type of a node with typed parts. After a report it is a new hole. */
export function typeByRule(node: Expr, c: RuleContext): Type {
  switch (node._tag) {
    case 'Var':
      return c.typeOf(node);
    case 'GlobalVar':
      return c.global(node.nameHint) ?? wrong(c, undefinedGlobal(node, c));
    case 'Constant':
      return node.literal === undefined ? constantType(node) : c.solver.literal(node);
    case 'Tuple':
      return tupleType(node.fields.map(c.typeOf));
    case 'TupleGetItem':
      return c.solver.projection(node, c.typeOf(node.tuple));
    case 'Function':
      return functionType(node, c);
    case 'Call':
      return node.op._tag === 'Op' ? operatorCall(node, node.op.name, c) : generalCall(node, c);
    case 'Let':
      return c.typeOf(node.body);
    case 'If':
      return branches(node, c);
    case 'RefCreate':
      return refType(c.typeOf(node.value));
    case 'RefRead':
      return referenced(node, c);
    case 'RefWrite':
      return written(node, c);
    case 'Op':
      return operatorType(node, c);
    case 'Constructor':
      return constructorType(node, c);
    case 'Match':
      return clauses(node, c);
    case 'TempExpr':
      return wrong(c, diagnose.temporaryLeft(node.span));
  }
}

const constantType = ({ data }: Constant): Type =>
  data.shape.length === 0 ? scalarType(data.dtype) : tensorType(data.shape, data.dtype);

function functionType(node: Func, c: RuleContext): Type {
  const owed = c.owed.get(node);
  const stated = node.retType ?? owed;
  const result = stated ?? monomorphic(node.body, c);
  if (stated !== undefined) {
    const span: Where = () => partSpan(node, 0);
    if (isGeneral(c.solver.head(stated))) c.demand(stated, node.body, 'a result', span);
    else c.solver.unify(stated, monomorphic(node.body, c), 'a result', span);
  }
  if (node.retType !== undefined && owed !== undefined) {
    c.solver.unify(node.retType, owed, 'a result', node.span);
  }
  return funcType(node.params.map(c.typeOf), result, node.typeParams, node.constraints);
}

/** The type of a body: a polymorphic function is returned as one of its instances. */
function monomorphic(body: Expr, c: RuleContext): Type {
  const type = c.typeOf(body);
  const head = c.solver.head(type);
  if (head._tag !== 'FuncType' || head.typeParams.length === 0) return type;
  const instance = funcType(
    head.params.map(() => c.solver.fresh()),
    c.solver.fresh(),
  );
  return c.solver.unify(instance, head, 'a result', body.span) ?? type;
}

function operatorCall(node: Call, name: string, c: RuleContext): Type {
  const op = c.module.ops.get(name);
  if (op === undefined) return wrong(c, missingOperator(name, node.op.span ?? node.span, c));
  const { args, span } = node;
  if (args.length !== op.inputs.length) {
    const names = op.inputs.map((input) => `\`${input.name}\``);
    const expected = op.inputs.length;
    return wrong(c, diagnose.wrongArgumentCount(name, expected, args.length, span, names));
  }
  const attrs = attributesOf(node, c.module.ops);
  const problem = attributeProblem(attrs ?? {}, op, node.span);
  return problem === undefined
    ? c.solver.relation(node, op, args.map(c.typeOf), attrs)
    : wrong(c, problem);
}

function undefinedGlobal({ nameHint, span }: GlobalVar, c: RuleContext): Diagnostic {
  return diagnose.undefinedGlobal(
    nameHint,
    span,
    didYouMean(nameHint, c.module.functions.keys(), '@'),
  );
}

function branches(node: If, c: RuleContext): Type {
  const cond = c.typeOf(node.cond);
  c.solver.tryUnify(bool, cond, () =>
    diagnose.conditionNotBool(describeType(c.solver.resolve(cond)), partSpan(node, 0)),
  );
  const taken = c.typeOf(node.trueBranch);
  const other = c.typeOf(node.falseBranch);
  return either(taken, other, 'the other branch', () => partSpan(node, 2), c) ?? incompleteType();
}

/** The common type of two expressions. */
const either = (a: Type, b: Type, what: string, span: Where, c: RuleContext): Type | undefined =>
  joinFunctions(c.solver.head(a), c.solver.head(b), c.solver.canonical) ??
  c.solver.unify(a, b, what, span);

function clauses(node: Match, c: RuleContext): Type {
  if (node.complete && !c.misfits.has(node)) reportUncovered(node, c);
  const [first, ...others] = node.clauses;
  let merged = first === undefined ? c.solver.fresh() : c.typeOf(first.body);
  for (const [i, { body }] of others.entries()) {
    const span = (): Span | undefined => partSpan(node, i + 2);
    merged = either(merged, c.typeOf(body), 'this clause', span, c) ?? merged;
  }
  return merged;
}

function reportUncovered(node: Match, c: RuleContext): void {
  const cases = unmatchedCases(node, c.module.typeDefinitions);
  if (cases === 'too large') c.report(diagnose.matchTooLarge(node.span));
  else if (cases.length > 0) c.report(diagnose.incompleteMatch(cases, node.span));
}

function contentOf(reference: Type, node: RefRead | RefWrite, c: RuleContext): Type {
  const type = c.solver.head(reference);
  if (type._tag === 'RefType') return type.value;
  const content = c.solver.fresh();
  c.solver.unify(refType(content), type, 'a reference', () => partSpan(node, 0));
  return content;
}

const referenced = (node: RefRead, c: RuleContext): Type => contentOf(c.typeOf(node.ref), node, c);

function written(node: RefWrite, c: RuleContext): Type {
  const content = contentOf(c.typeOf(node.ref), node, c);
  c.demand(content, node.value, 'a written value', () => partSpan(node, 1));
  return unit;
}
