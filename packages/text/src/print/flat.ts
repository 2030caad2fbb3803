/** Expressions on one line, and expressions that are always written inline. */
import {
  attrText,
  attrTexts,
  type Call,
  type Constant,
  childAt,
  type Expr,
  noAttrs,
  typeArgsText,
  type Var,
} from '@baton/ir';
import { CONSTANT_KEY } from '../meta/meta.ts';
import { relayTextColumn } from '../relay-text.ts';
import { literalText, tensorComment, tvmLiteralText } from './constants.ts';
import { type Doc, indentation } from './doc.ts';
import { binderText, comment } from './notes.ts';
import type { Placement } from './placements.ts';
import type { Printer } from './state.ts';

/** Whether an expression is written on one line, as all without a scope are. */
export function isFlat(expr: Expr): boolean {
  const { _tag: tag } = expr;
  return tag !== 'Function' && tag !== 'If' && tag !== 'Match' && tag !== 'Let';
}

/** Adds the texts of the operands to `texts`; returns the first that needs a line before. */
export function collectTexts(p: Printer, expr: Expr, texts: string[]): Placement | undefined {
  for (;;) {
    const operand = childAt(expr, texts.length);
    if (operand === undefined) return undefined;
    const atom = atomText(p, operand);
    if (atom !== undefined) texts.push(atom);
    else {
      const placement = p.placements.get(operand) as Placement;
      if (placement.text === undefined) return placement;
      texts.push(placement.text);
    }
  }
}

/** The text that mentions an expression which needs no line, or has one. */
export const knownText = (p: Printer, expr: Expr): string | undefined =>
  atomText(p, expr) ?? p.placements.get(expr)?.text;

/**
 * Writes an expression on one line, given the texts of its operands in the order of `children`.
 * Calls, tuples and projections have their types as comments; references do not
 * ([language §8](https://batonjs.github.io/baton/spec/language#8)).
 */
export function writeFlat(p: Printer, expr: Expr, texts: string[], out: Doc[]): void {
  const [first = '', second = ''] = texts;
  switch (expr._tag) {
    case 'Tuple':
      out.push('(');
      writeList(texts, out);
      out.push(texts.length === 1 ? ',)' : ')', comment(p, expr));
      break;
    case 'TupleGetItem':
      if (expr.tuple._tag === 'Constant') out.push('(', first, ')');
      else out.push(first);
      out.push(`.${expr.index}`, comment(p, expr));
      break;
    case 'Call':
      writeCall(p, expr, texts, out);
      out.push(comment(p, expr));
      break;
    case 'RefCreate':
      out.push('ref(', first, ')');
      break;
    case 'RefRead':
      out.push('ref_read(', first, ')');
      break;
    case 'RefWrite':
      out.push('ref_write(', first, ', ', second, ')');
      break;
    default:
      out.push(atomText(p, expr) ?? '');
  }
}

function writeList(texts: ReadonlyArray<string>, out: Doc[]): void {
  for (let i = 0; i < texts.length; i++) {
    if (i > 0) out.push(', ');
    out.push(texts[i] as string);
  }
}

/** A call, from the texts of its arguments and, last, of its callee. */
function writeCall(p: Printer, expr: Call, texts: string[], out: Doc[]): void {
  const { names, ops } = p.state;
  const { op, args, attrs, attrsTypeKey } = expr;
  out.push(texts.pop() ?? '');
  if (expr.typeArgs.length > 0) out.push(typeArgsText(expr.typeArgs, names));
  else if (op._tag === 'Constructor' && op.inputs.length === 0 && args.length === 0) return;
  const schema = op._tag === 'Op' ? ops?.get(op.name)?.attrs : undefined;
  const relay =
    p.state.isForTvm && op._tag === 'Op' ? ops?.read(relayTextColumn, op.name) : undefined;
  if (relay?.unset !== undefined) texts.push(...attrTexts(relay.unset, undefined));
  if (attrs !== undefined) {
    const told = relay?.told?.(attrs) ?? noAttrs;
    texts.push(...attrTexts({ ...attrs, ...told }, schema, Object.keys(told)));
  }
  const record = attrsTypeKey ?? relay?.record;
  if (record !== undefined) texts.push(`attrs_type_key=${attrText(record, false)}`);
  out.push('(');
  writeList(texts, out);
  out.push(')');
}

/** The text of an expression that is always written inline; `undefined` for others. */
function atomText(p: Printer, expr: Expr): string | undefined {
  switch (expr._tag) {
    case 'Var':
      return localText(p, expr);
    case 'GlobalVar':
      return p.state.names.global(expr.nameHint);
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

/** An unbound variable is free, and declared before everything else. */
function localText(p: Printer, variable: Var): string {
  const { names } = p.state;
  const known = names.knownLocal(variable);
  if (known !== undefined) return known;
  const { lines, level } = p.root;
  lines.push(indentation(level), 'free_var ', binderText(p, variable), ';\n');
  return names.local(variable);
}

function constantText(p: Printer, node: Constant): string {
  const { state } = p;
  const type = state.typeOf(node);
  const spell = state.isForTvm ? tvmLiteralText : literalText;
  const literal = spell(node, type !== undefined);
  if (literal !== undefined) return literal + comment(p, node);
  const index = state.tensors.get(node.data) ?? state.tensors.size;
  state.tensors.set(node.data, index);
  const note = comment(p, node);
  const shown = note === '' && state.omitData ? tensorComment(node.data) : note;
  return `meta[${CONSTANT_KEY}][${index}]${shown}`;
}
