/**
 * `match` and its patterns in text: [language §3](https://batonjs.github.io/baton/spec/language#3),
 * [§5](https://batonjs.github.io/baton/spec/language#5).
 */
import { run, type Steps } from '@baton/base';
import { type Clause, clause, type Expr, match, type Pattern, variable } from '@baton/ir';
import { unknownConstructor } from '../diagnostics.ts';
import { tokenSpan } from '../tokens/tokens.ts';
import { readProjection } from './atoms.ts';
import {
  accept,
  expect,
  type ParserState,
  peek,
  peekText,
  report,
  sigilName,
  spanFrom,
  spanHere,
  suggestion,
  unexpected,
} from './state.ts';
import { readType } from './types.ts';

/** How a match reads the expressions in it. */
export interface MatchReaders {
  readonly readScrutinee: (s: ParserState) => Steps<Expr>;
  readonly readBlock: (s: ParserState) => Steps<Expr>;
  readonly readBody: (s: ParserState) => Steps<Expr>;
}

/** `match e { p => e, .. }` or `match? e { .. }`. */
export function* readMatch(s: ParserState, readers: MatchReaders): Steps<Expr> {
  const first = s.at;
  const complete = s.tokens.kinds[s.at++] === 'match';
  const data = yield* run(readProjections(s, readers));
  expect(s, '{');
  const clauses: Clause[] = [];
  while (peek(s) !== '}') {
    const mark = s.locals.mark();
    // `case p { e }` is the legacy form, and needs no comma.
    const isCase = accept(s, 'case');
    const pattern = yield* run(readPattern(s));
    if (!isCase) expect(s, '=>');
    const body = yield* run(isCase ? readers.readBlock(s) : readers.readBody(s));
    s.locals.restore(mark);
    clauses.push(clause(pattern, body));
    if (!accept(s, ',') && !isCase) break;
  }
  expect(s, '}');
  return match(data, clauses, complete, spanFrom(s, first));
}

/** A primary expression and projections from it: a block after it opens the clauses. */
function* readProjections(s: ParserState, readers: MatchReaders): Steps<Expr> {
  const first = s.at;
  let expr = yield* run(readers.readScrutinee(s));
  while (peek(s) === '.') expr = readProjection(s, expr, first);
  return expr;
}

function* readPattern(s: ParserState): Steps<Pattern> {
  const first = s.at;
  switch (peek(s)) {
    case '_':
      s.at++;
      return { _tag: 'PatternWildcard', span: tokenSpan(s.tokens, first) };
    case 'local': {
      s.at++;
      const type = accept(s, ':') ? yield* run(readType(s)) : undefined;
      const name = sigilName(s, first);
      const bound = variable(name, type, tokenSpan(s.tokens, first));
      s.locals.declare(name, bound);
      return { _tag: 'PatternVar', variable: bound, span: spanFrom(s, first) };
    }
    case '(':
      return {
        _tag: 'PatternTuple',
        patterns: yield* run(readPatterns(s)),
        span: spanFrom(s, first),
      };
    case 'name':
      return yield* run(readConstructorPattern(s));
    default:
      return unexpected(s, 'a pattern');
  }
}

function* readPatterns(s: ParserState): Steps<ReadonlyArray<Pattern>> {
  expect(s, '(');
  const patterns: Pattern[] = [];
  while (peek(s) !== ')') {
    patterns.push(yield* run(readPattern(s)));
    if (!accept(s, ',')) break;
  }
  expect(s, ')');
  return patterns;
}

function* readConstructorPattern(s: ParserState): Steps<Pattern> {
  const first = s.at;
  const name = peekText(s);
  const ctor = s.constructors.get(name)?.ctor;
  if (ctor === undefined) {
    const hint =
      suggestion(s, name, () => s.constructors.keys()) ??
      (peek(s, 1) === '('
        ? `a type definition declares it: \`type T { ${name}(..) }\``
        : `write \`%${name}\` to bind a variable`);
    report(s, unknownConstructor(name, spanHere(s), hint));
  }
  s.at++;
  const patterns = peek(s) === '(' ? yield* run(readPatterns(s)) : [];
  const span = spanFrom(s, first);
  if (ctor === undefined) return { _tag: 'PatternWildcard', span };
  return { _tag: 'PatternConstructor', ctor, patterns, span };
}
