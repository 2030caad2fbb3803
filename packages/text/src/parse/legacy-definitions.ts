/**
 * Definitions that only the legacy dialect has: `data` and attribute blocks
 * ([language §13.2](https://batonjs.github.io/baton/spec/language#13.2)).
 */
import { didYouMean, run, type Steps, type TextSpan } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  type Func,
  func,
  type Type,
  type TypeVar,
  typeCall,
  varArg,
} from '@baton/ir';
import {
  repeatedAttribute,
  unknownAttributeOwner,
  wrongConstructorResult,
} from '../diagnostics.ts';
import { tokenSpan, tokenText } from '../tokens/tokens.ts';
import { readAttrValue } from './attrs.ts';
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
  unexpected,
} from './state.ts';
import { readType } from './types.ts';

/** A constructor as a `data` definition states it. */
export interface LegacyConstructor {
  readonly name: string;
  readonly inputs: ReadonlyArray<Type>;
  readonly span: TextSpan;
}

/**
 * `{ Nil : () -> List  Cons : (a, List) -> List }`, after the head. The bare name of the type stands
 * for the type applied to its own parameters.
 */
export function* readDataConstructors(
  s: ParserState,
  name: string,
  typeVars: ReadonlyArray<TypeVar>,
): Steps<ReadonlyArray<LegacyConstructor>> {
  const header = s.adts.get(name)?.header;
  s.selfType = header === undefined ? undefined : typeCall(header, typeVars.map(varArg));
  const constructors: LegacyConstructor[] = [];
  expect(s, '{');
  while (peek(s) !== '}') {
    constructors.push(yield* run(readDataConstructor(s, name)));
    accept(s, ',');
  }
  expect(s, '}');
  s.selfType = undefined;
  return constructors;
}

function* readDataConstructor(s: ParserState, typeName: string): Steps<LegacyConstructor> {
  const nameAt = expect(s, 'name', 'the name of a constructor');
  expect(s, ':');
  expect(s, '(');
  const inputs: Type[] = [];
  while (peek(s) !== ')') {
    inputs.push(yield* run(readType(s)));
    if (!accept(s, ',')) break;
  }
  expect(s, ')');
  expect(s, '->');
  const resultAt = s.at;
  const result = yield* run(readType(s));
  const isSelf = result._tag === 'TypeCall' && result.func.nameHint === typeName;
  if (!isSelf) report(s, wrongConstructorResult(typeName, spanFrom(s, resultAt)));
  return { name: tokenText(s.tokens, nameAt), inputs, span: tokenSpan(s.tokens, nameAt) };
}

/** `attributes f { inline: true }`. */
export interface AttributeBlock {
  readonly name: string;
  readonly span: TextSpan;
  readonly attrs: Attrs;
}

/** Reads an attribute block, from its keyword on. */
export function readAttributeBlock(s: ParserState): AttributeBlock {
  s.at++;
  if (peek(s) !== 'global' && peek(s) !== 'name') return unexpected(s, 'the name of a function');
  const name = sigilName(s, s.at);
  const span = spanHere(s);
  s.at++;
  expect(s, '{');
  const attrs: [string, AttrValue][] = [];
  const seen = new Set<string>();
  while (peek(s) !== '}') {
    if (peek(s) !== 'name') return unexpected(s, 'the name of an attribute');
    const key = peekText(s);
    const keySpan = spanHere(s);
    s.at++;
    expect(s, ':');
    const meant = modernAttr(key, readAttrValue(s));
    accept(s, ',');
    if (meant === undefined) continue;
    if (seen.has(meant[0])) report(s, repeatedAttribute(key, keySpan));
    seen.add(meant[0]);
    attrs.push(meant);
  }
  expect(s, '}');
  return { name, span, attrs: Object.fromEntries(attrs) };
}

const MODERN_NAMES: ReadonlyMap<string, string> = new Map([
  ['inline', 'Inline'],
  ['primitive', 'Primitive'],
  ['composite', 'Composite'],
  ['skip_optimization', 'SkipOptimization'],
]);

/** An attribute as functions have it today. `noinline: false` says nothing. */
function modernAttr(name: string, value: AttrValue): [string, AttrValue] | undefined {
  if (name === 'noinline' && typeof value === 'boolean') return value ? ['Inline', 0] : undefined;
  const modern = MODERN_NAMES.get(name);
  if (modern === undefined) return [name, value];
  return [modern, typeof value === 'boolean' ? Number(value) : value];
}

/** The functions with the attributes that blocks give them. */
export function withAttributeBlocks(
  s: ParserState,
  functions: Map<string, Func>,
  blocks: ReadonlyArray<AttributeBlock>,
): void {
  for (const { name, span, attrs } of blocks) {
    const f = functions.get(name);
    if (f !== undefined) {
      functions.set(name, func(f.params, f.body, { ...f, attrs: { ...f.attrs, ...attrs } }));
    } else if (!s.definedNames.has(name)) {
      report(s, unknownAttributeOwner(name, span, didYouMean(name, s.definedNames)));
    }
  }
}
