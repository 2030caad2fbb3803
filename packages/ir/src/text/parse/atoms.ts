/** Expressions of one token, and the flat calls of them that dataflow programs are made of. */
import type { Expr } from '../../expr/expr.ts';
import { tokenSpan, tokenText } from '../tokens.ts';
import { isAttrAhead, readAttrs, type WrittenAttr } from './attrs.ts';
import { makeCall } from './calls.ts';
import {
  readGlobal,
  readGraphVar,
  readLiteral,
  readLocal,
  readMetaConstant,
  readName,
} from './names.ts';
import {
  accept,
  isSyntaxError,
  isWord,
  type ParserState,
  peek,
  peekText,
  spanFrom,
} from './state.ts';

/** An atom that nothing is applied to, if the next tokens are one: the common case. */
export function readAtom(s: ParserState): Expr | undefined {
  const next = peek(s, 1);
  if (next === '(' || next === '[' || next === '.') return undefined;
  if (next === '<' && mayStartTypeArgs(s, 2)) return undefined;
  switch (peek(s)) {
    case 'local':
      return readLocal(s);
    case 'graph':
      return readGraphVar(s);
    case 'global':
      return readGlobal(s);
    case 'int':
    case 'float':
    case 'True':
    case 'False':
      return readLiteral(s);
    default:
      return undefined;
  }
}

/** Whether what follows a `<` can be a type argument at all: locals and most literals cannot. */
export function mayStartTypeArgs(s: ParserState, ahead: number): boolean {
  const kind = peek(s, ahead);
  return (
    kind === 'name' ||
    kind === '(' ||
    kind === 'fn' ||
    kind === 'ref' ||
    kind === '_' ||
    kind === '?' ||
    kind === 'int'
  );
}

/** An argument or field that is one token long. */
export function readSingle(s: ParserState): Expr | undefined {
  const next = peek(s, 1);
  return next === ',' || next === ')' ? readAtom(s) : undefined;
}

/**
 * `%1 = op(%0, 2f, key=[3]);` and the like, which most of a dataflow program is made of, without a
 * step. Whatever else follows, and whatever is wrong, is left to the grammar in full.
 */
export function readFlatBinding(s: ParserState): boolean {
  if (peek(s) !== 'graph' || peek(s, 1) !== '=') return false;
  const { at: nameAt, failedAt } = s;
  const name = tokenText(s.tokens, nameAt);
  const errorCount = s.diagnostics.length;
  s.at += 2;
  try {
    const value = s.graph.has(name) ? undefined : readFlatCall(s);
    if (value !== undefined && s.diagnostics.length === errorCount && accept(s, ';')) {
      s.graph.set(name, { value, span: tokenSpan(s.tokens, nameAt) });
      return true;
    }
  } catch (thrown) {
    if (!isSyntaxError(thrown)) throw thrown;
  }
  s.at = nameAt;
  s.failedAt = failedAt;
  s.diagnostics.length = errorCount;
  return false;
}

/** The call of an operator with operands of one token each; `undefined` if it is not that. */
function readFlatCall(s: ParserState): Expr | undefined {
  if (peek(s) !== 'name' || peek(s, 1) !== '(' || s.ops.get(peekText(s)) === undefined) {
    return undefined;
  }
  const first = s.at;
  const callee = readName(s);
  if (callee?._tag !== 'Op') return undefined;
  s.at++;
  const args: Expr[] = [];
  let attrs: ReadonlyArray<WrittenAttr> = [];
  while (peek(s) !== ')') {
    if (isAttrAhead(s)) {
      attrs = readAttrs(s);
      break;
    }
    const isConstant = peek(s) === 'name' && peek(s, 1) === '[' && isWord(s, 'meta');
    const arg = isConstant ? readMetaConstant(s) : readSingle(s);
    if (arg === undefined) return undefined;
    args.push(arg);
    if (!accept(s, ',')) break;
  }
  if (!accept(s, ')') || peek(s) !== ';') return undefined;
  return makeCall(s, { callee, args, typeArgs: [], attrs, span: spanFrom(s, first) });
}
