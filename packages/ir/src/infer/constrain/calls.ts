/**
 * Calls of functions, and functions other than literals:
 * [types §4](https://batonjs.github.io/baton/spec/types#4),
 * [§5](https://batonjs.github.io/baton/spec/types#5).
 */
import {
  type Diagnostic,
  didYouMean,
  isLeft,
  isRight,
  type Result,
  remember,
  type Span,
} from '@baton/base';
import { describeType } from '../../describe/describe.ts';
import * as diagnose from '../../diagnostics.ts';
import type { Call, Constructor, Expr, OpRef } from '../../expr/expr.ts';
import { partSpan } from '../../expr/part-span.ts';
import type { OpInfo, OpTable } from '../../ops/op-table.ts';
import type { Attrs } from '../../types/attrs.ts';
import { varArg } from '../../types/instantiate.ts';
import {
  type FuncType,
  funcType,
  type Type,
  type TypeData,
  typeCall,
  typeRelation,
} from '../../types/type.ts';
import { incompleteType, typeVar } from '../../types/variable.ts';
import { functionName } from '../solve/budget.ts';
import { applyFunction, argOfKind, constraintsOf, resultOf } from './application.ts';
import { type RuleContext, wrong } from './rule-context.ts';

/** A call of anything but an operator. */
export function generalCall(node: Call, c: RuleContext): Type {
  const { solver } = c;
  solver.solve();
  const args = node.args.map(c.typeOf);
  const callee = solver.head(c.typeOf(node.op));
  if (callee._tag === 'IncompleteType') {
    const result = solver.fresh();
    solver.unify(callee, funcType(args, result), 'a callee', node.span);
    return result;
  }
  if (callee._tag !== 'FuncType') {
    const found = describeType(solver.resolve(callee));
    return wrong(c, diagnose.notAFunction(found, partSpan(node, node.args.length)));
  }
  if (node.typeArgs.length > 0) checkTypeArgs(callee, node, c);
  const { params } = callee;
  if (params.length !== args.length) {
    return wrong(
      c,
      diagnose.wrongArgumentCount(
        calleeName(node),
        params.length,
        args.length,
        node.span,
        params.map(describeType),
      ),
    );
  }
  if (callee.typeParams.length > 0 && !solver.mayCopy(callee, functionName(node.op), node.span)) {
    return incompleteType();
  }
  const application = applyFunction(callee, node, args, solver, (wanted, i) => {
    c.demand(wanted, node.args[i] as Expr, `argument ${i}`, () => partSpan(node, i));
  });
  for (const constraint of constraintsOf(application)) solver.post(constraint, node.span);
  return resultOf(application);
}

/** The attributes of an operator's call, with defaults for one made without any. */
export function attributesOf({ op: callee, attrs }: Call, ops: OpTable): Attrs | undefined {
  const op = callee._tag === 'Op' ? ops.get(callee.name) : undefined;
  if (op === undefined || op.attrs.fields.length === 0) return attrs;
  if (attrs !== undefined && Object.keys(attrs).length > 0) return attrs;
  const known = remember(defaults, op, () => op.attrs.decode({}));
  return isRight(known) ? known.right : attrs;
}

const defaults = new WeakMap<OpInfo, Result<Attrs>>();

/** The type of an operator as a value, with default attributes. */
export function operatorType(node: OpRef, c: RuleContext): Type {
  const op = c.module.ops.get(node.name);
  if (op === undefined) return wrong(c, missingOperator(node.name, node.span, c));
  const known = operatorTypes.get(op);
  if (known !== undefined) return known;
  const attrs = op.attrs.decode({});
  if (isLeft(attrs)) {
    return wrong(c, diagnose.badAttributes(op.name, attrs.left[0], node.span));
  }
  const params = op.inputs.map((_, i) => typeVar(`t${i}`));
  const result = typeVar('r');
  const hasAttrs = op.attrs.fields.length > 0;
  const relation = typeRelation(
    op.relationName ?? op.name,
    [...params, result],
    params.length,
    hasAttrs ? attrs.right : undefined,
  );
  const type = funcType(params, result, [...params, result], [relation]);
  operatorTypes.set(op, type);
  return type;
}

export const missingOperator = (
  name: string,
  span: Span | undefined,
  { module: { ops } }: RuleContext,
): Diagnostic => diagnose.missingOperator(name, span, didYouMean(name, ops.names));

export function constructorType(node: Constructor, c: RuleContext): Type {
  const data = c.module.typeDefinitions.get(node.belongTo.nameHint);
  const definition = data?.constructors.find((d) => d.name === node.nameHint);
  if (data === undefined || definition === undefined) {
    return wrong(c, diagnose.undefinedAdt(node.belongTo.nameHint, node.span));
  }
  const types = remember(constructorTypes, data, () => new Map<string, FuncType>());
  return remember(types, node.nameHint, () =>
    funcType(definition.inputs, typeCall(data.header, data.typeVars.map(varArg)), data.typeVars),
  );
}

// Both are functions of immutable values only.
const operatorTypes = new WeakMap<OpInfo, FuncType>();
const constructorTypes = new WeakMap<TypeData, Map<string, FuncType>>();

/** Reports surplus type arguments. */
function checkTypeArgs({ typeParams }: FuncType, node: Call, c: RuleContext): void {
  const given = node.typeArgs;
  if (given.length > typeParams.length) {
    c.report(diagnose.typeArgumentCount(typeParams.length, given.length, node.span));
  }
  for (const [i, param] of typeParams.entries()) {
    const arg = given[i];
    if (arg === undefined) continue;
    const written = argOfKind(arg, param.kind);
    if (written !== undefined) c.checkTypeArg(written, node.span);
    else {
      c.report(diagnose.typeArgumentKind(param.nameHint, param.kind, arg.kind, node.span));
    }
  }
}

const calleeName = (node: Call): string =>
  node.op._tag === 'GlobalVar' ? `@${node.op.nameHint}` : 'the function';
