/**
 * The definitions of a module: [language §1](https://batonjs.github.io/baton/spec/language#1),
 * [§3](https://batonjs.github.io/baton/spec/language#3).
 */
import { hashText, run, runSteps, type Steps, type TextSpan } from '@baton/base';
import {
  adtConstructor,
  type ConstructorDef,
  type Func,
  globalTypeVar,
  type ParamKind,
  type Type,
} from '@baton/ir';
import { definedTwice, externConstructors } from '../diagnostics.ts';
import { type TokenKind, tokenSpan, tokenText } from '../tokens/tokens.ts';
import { readBlock } from './exprs.ts';
import { readFunction } from './functions.ts';
import {
  type AttributeBlock,
  readAttributeBlock,
  readDataConstructors,
  withAttributeBlocks,
} from './legacy-definitions.ts';
import {
  accept,
  expect,
  isFull,
  isSyntaxError,
  type ParserState,
  peek,
  report,
  sigilName,
  spanHere,
  unexpected,
} from './state.ts';
import { PARAM_KINDS, readType, readTypeParams } from './types.ts';

/**
 * The functions of a module. Type definitions come first, wherever they stand: all of a module's
 * names see each other. What cannot be read is reported, and reading goes on at the next definition.
 */
export function readDefinitions(s: ParserState): ReadonlyMap<string, Func> {
  const starts = definitionStarts(s);
  expectEnd(s, starts[0]);
  for (const [i, start] of starts.entries()) {
    declareName(s, start, starts[i + 1] ?? s.tokens.kinds.length);
  }
  const functions = new Map<string, Func>();
  const blocks: AttributeBlock[] = [];
  const readAll = (wanted: (kind: TokenKind) => boolean, read: () => Steps<void>): void => {
    for (const [i, start] of starts.entries()) {
      if (wanted(s.tokens.kinds[start] ?? 'eof')) readOne(s, start, starts[i + 1], read());
    }
  };
  readAll(
    (kind) => kind === 'type' || kind === 'extern',
    () => readTypeDefinition(s),
  );
  readAll(
    (kind) => kind === 'data',
    () => readData(s),
  );
  readAll(
    (kind) => kind === 'def',
    () => readDef(s, functions),
  );
  readAll(
    (kind) => kind === 'attributes',
    () => readBlockInto(s, blocks),
  );
  withAttributeBlocks(s, functions, blocks);
  return functions;
}

// A step, as all definitions are.
// biome-ignore lint/correctness/useYield: what it reads does not nest.
function* readBlockInto(s: ParserState, blocks: AttributeBlock[]): Steps<void> {
  blocks.push(readAttributeBlock(s));
}

/** The tokens at which definitions start. Their keywords stand nowhere else. */
function definitionStarts(s: ParserState): ReadonlyArray<number> {
  const { kinds } = s.tokens;
  const starts: number[] = [];
  for (let i = s.at; i < kinds.length; i++) {
    const kind = kinds[i];
    const isNamed = kinds[i + 1] === 'name' && kinds[i - 1] !== 'extern';
    const isType = (kind === 'type' || kind === 'data') && isNamed;
    // Legacy keywords may be names of attributes: `data=1`.
    const isBlock = kind === 'attributes' && kinds[i + 1] !== '=';
    if (kind === 'def' || kind === 'extern' || isType || isBlock) starts.push(i);
  }
  return starts;
}

/** Reads the definition at `start`, and reports what is left over before the next one. */
function readOne(
  s: ParserState,
  start: number,
  next: number | undefined,
  definition: Steps<void>,
): void {
  if (isFull(s)) return;
  s.at = start;
  try {
    runSteps(definition);
    expectEnd(s, next);
  } catch (thrown) {
    if (!isSyntaxError(thrown)) throw thrown;
  }
}

/** Reports a token that belongs to no definition. */
function expectEnd(s: ParserState, next: number | undefined): void {
  if (s.at === (next ?? s.tokens.kinds.length - 1)) return;
  try {
    unexpected(s, next === undefined ? 'a definition or the end of the text' : 'a definition');
  } catch (thrown) {
    if (!isSyntaxError(thrown)) throw thrown;
  }
}

/** Makes the name of a function known; or of a type definition, with its parameters' kinds. */
function declareName(s: ParserState, start: number, next: number): void {
  const { kinds } = s.tokens;
  if (kinds[start] === 'attributes') return;
  if (kinds[start] === 'def') {
    const kind = kinds[start + 1];
    if (kind === 'global' || kind === 'name') s.definedNames.add(sigilName(s, start + 1));
    return;
  }
  const nameAt = kinds[start] === 'extern' ? start + 2 : start + 1;
  if (kinds[nameAt] !== 'name') return;
  const name = tokenText(s.tokens, nameAt);
  const earlier = s.adts.get(name);
  const span = tokenSpan(s.tokens, nameAt);
  if (earlier !== undefined) {
    report(s, definedTwice('type', name, span, earlier.span));
    return;
  }
  const opener = kinds[nameAt + 1];
  const isList = opener === '[' || opener === '<';
  const closer = opener === '[' ? ']' : '>';
  const paramKinds = isList ? parameterKinds(s, nameAt + 2, next, closer) : [];
  s.adts.set(name, { header: globalTypeVar(name), kinds: paramKinds, span });
}

