// The TextMate grammar of Relay text, from the words of the lexer and the parser.

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const oneOf = (words) => `(?:${words.map(escaped).join('|')})`;

/** A word that is no part of a name. */
const word = (words) => `(?<![%@.\\w])${oneOf(words)}(?![\\w.])`;

const WORD = '[A-Za-z_][A-Za-z0-9_]*';
const IDENTIFIER = `${WORD}(?:/${WORD})*`;
const NAME = `${IDENTIFIER}(?:\\.${IDENTIFIER})*`;

/** The grammar as data, given `relayWords` of `@baton/text`. */
export function textMateGrammar(words) {
  const control = ['if', 'else', 'match'];
  const declaring = words.keywords.filter((one) => !control.includes(one));
  const rule = (name, match) => ({ name: `${name}.relay`, match });
  const rules = {
    metadata: {
      begin: '#\\[[ \\t]*metadata[ \\t]*\\]',
      end: '(?!)',
      name: 'meta.embedded.metadata.relay',
    },
    header: rule('keyword.control.directive', '#\\[[ \\t]*version[ \\t]*=[^\\]]*\\]'),
    lineComment: rule('comment.line.double-slash', '//.*$'),
    blockComment: {
      name: 'comment.block.relay',
      begin: '/\\*',
      end: '\\*/',
      patterns: [{ include: '#blockComment' }],
    },
    string: {
      name: 'string.quoted.double.relay',
      begin: '"',
      end: '"|$',
      patterns: [rule('constant.character.escape', '\\\\.')],
    },
    definition: {
      match: `(?<![%@.\\w])(def)\\s+(@${NAME})`,
      captures: {
        1: { name: 'storage.type.relay' },
        2: { name: 'entity.name.function.relay' },
      },
    },
    typeDefinition: {
      match: `(?<![%@.\\w])(type)\\s+(${WORD})`,
      captures: { 1: { name: 'storage.type.relay' }, 2: { name: 'entity.name.type.relay' } },
    },
    binding: {
      match: `(?<![%@.\\w])(let|free_var)\\s+(%${IDENTIFIER})`,
      captures: {
        1: { name: 'storage.type.relay' },
        2: { name: 'variable.other.definition.relay' },
      },
    },
    attribute: {
      match: `(?<![%@.\\w])(${NAME})\\s*(=)(?![=>])`,
      captures: {
        1: { name: 'entity.other.attribute-name.relay' },
        2: { name: 'keyword.operator.assignment.relay' },
      },
    },
    control: rule('keyword.control', `${word(control)}\\??`),
    declaring: rule('storage.type', word(declaring)),
    where: rule('keyword.other', `${word(['where'])}(?=\\s*[A-Za-z])(?!\\s*\\()`),
    value: rule('constant.language', word([...words.values, ...words.attributeValues])),
    global: rule('entity.name.function', `@${NAME}`),
    local: rule('variable.other', `%${IDENTIFIER}`),
    graph: rule('variable.other.graph', '%\\d+'),
    dtype: rule('support.type', `(?<![%@.\\w])${oneOf(words.dtypes)}(?:x\\d+)?(?![\\w.])`),
    kind: {
      match: `:\\s*(${oneOf(words.kinds)})(?!\\w)`,
      captures: { 1: { name: 'support.type.relay' } },
    },
    tensor: rule('support.type', word(['Tensor'])),
    call: rule(
      'support.function',
      `(?<![%@.\\w/])[a-z_]${NAME.slice('[A-Za-z_]'.length)}(?=\\s*[(\\[])`,
    ),
    constructor: rule('entity.name.type', `(?<![%@.\\w/])[A-Z][A-Za-z0-9_]*`),
    number: rule(
      'constant.numeric',
      '(?<![\\w%@])(?:\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?\\w*|(?:inf|nan)f(?:16|32|64)?)(?!\\w)',
    ),
    operator: rule(
      'keyword.operator',
      oneOf([...words.infix, '=>', '->', '='].sort((a, b) => b.length - a.length)),
    ),
  };
  return {
    name: 'Relay',
    scopeName: 'source.relay',
    patterns: Object.keys(rules).map((name) => ({ include: `#${name}` })),
    repository: rules,
  };
}
