/**
 * Expressions as lines: language.md §8. Operands go to lines of their own, so text does not nest
 * with the depth of a program; what does nest is written by `Steps`.
 */
import { postOrder, printSpan, type SpanLeaf, spanLeaves } from '@baton/base';
import type { Tensor } from '@baton/tensor';
import { children } from '../../expr/children.ts';
import type { Call, Constant, Expr, Func, Let, Match, Pattern, Var } from '../../expr/expr.ts';
import type { OpTable } from '../../ops/op-table.ts';
import type { Type, TypeRelation } from '../../types/type.ts';
import { CONSTANT_KEY } from '../meta.ts';
import { run, runSteps, type Steps } from '../steps.ts';
import { attrText, attrTexts, literalText, tensorComment } from './constants.ts';
import { block, type Doc } from './doc.ts';
import type { Names } from './names.ts';
import { findPlaces, isAtom, type Places, type PrintScope, printScope } from './places.ts';
import {
  bindsTypeVars,
  relationText,
  textSize,
  typeArgsText,
  typeParamsText,
  typeText,
} from './types.ts';

/** How many parts large types may have, all together. */
export interface TypeBudget {
  left: number;
}

/** What the lines of a whole text share: names, numbers, the meta table, the options. */
export interface PrintState {
  readonly names: Names;
  readonly ops: OpTable | undefined;
  /** The type of an expression where it is known. */
  readonly typeOf: (expr: Expr) => Type | undefined;
  readonly showTypes: boolean;
  readonly showSpans: boolean;
  readonly omitData: boolean;
  readonly annotate: ((expr: Expr) => string) | undefined;
  /**
   * What large types may still be written: the types along a chain of lets may contain each other,
   * and their texts would then grow with its square.
   */
  readonly budgets: { readonly annotations: TypeBudget; readonly comments: TypeBudget };
  /** Texts of types that were written before. */
  readonly typeTexts: Map<Type, string>;
  /** Constants of the meta table, in the order of their first mention. */
  readonly tensors: Map<Tensor, number>;
  /** The number of the next temporary. */
  nextTemporary: number;
}

/** A function that is being written as the value of the let that binds its own name. */
interface OpenLet {
  readonly binder: Var;
  readonly scope: PrintScope;
}

/** What the lines of one definition share. */
interface Printer {
  readonly state: PrintState;
  readonly root: PrintScope;
  readonly places: Places;
  readonly openLets: OpenLet[];
  /** For a let's variable, which nodes mention it. */
  readonly mentions: Map<Var, Map<Expr, boolean>>;
}

/** The lines of an expression: free variables, bindings, and last its value. */
export function expressionLines(state: PrintState, expr: Expr): ReadonlyArray<Doc> {
  const root = printScope();
  const p = makePrinter(state, findPlaces(expr, root), root);
  runSteps(writeTail(p, expr, root));
  return root.lines;
}

/** `def @name[A](%x: T) -> R { .. }`. */
export function definitionDoc(state: PrintState, name: string, f: Func): Doc {
  const places = findPlaces(f, printScope());
  const body = places.get(f)?.inner[0] ?? printScope();
  const p = makePrinter(state, places, body);
  const head = functionHead(p, f);
  runSteps(writeTail(p, f.body, body));
  return [`def @${state.names.global(name)}${head} {`, block(body.lines), '}'];
}

const makePrinter = (state: PrintState, places: Places, root: PrintScope): Printer => ({
  state,
  root,
  places,
  openLets: [],
  mentions: new Map(),
});

/** Writes lets as lines and then the value, as the last line of `scope`. */
function* writeTail(p: Printer, expr: Expr, scope: PrintScope): Steps<void> {
  let at = expr;
  for (;;) {
    const place = at._tag === 'Let' ? p.places.get(at) : undefined;
    if (at._tag !== 'Let' || place === undefined || !place.isTail || place.isShared) break;
    scope.lines.push(yield* run(letLine(p, at, scope)));
    at = at.body;
  }
  scope.lines.push(readyText(p, at) ?? (yield* run(inPlace(p, at, scope))));
}

