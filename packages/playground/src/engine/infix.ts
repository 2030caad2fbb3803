/** Converts arithmetic notation to s-expressions: `(a * 2) / 2` is `(/ (* a 2) 2)`. */

const PRECEDENCE: Readonly<Record<string, number>> = {
  '|': 1,
  '&': 2,
  '==': 3,
  '<': 4,
  '>': 4,
  '<<': 5,
  '>>': 5,
  '+': 6,
  '-': 6,
  '*': 7,
  '/': 7,
  '%': 7,
  '^': 8,
};

const TOKEN = /\s*([()]|<<|>>|==|[-+*/%^&|<>]|[^\s()+*/%^&|<>=-]+)/y;

/** The s-expression; `undefined` if the text is not in arithmetic notation. */
export function infixToTerm(text: string): string | undefined {
  const values: string[] = [];
  const operators: string[] = [];
  let isValueNext = true;
  const reduce = (): boolean => {
    const operator = operators.pop();
    const right = values.pop();
    const left = values.pop();
    if (operator === undefined || left === undefined || right === undefined) return false;
    values.push(`(${operator} ${left} ${right})`);
    return true;
  };
  const bindsFirst = (operator: string): boolean => {
    const top = operators.at(-1) ?? '(';
    return top !== '(' && (PRECEDENCE[top] ?? 0) >= (PRECEDENCE[operator] ?? 0);
  };
  for (const token of tokensOf(text) ?? ['bad']) {
    if (token === '(') {
      if (!isValueNext) return undefined;
      operators.push(token);
    } else if (token === ')') {
      if (isValueNext) return undefined;
      while (operators.at(-1) !== '(') if (!reduce()) return undefined;
      operators.pop();
    } else if (token in PRECEDENCE) {
      if (isValueNext) return undefined;
      while (bindsFirst(token)) if (!reduce()) return undefined;
      operators.push(token);
      isValueNext = true;
    } else {
      if (!isValueNext) return undefined;
      values.push(token);
      isValueNext = false;
    }
  }
  while (operators.length > 0) if (!reduce()) return undefined;
  return values.length === 1 && !isValueNext ? values[0] : undefined;
}

function tokensOf(text: string): ReadonlyArray<string> | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const trimmed = text.trimEnd();
  while (TOKEN.lastIndex < trimmed.length) {
    const found = TOKEN.exec(trimmed)?.[1];
    if (found === undefined) return undefined;
    tokens.push(found);
  }
  return tokens;
}
