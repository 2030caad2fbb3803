/**
 * `match` and its patterns in text: [language §3](https://batonjs.github.io/baton/spec/language#3),
 * [§5](https://batonjs.github.io/baton/spec/language#5).
 */
import { run, type Steps } from '@baton/base';
import { type Clause, clause, type Expr, match, type Pattern, variable } from '@baton/ir';
import { unknownConstructor } from '../diagnostics.ts';
import { readProjection } from './atoms.ts';
import { type MatchReaders, type Parser, readList } from './parser.ts';
import { readType } from './types.ts';

/** `match e { p => e, .. }` or `match? e { .. }`. */
export function* readMatch(s: Parser, readers: MatchReaders): Steps<Expr> {
  const first = s.at;
  const complete = s.tokens.kinds[s.at++] === 'match';
  const data = yield* run(readProjections(s, readers));
  s.expect('{');
  const clauses = yield* run(s.dialect.readClauses(s, readers));
  s.expect('}');
  return match(data, clauses, complete, s.spanFrom(first));
}

/** `p => e, ..`, up to the closing bracket, which stays. */
export function* readClauses(s: Parser, { readBody }: MatchReaders): Steps<ReadonlyArray<Clause>> {
  const clauses: Clause[] = [];
  while (s.peek() !== '}') {
    clauses.push(yield* run(readClause(s, readBody)));
    if (!s.accept(',')) break;
  }
  return clauses;
}

/** A pattern, and its body read in its scope. */
export function* readClause(s: Parser, readBody: MatchReaders['readBody']): Steps<Clause> {
  const mark = s.locals.mark();
  const pattern = yield* run(readPattern(s));
  const body = yield* run(readBody(s));
  s.locals.restore(mark);
  return clause(pattern, body);
}

/** A primary expression and its projections: a block after them opens the clauses. */
function* readProjections(s: Parser, readers: MatchReaders): Steps<Expr> {
  const first = s.at;
  let expr = yield* run(readers.readScrutinee(s));
  while (s.peek() === '.') expr = readProjection(s, expr, first);
  return expr;
}

function* readPattern(s: Parser): Steps<Pattern> {
  const first = s.at;
  switch (s.peek()) {
    case '_':
      s.at++;
      return { _tag: 'PatternWildcard', span: s.spanAt(first) };
    case 'local': {
      s.at++;
      const type = s.accept(':') ? yield* run(readType(s)) : undefined;
      const name = s.sigilName(first);
      const bound = variable(name, type, s.spanAt(first));
      s.locals.declare(name, bound);
      return { _tag: 'PatternVar', variable: bound, span: s.spanFrom(first) };
    }
    case '(':
      return {
        _tag: 'PatternTuple',
        patterns: yield* run(readPatterns(s)),
        span: s.spanFrom(first),
      };
    case 'name':
      return yield* run(readConstructorPattern(s));
    default:
      return s.unexpected('a pattern');
  }
}

function readPatterns(s: Parser): Steps<ReadonlyArray<Pattern>> {
  s.expect('(');
  return readList(s, ')', readPattern);
}

function* readConstructorPattern(s: Parser): Steps<Pattern> {
  const first = s.at;
  const name = s.peekText();
  const ctor = s.constructors.get(name)?.ctor;
  if (ctor === undefined) {
    const hint =
      s.suggestion(name, () => s.constructors.keys()) ??
      (s.peek(1) === '('
        ? `a type definition declares it: \`type T { ${name}(..) }\``
        : `write \`%${name}\` to bind a variable`);
    s.report(unknownConstructor(name, s.spanHere(), hint));
  } else s.note(first, { _tag: 'Constructor', node: ctor });
  s.at++;
  const patterns = s.peek() === '(' ? yield* run(readPatterns(s)) : [];
  const span = s.spanFrom(first);
  if (ctor === undefined) return { _tag: 'PatternWildcard', span };
  return { _tag: 'PatternConstructor', ctor, patterns, span };
}
