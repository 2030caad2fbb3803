/**
 * Expressions as lines: [language §8](https://batonjs.github.io/baton/spec/language#8). Operands go
 * to lines of their own, so text does not nest with the depth of a program; `Steps` writes the
 * nested rest.
 */
import { InvariantError, run, runSteps, type Steps } from '@baton/base';
import {
  type Clause,
  children,
  type Expr,
  type Func,
  type Let,
  postOrderExprs,
  type Var,
} from '@baton/ir';
import { type Doc, indentation } from './doc.ts';
import { collectTexts, isFlat, knownText, writeFlat } from './flat.ts';
import { functionHead, patternText } from './heads.ts';
import { binderText, comment } from './notes.ts';
import {
  findPlacements,
  type Placement,
  type Placements,
  type PrintScope,
  printScope,
} from './placements.ts';
import type { Printer, PrintState } from './state.ts';

/** An expression in lines: free variables, bindings, and last its value. */
export function expressionDoc(state: PrintState, expr: Expr): ReadonlyArray<Doc> {
  const root = printScope();
  const p = makePrinter(state, findPlacements(expr, root), root);
  runSteps(writeTail(p, expr, root));
  return root.lines;
}

/** `def @name[A](%x: T) -> R { .. }`, with its line end. */
export function definitionDoc(state: PrintState, name: string, f: Func): ReadonlyArray<Doc> {
  const placements = findPlacements(f, printScope());
  const body = placements.get(f)?.inner[0] ?? printScope();
  const p = makePrinter(state, placements, body);
  const head = functionHead(p, f);
  body.level = 1;
  runSteps(writeTail(p, f.body, body));
  return ['def ', state.names.global(name), head, ' {\n', body.lines, '}\n'];
}

const makePrinter = (state: PrintState, placements: Placements, root: PrintScope): Printer => ({
  state,
  root,
  placements,
  openLets: [],
  mentions: new Map(),
});

/** Writes lets as lines and then the value, as the last line of `scope`. */
function* writeTail(p: Printer, expr: Expr, scope: PrintScope): Steps<void> {
  let at = expr;
  for (;;) {
    const placement = at._tag === 'Let' ? p.placements.get(at) : undefined;
    if (at._tag !== 'Let' || placement === undefined || !placement.isTail || isShared(placement))
      break;
    if (!writeReadyLet(p, at, scope)) yield* run(writeLet(p, at, scope));
    at = at.body;
  }
  if (!writeReady(p, at, undefined, scope)) yield* run(writeInPlace(p, at, undefined, scope));
}

/** The line of a let, if its value needs no other line first; else nothing is written. */
const writeReadyLet = (p: Printer, { variable, value }: Let, scope: PrintScope): boolean =>
  writeReady(p, value, binderText(p, variable, true), scope);

/** The line of a let, after the lines that its value needs. */
function* writeLet(p: Printer, { variable, value }: Let, scope: PrintScope): Steps<void> {
  const binder = binderText(p, variable, true);
  const isRecursive = value._tag === 'Function';
  if (isRecursive) p.openLets.push({ binder: variable, scope });
  yield* run(writeInPlace(p, value, binder, scope));
  if (isRecursive) p.openLets.pop();
}

const isShared = (placement: Placement): boolean => placement.uses > 1;

/** Writes an expression without a temporary, unless it is shared: a scope's value, or a let's. */
function* writeInPlace(
  p: Printer,
  expr: Expr,
  binder: string | undefined,
  scope: PrintScope,
): Steps<void> {
  const placement = p.placements.get(expr);
  if (placement === undefined || isShared(placement)) {
    writeLine(scope, binder, yield* run(mention(p, expr, scope)));
  } else if (isFlat(expr)) {
    const texts: string[] = [];
    for (;;) {
      const missing = collectTexts(p, expr, texts);
      if (missing === undefined) break;
      yield* run(mention(p, missing.expr, scope));
    }
    writeFlatLine(p, expr, texts, binder, scope);
  } else {
    writeLine(scope, binder, yield* run(spell(p, placement, scope)));
  }
}

/** Like {@link writeInPlace}, if no other line has to come first; else nothing is written. */
function writeReady(
  p: Printer,
  expr: Expr,
  binder: string | undefined,
  scope: PrintScope,
): boolean {
  const known = knownText(p, expr);
  if (known !== undefined) {
    writeLine(scope, binder, known);
    return true;
  }
  const placement = p.placements.get(expr);
  if (placement === undefined || isShared(placement) || !isFlat(expr)) return false;
  const texts: string[] = [];
  if (collectTexts(p, expr, texts) !== undefined) return false;
  writeFlatLine(p, expr, texts, binder, scope);
  return true;
}

function writeLine({ lines, level }: PrintScope, binder: string | undefined, doc: Doc): void {
  if (binder === undefined) lines.push(indentation(level), doc, '\n');
  else lines.push(indentation(level), 'let ', binder, ' = ', doc, ';\n');
}