function* letLine(p: Printer, expr: Let, scope: PrintScope): Steps<Doc> {
  const { variable, value } = expr;
  const name = binderText(p, variable, true);
  const isRecursive = value._tag === 'Function';
  if (isRecursive) p.openLets.push({ binder: variable, scope });
  const doc = readyText(p, value) ?? (yield* run(inPlace(p, value, scope)));
  if (isRecursive) p.openLets.pop();
  return typeof doc === 'string' ? `let ${name} = ${doc};` : [`let ${name} = `, doc, ';'];
}

/** An expression where it needs no temporary, unless it is shared. */
function* inPlace(p: Printer, expr: Expr, scope: PrintScope): Steps<Doc> {
  const isShared = p.places.get(expr)?.isShared === true;
  return isShared ? yield* run(mention(p, expr, scope)) : yield* run(spell(p, expr, scope));
}

/** As {@link inPlace}, where that takes no other line first. */
function readyText(p: Printer, expr: Expr): string | undefined {
  const place = p.places.get(expr);
  if (place === undefined) return atomText(p, expr);
  if (place.text !== undefined) return place.text;
  return place.isShared ? undefined : readyLine(p, expr);
}

/** A flat expression in full, if all its operands have their texts. */
function readyLine(p: Printer, expr: Expr): string | undefined {
  if (!isFlat(expr)) return undefined;
  const operands = children(expr);
  for (const operand of operands) {
    if (!isAtom(operand) && p.places.get(operand)?.text === undefined) return undefined;
  }
  return flatLine(p, expr, operands);
}

/** What is written on one line: everything but what holds a scope. */
function isFlat(expr: Expr): boolean {
  const { _tag: tag } = expr;
  return tag !== 'Function' && tag !== 'If' && tag !== 'Match' && tag !== 'Let';
}

/** A flat expression whose operands have their texts. */
function flatLine(p: Printer, expr: Expr, operands: ReadonlyArray<Expr>): string {
  const texts: string[] = [];
  for (const operand of operands) texts.push(knownText(p, operand) ?? '');
  return flatText(p, expr, texts) + (isCommented(expr) ? comment(p, expr) : '');
}

/** A flat expression that is being written, and the operand that is looked at. */
interface OpenFlat {
  readonly expr: Expr;
  readonly operands: ReadonlyArray<Expr>;
  readonly target: PrintScope;
  at: number;
}

/**
 * The text that mentions an operand; its own line comes first, where that is due. Flat expressions
 * wait on a stack for the lines of their operands.
 */
function* mention(p: Printer, root: Expr, scope: PrintScope): Steps<string> {
  const known = knownText(p, root);
  if (known !== undefined) return known;
  const open: OpenFlat[] = [];
  let next: Expr | undefined = root;
  let from = scope;
  for (;;) {
    if (next !== undefined) {
      const target = targetScope(p, next, from);
      if (isFlat(next)) open.push({ expr: next, operands: children(next), target, at: 0 });
      else putLine(p, next, yield* run(spell(p, next, target)), target);
      next = undefined;
    }
    const top = open.at(-1);
    if (top === undefined) break;
    const operand = top.operands[top.at];
    if (operand === undefined) {
      open.pop();
      putLine(p, top.expr, flatLine(p, top.expr, top.operands), top.target);
    } else if (knownText(p, operand) !== undefined) top.at++;
    else {
      next = operand;
      from = top.target;
    }
  }
  return knownText(p, root) ?? '';
}

function putLine(p: Printer, expr: Expr, doc: Doc, target: PrintScope): void {
  const name = `%${p.state.nextTemporary++}`;
  target.lines.push(typeof doc === 'string' ? `${name} = ${doc};` : [name, ' = ', doc, ';']);
  const place = p.places.get(expr);
  if (place !== undefined) place.text = name;
}

