/** Functions in text, after their keyword and name. */
import { run, type Steps } from '@baton/base';
import {
  type Expr,
  type Func,
  func,
  incompleteType,
  type Type,
  type TypeVar,
  type Var,
  variable,
} from '@baton/ir';
import { attrRecord, isAttrAhead, readAttrs, type WrittenAttr } from './attrs.ts';
import type { Parser } from './parser.ts';
import { readType, readTypeParams, readWhere, simpleType } from './types.ts';

/**
 * `[A](%x: T, Key=1) -> R where .. { e }`. An undeclared dimension of the signature becomes a type
 * parameter, after the declared ones
 * ([types §10.1](https://batonjs.github.io/baton/spec/types#10.1)). `readBody` reads the block.
 */
export function* readFunction(
  s: Parser,
  first: number,
  readBody: (s: Parser) => Steps<Expr>,
): Steps<Func> {
  const typeMark = s.typeVars.mark();
  const localMark = s.locals.mark();
  const outerSignature = s.openSignature;
  const implied: TypeVar[] = [];
  const declared = readTypeParams(s);
  s.openSignature = implied;
  const written = yield* run(readParams(s));
  const hasResult = s.accept('->');
  const writtenResult = hasResult ? (simpleType(s) ?? (yield* run(readType(s)))) : undefined;
  const { params, retType } = completed(s, written.params, writtenResult);
  const constraints = yield* run(
    readWhere(
      s,
      params.map((p) => p.typeAnnotation ?? incompleteType()),
      retType ?? incompleteType(),
    ),
  );
  s.openSignature = undefined;
  for (const param of params) s.locals.declare(param.nameHint, param);
  const body = yield* run(readBody(s));
  s.openSignature = outerSignature;
  s.locals.restore(localMark);
  s.typeVars.restore(typeMark);
  return func(params, body, {
    retType,
    typeParams: implied.length === 0 ? declared : [...declared, ...implied],
    attrs: attrRecord(written.attrs),
    constraints,
    span: s.spanFrom(first),
  });
}

interface Params {
  readonly params: ReadonlyArray<Var>;
  readonly attrs: ReadonlyArray<WrittenAttr>;
}

function* readParams(s: Parser): Steps<Params> {
  s.expect('(');
  const params: Var[] = [];
  let attrs: ReadonlyArray<WrittenAttr> = [];
  while (s.peek() !== ')') {
    if (isAttrAhead(s)) {
      attrs = readAttrs(s);
      break;
    }
    const nameAt = s.expectName(s.dialect.localNames, 'local', 'a parameter');
    const type = s.accept(':') ? (simpleType(s) ?? (yield* run(readType(s)))) : undefined;
    params.push(variable(s.sigilName(nameAt), type, s.spanAt(nameAt)));
    if (!s.accept(',')) break;
  }
  s.expect(')');
  return { params, attrs };
}

/** A bare relation holds between every parameter and the result: missing types become holes. */
function completed(
  s: Parser,
  params: ReadonlyArray<Var>,
  retType: Type | undefined,
): { readonly params: ReadonlyArray<Var>; readonly retType: Type | undefined } {
  if (!s.isWord('where')) return { params, retType };
  return {
    params: params.map((p) =>
      p.typeAnnotation === undefined ? variable(p.nameHint, incompleteType(), p.span) : p,
    ),
    retType: retType ?? incompleteType(),
  };
}
