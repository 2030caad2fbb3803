/** Expressions, bindings and matches in the forms of the legacy dialect. */
import { run, type Steps } from '@baton/base';
import { type Clause, type Expr, globalVar, opRef, variable } from '@baton/ir';
import { castWithoutDType } from '../../diagnostics.ts';
import { endsSequence, isBindingAhead } from '../bindings.ts';
import {
  type FilledParts,
  impliedCall,
  readConstantDType,
  readConstantShape,
  readFilledConstant,
} from '../calls.ts';
import { expectResult, readBinding, readOperators, readSequence } from '../exprs.ts';
import { readClause } from '../matches.ts';
import { declaredName, localNamed, placeholder } from '../names.ts';
import type { Dialect, MatchReaders, OpenLet, Parser } from '../parser.ts';
import { readType } from '../types.ts';

/** Operators with other names. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['sub', 'subtract'],
  ['mul', 'multiply'],
  ['div', 'divide'],
  ['flatten', 'nn.batch_flatten'],
]);

/**
 * The meaning of a bare name, in the order of
 * [language §13.1](https://batonjs.github.io/baton/spec/language#13.1).
 */
export const legacyMeaningOf: Dialect['meaningOf'] = (s, name, span) => {
  const known = localNamed(s, name) ?? declaredName(s, name, span);
  if (known !== undefined) return known;
  const op = [ALIASES.get(name), `nn.${name}`].find((o) => o !== undefined && s.ops.get(o));
  if (op !== undefined) return opRef(op, span);
  return s.definedNames.has(name) ? globalVar(name, span) : undefined;
};

/** Whether one of the tokens from `first` to the next is a local without its sigil. */
export function namesLocal(s: Parser, first: number): boolean {
  for (let i = first; i < s.at; i++) {
    if (s.tokens.kinds[i] === 'name' && localNamed(s, s.textAt(i)) !== undefined) return true;
  }
  return false;
}

/** A binding, whose value is the block's if it comes last; or a result. */
export function* readLegacyStatement(
  s: Parser,
  lets: OpenLet[],
  hasBindings: boolean,
): Steps<Expr | undefined> {
  s.lineEnds = isBindingAhead(s);
  if (!s.lineEnds) return yield* run(readResult(s, lets, hasBindings));
  const bound = yield* run(readBinding(s, lets));
  return endsSequence(s) ? bound : undefined;
}

/** `ret e : T`; or `e;`, which returns `undefined` if more follows. */
function* readResult(s: Parser, lets: OpenLet[], hasBindings: boolean): Steps<Expr | undefined> {
  const isReturn = s.accept('ret');
  const first = s.at;
  expectResult(s, hasBindings);
  const value = yield* run(readOperators(s));
  const type = s.accept(':') ? yield* run(readType(s)) : undefined;
  const isLast = !s.accept(';') || endsSequence(s) || s.peek() === ',';
  if (isReturn && !isLast) return s.unexpected('the end of the block after its `ret`');
  if (isLast && type === undefined) return value;
  const nameHint = type === undefined ? '' : '_';
  const binder = variable(nameHint, type, s.spanAt(s.at - 1));
  lets.push({ binder, value, first });
  return isLast ? binder : undefined;
}

/** The end of the line or of the block ends a binding as well. */
export const endsLegacyBinding = (s: Parser): boolean =>
  s.startsLine() || s.peek() === '}' || s.peek() === 'eof';

/** Reading may go on at a line with a binding. */
export const resumesAtLine = (s: Parser, first: number): boolean =>
  s.at > first && s.startsLine() && (isBindingAhead(s) || s.peek() === 'ret');

/** `Constant(value, dtype, (shape))`, `Cast(e, T)` or `Reverse(f)`, unless the name is declared. */
export function readLegacyForm(s: Parser): Steps<Expr> | undefined {
  const name = s.peekText();
  if (name === 'Constant' && s.peek(4) === 'name' && !s.constructors.has(name)) {
    return readLegacyConstant(s);
  }
  if (name !== 'Cast' && name !== 'Reverse') return undefined;
  if (s.dialect.meaningOf(s, name) !== undefined) return undefined;
  return name === 'Cast' ? readCast(s) : readReverse(s);
}

// biome-ignore lint/correctness/useYield: a step, as all forms are; what it reads does not nest.
function* readLegacyConstant(s: Parser): Steps<Expr> {
  return readFilledConstant(s, readDTypeAndShape);
}

function readDTypeAndShape(s: Parser): FilledParts {
  const dtype = readConstantDType(s);
  s.expect(',');
  return { dtype, ...readConstantShape(s) };
}

function* readReverse(s: Parser): Steps<Expr> {
  const first = s.at;
  s.at += 2;
  const operand = yield* run(readSequence(s, ')'));
  s.expect(')');
  return impliedCall(s, 'gradient', first, [operand], {}, s.spanFrom(first));
}

/** A cast to the dtype of a type. */
function* readCast(s: Parser): Steps<Expr> {
  const first = s.at;
  s.at += 2;
  const operand = yield* run(readSequence(s, ')'));
  s.expect(',');
  const typeAt = s.at;
  const type = yield* run(readType(s));
  const typeSpan = s.spanFrom(typeAt);
  s.expect(')');
  const dtype = type._tag === 'TensorType' ? type.dtype : undefined;
  if (typeof dtype === 'string') {
    return impliedCall(s, 'cast', first, [operand], { dtype }, s.spanFrom(first));
  }
  s.report(castWithoutDType(typeSpan));
  return placeholder();
}

/** Reads also `case p { e }`, which needs no comma. */
export function* readLegacyClauses(
  s: Parser,
  { readBlock, readBody }: MatchReaders,
): Steps<ReadonlyArray<Clause>> {
  const clauses: Clause[] = [];
  while (s.peek() !== '}') {
    const isCase = s.accept('case');
    clauses.push(yield* run(readClause(s, isCase ? readBlock : readBody)));
    if (!s.accept(',') && !isCase) break;
  }
  return clauses;
}