/** The text that mentions an expression which needs no line, or has one. */
function knownText(p: Printer, expr: Expr): string | undefined {
  const place = p.places.get(expr);
  return place === undefined ? atomText(p, expr) : place.text;
}

/**
 * Where the line of a node goes. A node that mentions the variable of a recursive let and is used
 * inside the function as well as after it has no place before the let: it is written where it is
 * met first, and stays visible, as graph bindings have no scope.
 */
function targetScope(p: Printer, expr: Expr, scope: PrintScope): PrintScope {
  const place = p.places.get(expr)?.scope ?? scope;
  if (place === scope) return place;
  for (let i = p.openLets.length - 1; i >= 0; i--) {
    const open = p.openLets[i];
    if (open === undefined || open.scope.depth < place.depth) break;
    if (mentionsVariable(p, open.binder, expr)) return scope;
  }
  return place.depth > scope.depth ? scope : place;
}

function mentionsVariable(p: Printer, variable: Var, expr: Expr): boolean {
  const known = p.mentions.get(variable) ?? new Map<Expr, boolean>();
  p.mentions.set(variable, known);
  for (const node of postOrder(children, [expr], (below) => known.has(below))) {
    known.set(node, node === variable || children(node).some((c) => known.get(c) === true));
  }
  return known.get(expr) === true;
}

/** The text of what always stands in place; `undefined` for everything else. */
function atomText(p: Printer, expr: Expr): string | undefined {
  switch (expr._tag) {
    case 'Var':
      return localText(p, expr);
    case 'GlobalVar':
      return `@${p.state.names.global(expr.nameHint)}`;
    case 'Op':
      return expr.name;
    case 'Constructor':
      return expr.nameHint;
    case 'Constant':
      return constantText(p, expr);
    case 'TempExpr':
      return '<temporary>';
    default:
      return undefined;
  }
}

/** A variable that no binder has named yet is free, and declared before everything else. */
function localText(p: Printer, variable: Var): string {
  const { names } = p.state;
  if (!names.hasLocal(variable)) p.root.lines.push(`free_var ${binderText(p, variable)};`);
  return `%${names.local(variable)}`;
}

function constantText(p: Printer, node: Constant): string {
  const { state } = p;
  const type = state.typeOf(node);
  const literal = literalText(node, type !== undefined);
  if (literal !== undefined) return literal + comment(p, node);
  const index = state.tensors.get(node.data) ?? state.tensors.size;
  state.tensors.set(node.data, index);
  const note = comment(p, node);
  const shown = note === '' && state.omitData ? tensorComment(node.data) : note;
  return `meta[${CONSTANT_KEY}][${index}]${shown}`;
}

/** An expression in full: its operands have lines, or stand in place. */
function* spell(p: Printer, expr: Expr, scope: PrintScope): Steps<Doc> {
  switch (expr._tag) {
    case 'Function':
      return yield* run(spellFunction(p, expr));
    case 'If': {
      const cond = knownText(p, expr.cond) ?? (yield* run(mention(p, expr.cond, scope)));
      const [yes = scope, no = scope] = p.places.get(expr)?.inner ?? [];
      yield* run(writeTail(p, expr.trueBranch, yes));
      yield* run(writeTail(p, expr.falseBranch, no));
      return [`if (${cond}) {`, block(yes.lines), '} else {', block(no.lines), '}'];
    }
    case 'Match':
      return yield* run(spellMatch(p, expr, scope));
    case 'Let': {
      const [lines = scope] = p.places.get(expr)?.inner ?? [];
      lines.lines.push(yield* run(letLine(p, expr, lines)));
      yield* run(writeTail(p, expr.body, lines));
      return ['(', block(lines.lines), ')'];
    }
    default: {
      const operands = children(expr);
      for (const operand of operands) {
        if (knownText(p, operand) === undefined) yield* run(mention(p, operand, scope));
      }
      return flatLine(p, expr, operands);
    }
  }
}

