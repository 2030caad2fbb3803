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
import { tokenSpan } from '../tokens/tokens.ts';
import { attrRecord, isAttrAhead, readAttrs, type WrittenAttr } from './attrs.ts';
import {
  accept,
  expect,
  isBinderAhead,
  isWord,
  type ParserState,
  peek,
  sigilName,
  spanFrom,
} from './state.ts';
import { readType, readTypeParams, readWhere, simpleType } from './types.ts';

/**
 * `[A](%x: T, Key=1) -> R where .. { e }`. A dimension that the signature mentions and nothing
 * declares becomes a type parameter, after the declared ones
 * ([types §10.1](https://batonjs.github.io/baton/spec/types#10.1)). `readBody` reads the block.
 */
export function* readFunction(
  s: ParserState,
  first: number,
  readBody: (s: ParserState) => Steps<Expr>,
): Steps<Func> {
  const typeMark = s.typeVars.mark();
  const localMark = s.locals.mark();
  const outerSignature = s.openSignature;
  const implied: TypeVar[] = [];
  const declared = readTypeParams(s);
  s.openSignature = implied;
  const written = yield* run(readParams(s));
  const hasResult = accept(s, '->');
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
    span: spanFrom(s, first),
  });
}

interface Params {
  readonly params: ReadonlyArray<Var>;
  readonly attrs: ReadonlyArray<WrittenAttr>;
}

function* readParams(s: ParserState): Steps<Params> {
  expect(s, '(');
  const params: Var[] = [];
  let attrs: ReadonlyArray<WrittenAttr> = [];
  while (peek(s) !== ')') {
    if (isAttrAhead(s)) {
      attrs = readAttrs(s);
      break;
    }
    const nameAt = isBinderAhead(s) ? s.at++ : expect(s, 'local', 'a parameter');
    const type = accept(s, ':') ? (simpleType(s) ?? (yield* run(readType(s)))) : undefined;
    params.push(variable(sigilName(s, nameAt), type, tokenSpan(s.tokens, nameAt)));
    if (!accept(s, ',')) break;
  }
  expect(s, ')');
  return { params, attrs };
}

/** A bare relation speaks of every parameter and of the result: what has no type gets a hole. */
function completed(
  s: ParserState,
  params: ReadonlyArray<Var>,
  retType: Type | undefined,
): { readonly params: ReadonlyArray<Var>; readonly retType: Type | undefined } {
  if (!isWord(s, 'where')) return { params, retType };
  return {
    params: params.map((p) =>
      p.typeAnnotation === undefined ? variable(p.nameHint, incompleteType(), p.span) : p,
    ),
    retType: retType ?? incompleteType(),
  };
}