function writeFlatLine(
  p: Printer,
  expr: Expr,
  texts: string[],
  binder: string | undefined,
  { lines, level }: PrintScope,
): void {
  if (binder === undefined) lines.push(indentation(level));
  else lines.push(indentation(level), 'let ', binder, ' = ');
  writeFlat(p, expr, texts, lines);
  lines.push(binder === undefined ? '\n' : ';\n');
}

/** A flat expression whose operands need lines first, with the finished texts. */
interface OpenFlat {
  readonly placement: Placement;
  readonly texts: string[];
  readonly target: PrintScope;
}

/**
 * The text that mentions an operand; its own line comes first, if it needs one. Flat expressions
 * wait on a stack for the lines of their operands.
 */
function* mention(p: Printer, root: Expr, scope: PrintScope): Steps<string> {
  const known = knownText(p, root);
  if (known !== undefined) return known;
  const open: OpenFlat[] = [];
  let next = p.placements.get(root);
  let from = scope;
  for (;;) {
    if (next !== undefined) {
      const target = targetScope(p, next, from);
      if (isFlat(next.expr)) open.push({ placement: next, texts: [], target });
      else {
        const doc = yield* run(spell(p, next, target));
        startTemporary(p, next, target);
        target.lines.push(doc, ';\n');
      }
    }
    const top = open.at(-1);
    if (top === undefined) break;
    const { placement, texts, target } = top;
    next = collectTexts(p, placement.expr, texts);
    from = target;
    if (next === undefined) {
      open.pop();
      startTemporary(p, placement, target);
      writeFlat(p, placement.expr, texts, target.lines);
      target.lines.push(';\n');
    }
  }
  return knownText(p, root) ?? '';
}

/** `%1 = `, which names a node from here on. */
function startTemporary(
  { state }: Printer,
  placement: Placement,
  { lines, level }: PrintScope,
): void {
  const name = `%${state.nextTemporary++}`;
  placement.text = name;
  lines.push(indentation(level), name, ' = ');
}

/**
 * The scope for the line of a node. A node that mentions the variable of a recursive let and is
 * used both inside the function and after it cannot be written before the let: it is written at its
 * first use, and stays visible, as graph bindings have no scope.
 */
function targetScope(
  p: Printer,
  { expr, scope: placement }: Placement,
  scope: PrintScope,
): PrintScope {
  if (placement === scope) return placement;
  for (let i = p.openLets.length - 1; i >= 0; i--) {
    const open = p.openLets[i];
    if (open === undefined || open.scope.depth < placement.depth) break;
    if (mentionsVariable(p, open.binder, expr)) return scope;
  }
  return placement.depth > scope.depth ? scope : placement;
}

function mentionsVariable(p: Printer, variable: Var, expr: Expr): boolean {
  const known = p.mentions.get(variable) ?? new Map<Expr, boolean>();
  p.mentions.set(variable, known);
  for (const node of postOrderExprs([expr], (below) => known.has(below))) {
    known.set(node, node === variable || children(node).some((c) => known.get(c) === true));
  }
  return known.get(expr) === true;
}

/** An expression with scopes, in full. */
function* spell(p: Printer, { expr, inner }: Placement, scope: PrintScope): Steps<Doc> {
  const end = indentation(scope.level);
  const open = (index: number): PrintScope => {
    const lines = inner[index] ?? printScope();
    lines.level = scope.level + 1;
    return lines;
  };
  switch (expr._tag) {
    case 'Function': {
      const head = functionHead(p, expr, true);
      const body = open(0);
      yield* run(writeTail(p, expr.body, body));
      return ['fn ', head, ' {\n', body.lines, end, '}', comment(p, expr)];
    }
    case 'If': {
      const cond = knownText(p, expr.cond) ?? (yield* run(mention(p, expr.cond, scope)));
      const [yes, no] = [open(0), open(1)];
      yield* run(writeTail(p, expr.trueBranch, yes));
      yield* run(writeTail(p, expr.falseBranch, no));
      return ['if (', cond, ') {\n', yes.lines, end, '} else {\n', no.lines, end, '}'];
    }
    case 'Match': {
      const data = yield* run(mention(p, expr.data, scope));
      const word = expr.complete ? 'match (' : 'match? (';
      return [word, data, ') {\n', yield* run(clausesDoc(p, expr.clauses, open)), end, '}'];
    }
    case 'Let': {
      const lines = open(0);
      if (!writeReadyLet(p, expr, lines)) yield* run(writeLet(p, expr, lines));
      yield* run(writeTail(p, expr.body, lines));
      return ['(\n', lines.lines, end, ')'];
    }
    default:
      throw new InvariantError('what holds no scope is written on one line');
  }
}

/** `pattern => { .. },` for each clause; `open` returns the scope of a clause at the match. */
function* clausesDoc(
  p: Printer,
  clauses: ReadonlyArray<Clause>,
  open: (index: number) => PrintScope,
): Steps<Doc> {
  const docs: Doc[] = [];
  for (const [i, { pattern, body }] of clauses.entries()) {
    const lines = open(i);
    const indent = indentation(lines.level);
    lines.level++;
    docs.push(indent, patternText(p, pattern), ' => {\n', lines.lines, indent, '},\n');
    yield* run(writeTail(p, body, lines));
  }
  return docs;
}