/** Calls, tuples and projections say their types; references do not (language.md §8). */
const isCommented = (expr: Expr): boolean =>
  expr._tag === 'Call' || expr._tag === 'Tuple' || expr._tag === 'TupleGetItem';

/** An expression on one line, given the texts of its operands in the order of `children`. */
function flatText(p: Printer, expr: Expr, operands: ReadonlyArray<string>): string {
  const [first = '', second = ''] = operands;
  switch (expr._tag) {
    case 'Tuple':
      return operands.length === 1 ? `(${first},)` : `(${operands.join(', ')})`;
    case 'TupleGetItem':
      return `${expr.tuple._tag === 'Constant' ? `(${first})` : first}.${expr.index}`;
    case 'Call':
      return callText(p, expr, operands);
    case 'RefCreate':
      return `ref(${first})`;
    case 'RefRead':
      return `ref_read(${first})`;
    case 'RefWrite':
      return `ref_write(${first}, ${second})`;
    default:
      return atomText(p, expr) ?? '';
  }
}

/** A call, from the texts of its arguments and, last, of its callee. */
function callText(p: Printer, expr: Call, operands: ReadonlyArray<string>): string {
  const { names, ops } = p.state;
  const { op } = expr;
  const callee = operands.at(-1) ?? '';
  const typeArgs = typeArgsText(expr.typeArgs, names);
  const isBare =
    op._tag === 'Constructor' &&
    op.inputs.length === 0 &&
    expr.args.length === 0 &&
    typeArgs === '';
  if (isBare) return callee;
  const schema = op._tag === 'Op' ? ops?.get(op.name)?.attrs : undefined;
  const attrs = expr.attrs === undefined ? [] : attrTexts(expr.attrs, schema);
  const key =
    expr.attrsTypeKey === undefined ? [] : [`attrs_type_key=${attrText(expr.attrsTypeKey, false)}`];
  return `${callee}${typeArgs}(${[...operands.slice(0, -1), ...attrs, ...key].join(', ')})`;
}

function* spellFunction(p: Printer, f: Func): Steps<Doc> {
  const head = functionHead(p, f, true);
  const [body = p.root] = p.places.get(f)?.inner ?? [];
  yield* run(writeTail(p, f.body, body));
  return [`fn ${head} {`, block(body.lines), `}${comment(p, f)}`];
}

/**
 * `[A](%x: T, Key=1) -> R where ..`. A literal's result is inferred from its body, so that a large
 * one may be left out: the results of functions in functions contain each other.
 */
function functionHead(p: Printer, f: Func, isLiteral = false): string {
  const { names, ops } = p.state;
  const typeParams = typeParamsText(f.typeParams, names);
  const params = f.params.map((param) => binderText(p, param));
  const items = [...params, ...attrTexts(f.attrs, undefined)].join(', ');
  const result = f.retType === undefined ? '' : ` -> ${typeOfBinder(p, f.retType, isLiteral)}`;
  const relations = f.constraints.map((c) =>
    holdsBetween(c, f)
      ? c.name
      : relationText(c, names, (r) => attrTexts(r.attrs ?? {}, ops?.get(r.name)?.attrs)),
  );
  const where = relations.length === 0 ? '' : ` where ${relations.join(', ')}`;
  return `${typeParams}(${items})${result}${where}`;
}

/**
 * Whether a relation is the one between all parameters and the result, and holes are among them:
 * then its bare name says so, and its arguments could not be written.
 */
function holdsBetween(relation: TypeRelation, f: Func): boolean {
  const types = [...f.params.map((param) => param.typeAnnotation), f.retType];
  return (
    relation.attrs === undefined &&
    types.length === relation.args.length &&
    relation.args.every((arg, i) => arg === types[i]) &&
    relation.args.some((arg) => arg._tag === 'IncompleteType')
  );
}

