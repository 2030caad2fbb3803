/** Parses patterns. */
import { andThen, failure, type Result, right } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  type Expr,
  foldExpr,
  literalValue,
  opTable,
  postOrderExprs,
} from '@baton/ir';
import { parseExpr } from '@baton/text';
import { notAPattern } from '../diagnostics.ts';
import type { AttrPattern, Pattern } from './pattern.ts';

const REST = 'attrs';

/**
 * A pattern in the notation of programs, in which `?x` is a hole: `add(?x, 0)`, `?x + 0`,
 * `transpose(?x, axes=?a)`. `attrs=?a` matches all attributes that the call does not name; without
 * it those must have their default values. `?op(?x)` is a call of any operator that the rule
 * accepts for `?op`. `source` names the text in diagnostics. **Errors** `PARSE_*` and `LEX_*` of
 * the parser, and `RULE_PATTERN` for expressions that cannot be part of patterns.
 */
export const parsePattern = (text: string, source = 'pattern'): Result<Pattern> =>
  andThen(parseExpr(text, { ops: noOps, dialect: 'pattern', source }), fromExpr);

/** Names are resolved once an engine has the table of a program. */
const noOps = opTable([]);

function fromExpr(root: Expr): Result<Pattern> {
  // The name of a call's operator is no pattern of its own.
  const names = new Set<Expr>();
  const order = postOrderExprs([root]);
  for (const node of order) if (node._tag === 'Call') names.add(node.op);
  const wrong: Expr[] = [];
  const made = foldExpr<Pattern>(order, (node, get) => {
    const part = (expr: Expr): Pattern => get(expr) ?? ANY;
    switch (node._tag) {
      case 'Var':
        return { _tag: 'Hole', name: node.nameHint };
      case 'Constant': {
        // A literal without suffix is the decimal as written, whatever float it was parsed as.
        const value = Number(literalValue(node));
        return { _tag: 'Number', value, dtype: node.literal ? undefined : node.data.dtype };
      }
      case 'Tuple':
        return { _tag: 'Tuple', fields: node.fields.map(part) };
      case 'TupleGetItem':
        return { _tag: 'Field', tuple: part(node.tuple), index: node.index };
      case 'Call': {
        const { op } = node;
        if (op._tag !== 'Op' && op._tag !== 'Var') break;
        const args = node.args.map(part);
        return {
          _tag: 'Call',
          op: op._tag === 'Op' ? op.name : `?${op.nameHint}`,
          args,
          ...attrPatterns(node.attrs),
          span: node.span,
        };
      }
      default:
    }
    if (node._tag !== 'Op' || !names.has(node)) wrong.push(node);
    return ANY;
  });
  return failure(wrong.map(notAPattern)) ?? right(made.get(root) ?? ANY);
}

/** Replaces a part whose error is reported. */
const ANY: Pattern = { _tag: 'Hole', name: '' };

function attrPatterns(attrs: Attrs = {}): {
  readonly attrs: ReadonlyMap<string, AttrPattern>;
  readonly rest: string | undefined;
} {
  const { [REST]: rest, ...own } = attrs;
  const hole = rest === undefined ? undefined : holeName(rest);
  const named: [string, AttrPattern][] = Object.entries(own).map(([name, value]) => {
    const a = holeName(value);
    return [name, a === undefined ? value : { _tag: 'AttrHole', name: a }];
  });
  if (rest !== undefined && hole === undefined) named.push([REST, rest]);
  return { attrs: new Map(named), rest: hole };
}

/** The name of a hole for an attribute's value, which the parser returns as text. */
const holeName = (value: AttrValue): string | undefined =>
  typeof value === 'string' && value.startsWith('?') ? value.slice(1) : undefined;