/**
 * The kinds in a list of type parameters, which is read properly later: up to its end, and no
 * further than the definition.
 */
function parameterKinds(
  s: ParserState,
  from: number,
  next: number,
  closer: ']' | '>',
): ReadonlyArray<ParamKind> {
  const found: ParamKind[] = [];
  for (let i = from; i < next && s.tokens.kinds[i] !== closer; i++) {
    if (s.tokens.kinds[i] !== 'name') continue;
    const isAnnotated = s.tokens.kinds[i + 1] === ':';
    const word = isAnnotated ? tokenText(s.tokens, i + 2) : 'Type';
    found.push(PARAM_KINDS.find((kind) => kind === word) ?? 'Type');
    if (isAnnotated) i += 2;
  }
  return found;
}

function* readDef(s: ParserState, functions: Map<string, Func>): Steps<void> {
  const first = s.at++;
  const isBare = s.isLegacy && peek(s) === 'name';
  const nameAt = isBare ? s.at++ : expect(s, 'global', 'the name of a global function');
  const name = sigilName(s, nameAt);
  const span = tokenSpan(s.tokens, nameAt);
  const isFirst = !s.globals.has(name);
  if (!isFirst) report(s, definedTwice('global', `@${name}`, span, s.globals.get(name)));
  else s.globals.set(name, span);
  startDefinition(s);
  const f = yield* run(readFunction(s, first, readBlock));
  if (isFirst) functions.set(name, f);
}

/** Each definition has graph bindings and names of its own, even after one that broke off. */
function startDefinition(s: ParserState): void {
  s.graph = new Map();
  s.locals.restore(0);
  s.typeVars.restore(0);
  s.openSignature = undefined;
  s.lineEnds = false;
  s.selfType = undefined;
  s.inDefinition = true;
}

function* readTypeDefinition(s: ParserState): Steps<void> {
  const externSpan = spanHere(s);
  const extern = accept(s, 'extern');
  expect(s, 'type');
  const nameAt = expect(s, 'name', 'the name of a type');
  const name = tokenText(s.tokens, nameAt);
  startDefinition(s);
  const adt = s.adts.get(name);
  const isFirst = !s.typeDefinitions.has(name);
  const typeVars = readTypeParams(s);
  const constructors: ConstructorDef[] = [];
  if (extern && peek(s) === '{') report(s, externConstructors(externSpan));
  if (accept(s, '{')) {
    while (peek(s) !== '}') {
      constructors.push(yield* run(readConstructor(s, name, constructors.length)));
      if (!accept(s, ',')) break;
    }
    expect(s, '}');
  }
  if (adt === undefined || !isFirst) return;
  const { header } = adt;
  s.typeDefinitions.set(name, { _tag: 'TypeData', header, typeVars, constructors, extern });
}

/** `data List<a> { Nil : () -> List  Cons : (a, List[a]) -> List }`. */
function* readData(s: ParserState): Steps<void> {
  s.at++;
  const name = tokenText(s.tokens, expect(s, 'name', 'the name of a type'));
  startDefinition(s);
  const isFirst = !s.typeDefinitions.has(name);
  const typeVars = readTypeParams(s);
  const constructors = yield* run(readDataConstructors(s, name, typeVars));
  for (const [i, ctor] of constructors.entries()) declareConstructor(s, name, i, ctor, ctor.span);
  const header = s.adts.get(name)?.header;
  if (header === undefined || !isFirst) return;
  const definitions = constructors.map(({ name: ctor, inputs }) => ({ name: ctor, inputs }));
  s.typeDefinitions.set(name, {
    _tag: 'TypeData',
    header,
    typeVars,
    constructors: definitions,
    extern: false,
  });
}

/** `Cons(A, List[A])` or `Nil`. */
function* readConstructor(s: ParserState, adtName: string, index: number): Steps<ConstructorDef> {
  const nameAt = expect(s, 'name', 'the name of a constructor');
  const name = tokenText(s.tokens, nameAt);
  const span = tokenSpan(s.tokens, nameAt);
  const inputs: Type[] = [];
  if (accept(s, '(')) {
    while (peek(s) !== ')') {
      inputs.push(yield* run(readType(s)));
      if (!accept(s, ',')) break;
    }
    expect(s, ')');
  }
  declareConstructor(s, adtName, index, { name, inputs }, span);
  return { name, inputs };
}

function declareConstructor(
  s: ParserState,
  adtName: string,
  index: number,
  definition: ConstructorDef,
  span: TextSpan,
): void {
  const { name, inputs } = definition;
  const earlier = s.constructors.get(name);
  if (earlier !== undefined) {
    report(s, definedTwice('constructor', name, span, earlier.span));
    return;
  }
  const header = s.adts.get(adtName)?.header ?? globalTypeVar(adtName);
  const tag = constructorTag(adtName, index);
  s.constructors.set(name, { ctor: adtConstructor(name, inputs, header, tag, span), span });
}

/**
 * Eight bits of the type's name and the place in its definition:
 * [language §1](https://batonjs.github.io/baton/spec/language#1).
 */
const constructorTag = (adtName: string, index: number): number =>
  ((hashText(adtName) & 0xff) << 24) | (index & 0xffffff);