function* spellMatch(p: Printer, expr: Match, scope: PrintScope): Steps<Doc> {
  const data = yield* run(mention(p, expr.data, scope));
  const scopes = p.places.get(expr)?.inner ?? [];
  const clauses: Doc[] = [];
  for (const [i, { pattern, body }] of expr.clauses.entries()) {
    const lines = scopes[i] ?? scope;
    const head = patternText(p, pattern);
    yield* run(writeTail(p, body, lines));
    clauses.push([`${head} => {`, block(lines.lines), '},']);
  }
  return [`${expr.complete ? 'match' : 'match?'} (${data}) {`, block(clauses), '}'];
}

function patternText(p: Printer, root: Pattern): string {
  let text = '';
  const pending: (Pattern | string)[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') text += next;
    else if (next._tag === 'PatternWildcard') text += '_';
    else if (next._tag === 'PatternVar') text += binderText(p, next.variable, true);
    else {
      const isTuple = next._tag === 'PatternTuple';
      if (next._tag === 'PatternConstructor') text += next.ctor.nameHint;
      if (!isTuple && next.patterns.length === 0) continue;
      const inner = next.patterns.flatMap((q, i) => (i === 0 ? [q] : [', ', q]));
      const end = isTuple && next.patterns.length === 1 ? ',)' : ')';
      pending.push(...['(', ...inner, end].reverse());
    }
  }
  return text;
}

/**
 * A binder with its annotation; a type that only inference knows is a comment. `isInferred` says
 * that inference finds the type again from what is bound, so that a large one may be left out.
 */
function binderText(p: Printer, variable: Var, isInferred = false): string {
  const name = `%${p.state.names.local(variable)}`;
  const { typeAnnotation } = variable;
  if (typeAnnotation === undefined) return name + comment(p, variable);
  return `${name}: ${typeOfBinder(p, typeAnnotation, isInferred)}`;
}

const typeOfBinder = (p: Printer, type: Type, isInferred: boolean): string =>
  isInferred
    ? (budgetedType(p, type, p.state.budgets.annotations) ?? '_')
    : annotationText(p, type);

/**
 * A type with more parts than this is written `_`, which inference fills again: shared parts can
 * make the text of a type larger than any memory.
 */
const MAX_ANNOTATION_SIZE = 100_000;

/** Types with no more parts than this cost nothing of a budget. */
const SMALL_TYPE_SIZE = 256;

const annotationText = (p: Printer, type: Type): string =>
  textSize(type) > MAX_ANNOTATION_SIZE ? '_' : knownTypeText(p, type);

/** A type's text, unless it is large and too many large ones were written before. */
function budgetedType(p: Printer, type: Type, budget: TypeBudget): string | undefined {
  const size = textSize(type);
  if (size > SMALL_TYPE_SIZE) {
    if (size > budget.left) return undefined;
    budget.left -= size;
  }
  return knownTypeText(p, type);
}

function knownTypeText(p: Printer, type: Type): string {
  const known = p.state.typeTexts.get(type);
  if (known !== undefined) return known;
  const text = typeText(type, p.state.names);
  // The names in a polymorphic type depend on what was written before it.
  if (!bindsTypeVars(type)) p.state.typeTexts.set(type, text);
  return text;
}

/** What is said about a node after it: its type, its place, or what the caller wants. */
function comment(p: Printer, expr: Expr): string {
  const { state } = p;
  if (state.annotate !== undefined) return state.annotate(expr);
  if (!state.showTypes && !state.showSpans) return '';
  const type = state.showTypes ? state.typeOf(expr) : undefined;
  if (type === undefined && !state.showSpans) return '';
  const parts = [
    ...(type === undefined ? [] : [`ty=${budgetedType(p, type, state.budgets.comments) ?? '..'}`]),
    ...(state.showSpans ? spanLeaves(expr.span).slice(0, 1).map(spanText) : []),
  ];
  return parts.length === 0 ? '' : ` /* ${parts.join(' ')} */`;
}

/** A place in a comment must not end the comment, or start another one. */
const spanText = (leaf: SpanLeaf): string =>
  `span=${printSpan(leaf)}`.replaceAll('*/', '* /').replaceAll('/*', '/ *');
