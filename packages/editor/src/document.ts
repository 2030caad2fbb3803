/** A text that an editor has open: its parsed form, and the inferred types. */
import { type Diagnostic, isLeft, type Span } from '@baton/base';
import {
  type Expr,
  type Func,
  type IRModule,
  inferTypes,
  isClosed,
  namedGlobals,
  type OpTable,
  type Type,
  typeOf,
} from '@baton/ir';
import { standardOps } from '@baton/ops';
import { readText, type TextReading } from '@baton/text';
import { rangeOf } from './range.ts';

export interface DocumentOptions {
  /** The operators that the text may name. Default: `standardOps`. */
  readonly ops?: OpTable;
  /** The name of the text in messages. Default: `<text>`. */
  readonly source?: string;
}

export interface Typing {
  readonly diagnostics: ReadonlyArray<Diagnostic>;
  /** The type of a node of the document; it may have holes if there are errors. */
  readonly typeOf: (node: Expr) => Type | undefined;
}

/**
 * A Relay text with its analysis. The text is parsed once, and types are inferred on first use:
 * keep the document as long as the text does not change.
 */
export interface RelayDocument {
  readonly _tag: 'RelayDocument';
  readonly text: string;
  readonly ops: OpTable;
  readonly reading: TextReading;
  readonly typing: () => Typing;
}

/**
 * Parses a text: a module, or an expression if it has neither definitions nor a version.
 *
 * **Complexity** linear in the text.
 */
export function openDocument(text: string, options: DocumentOptions = {}): RelayDocument {
  const { ops = standardOps, source } = options;
  const reading = readText(text, { ops, ...(source === undefined ? {} : { source }) });
  let typing: Typing | undefined;
  return {
    _tag: 'RelayDocument',
    text,
    ops,
    reading,
    typing: () => {
      typing ??= typingOf(reading);
      return typing;
    },
  };
}

/** The document of a text; a document itself is returned. */
export const documentOf = (of: string | RelayDocument): RelayDocument =>
  typeof of === 'string' ? openDocument(of) : of;

function typingOf(reading: TextReading): Typing {
  const { module } = reading;
  const late = new Map<Expr, Type>();
  const inferred = inferTypes(module, { onType: (node, type) => late.set(node, type) });
  const typed: IRModule = isLeft(inferred) ? module : inferred.right;
  const isSound = soundness(reading);
  return {
    diagnostics: isLeft(inferred) ? inferred.left.filter(({ span }) => isSound(span)) : [],
    typeOf: (node) => late.get(node) ?? typeOf(typed, node),
  };
}

/**
 * Whether a span is in a definition that was parsed without errors and that names none whose type
 * is unknown because of an error: elsewhere type errors may be consequences of others.
 */
function soundness(reading: TextReading): (span: Span | undefined) => boolean {
  const { diagnostics, tokens, module } = reading;
  if (diagnostics.length === 0) return () => true;
  const regions = definitionsOf(reading);
  const regionAt = (span: Span | undefined): Definition | undefined => {
    const at = rangeOf(tokens, span)?.from ?? -1;
    return regions.findLast(({ from }) => from <= at);
  };
  const broken = new Set(diagnostics.map(({ span }) => regionAt(span)));
  // A broken type definition, or an error before the first definition, affects everything.
  if ([...broken].some((one) => one !== undefined && one.kind === 'type')) return () => false;
  const untyped = new Set<string>();
  const unsound = new Set<string>();
  for (const one of broken) {
    if (one?.name === undefined) continue;
    unsound.add(one.name);
    const f = module.functions.get(one.name);
    if (f === undefined || !isStated(f)) untyped.add(one.name);
  }
  spread(module, untyped, unsound);
  return (span) => {
    const region = regionAt(span);
    // A node without a span, such as a variable in place of a broken part, is the consequence of an
    // error.
    if (region === undefined) return false;
    return !broken.has(region) && !unsound.has(region.name ?? '');
  };
}

/** Adds the functions that name one of unknown type. */
function spread(module: IRModule, untyped: Set<string>, unsound: Set<string>): void {
  const callers = new Map<string, string[]>();
  for (const [name, f] of module.functions) {
    for (const named of namedGlobals(f)) {
      const known = callers.get(named);
      if (known === undefined) callers.set(named, [name]);
      else known.push(name);
    }
  }
  const pending = [...untyped];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const caller of callers.get(next) ?? []) {
      unsound.add(caller);
      const f = module.functions.get(caller);
      if (untyped.has(caller) || (f !== undefined && isStated(f))) continue;
      untyped.add(caller);
      pending.push(caller);
    }
  }
}

/** Whether the annotations of a function state its type. */
const isStated = ({ params, retType }: Func): boolean =>
  retType !== undefined &&
  isClosed(retType) &&
  params.every(({ typeAnnotation }) => typeAnnotation !== undefined && isClosed(typeAnnotation));

export interface Definition {
  readonly kind: 'function' | 'type';
  /** Without sigil; absent if the text does not contain it. */
  readonly name: string | undefined;
  /** The token of the name. */
  readonly nameAt: number;
  /** The first token, and the last one before the next definition. */
  readonly first: number;
  readonly last: number;
  readonly from: number;
}

/** The definitions of a text, in order. **Complexity** linear in the tokens. */
export function definitionsOf({ tokens }: Pick<TextReading, 'tokens'>): ReadonlyArray<Definition> {
  const { kinds, starts, ends, source } = tokens;
  const found: Definition[] = [];
  const firsts: number[] = [];
  for (let i = 0; i < kinds.length; i++) {
    const kind = kinds[i];
    const isType = kind === 'type' && kinds[i - 1] !== 'extern' && kinds[i + 1] === 'name';
    if (kind === 'def' || kind === 'extern' || isType) firsts.push(i);
  }
  for (const [i, first] of firsts.entries()) {
    const kind = kinds[first] === 'def' ? 'function' : 'type';
    const nameAt = kinds[first] === 'extern' ? first + 2 : first + 1;
    const isNamed = kinds[nameAt] === (kind === 'function' ? 'global' : 'name');
    const text = source.text.slice(starts[nameAt], ends[nameAt]);
    found.push({
      kind,
      name: isNamed ? text.replace(/^@/, '') : undefined,
      nameAt,
      first,
      last: (firsts[i + 1] ?? kinds.length - 1) - 1,
      from: starts[first] as number,
    });
  }
  return found;
}
