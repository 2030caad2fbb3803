/** Grammars in the notation of the language reference, and their random sentences. */
import { mulberry32, type Random } from '@baton/base';

/** The right side of a production. */
export type Rule =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'token'; readonly name: string }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'sequence'; readonly items: ReadonlyArray<Rule> }
  | { readonly kind: 'choice'; readonly items: ReadonlyArray<Rule> }
  | { readonly kind: 'repeat'; readonly item: Rule; readonly least: number; readonly most: number };

/** Productions by name. */
export type Grammar = ReadonlyMap<string, Rule>;

/** The grammar in a text; productions of the same name are alternatives. */
export function parseGrammar(text: string): Grammar {
  const rules = new Map<string, Rule>();
  for (const [, name = '', body = ''] of text.matchAll(/^(\w+)\s*::=(.*(?:\n +.*)*)/gm)) {
    const tokens = [...body.matchAll(/'(?:[^']+)'|\w+|[()|?*+]/g)].map((m) => m[0]);
    const rule = parseRule(tokens);
    const earlier = rules.get(name);
    rules.set(name, earlier === undefined ? rule : { kind: 'choice', items: [earlier, rule] });
  }
  return rules;
}

function parseRule(tokens: ReadonlyArray<string>): Rule {
  let at = 0;
  const choice = (): Rule => {
    const items = [sequence()];
    while (tokens[at] === '|') {
      at++;
      items.push(sequence());
    }
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { kind: 'choice', items };
  };
  const sequence = (): Rule => {
    const items: Rule[] = [];
    while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') items.push(repeated());
    return { kind: 'sequence', items };
  };
  const repeated = (): Rule => {
    let item = atom();
    for (;;) {
      const sign = tokens[at];
      if (sign === '?') item = { kind: 'repeat', item, least: 0, most: 1 };
      else if (sign === '*') item = { kind: 'repeat', item, least: 0, most: 3 };
      else if (sign === '+') item = { kind: 'repeat', item, least: 1, most: 3 };
      else return item;
      at++;
    }
  };
  const atom = (): Rule => {
    const token = tokens[at++] ?? '';
    if (token === '(') {
      const inner = choice();
      if (tokens[at++] !== ')') throw new Error(`no ) in ${tokens.join(' ')}`);
      return inner;
    }
    if (token.startsWith("'")) return { kind: 'text', text: token.slice(1, -1) };
    return { kind: /^[A-Z_]+$/.test(token) ? 'token' : 'rule', name: token };
  };
  const rule = choice();
  if (at < tokens.length) throw new Error(`left over: ${tokens.slice(at).join(' ')}`);
  return rule;
}

/** Names that a grammar uses and does not define. */
export function undefinedNames(grammar: Grammar): ReadonlyArray<string> {
  const used = new Set<string>();
  const visit = (rule: Rule): void => {
    if (rule.kind === 'rule') used.add(rule.name);
    else if (rule.kind === 'sequence' || rule.kind === 'choice') rule.items.forEach(visit);
    else if (rule.kind === 'repeat') visit(rule.item);
  };
  for (const rule of grammar.values()) visit(rule);
  return [...used].filter((name) => !grammar.has(name));
}

/** Random sentences, and the alternatives that they took. */
export interface Sentences {
  readonly sentence: (start: string, seed: number) => string;
  /** Alternatives that no sentence has taken yet. */
  readonly unused: () => ReadonlyArray<string>;
}

/** Makes sentences; `tokens` gives a text for each token. */
export function makeSentences(
  grammar: Grammar,
  tokens: (name: string, random: Random) => string,
): Sentences {
  const heights = ruleHeights(grammar);
  const heightOf = (rule: Rule): number => ruleHeight(rule, heights);
  const alternatives = new Map<Rule, string>();
  for (const [name, rule] of grammar) labelChoices(rule, name, alternatives);

  const expand = (rule: Rule, budget: number, random: Random): ReadonlyArray<string> => {
    switch (rule.kind) {
      case 'text':
        return [rule.text];
      case 'token':
        return [tokens(rule.name, random)];
      case 'rule': {
        const body = grammar.get(rule.name);
        if (body === undefined) throw new Error(`${rule.name} is not defined`);
        return expand(body, budget - 1, random);
      }
      case 'sequence':
        return rule.items.flatMap((item) => expand(item, budget, random));
      case 'choice': {
        const least = Math.min(...rule.items.map(heightOf));
        const open = rule.items.filter((item) => heightOf(item) <= Math.max(least, budget));
        // Alternatives that were not taken yet come first, so that few sentences cover them all.
        const fresh = open.filter((item) => alternatives.has(item));
        const from = fresh.length > 0 && random() < 0.5 ? fresh : open;
        const chosen = from[Math.floor(random() * from.length)] as Rule;
        alternatives.delete(chosen);
        return expand(chosen, budget, random);
      }
      case 'repeat': {
        const canGrow = heightOf(rule.item) <= budget;
        const more = canGrow ? Math.floor(random() * (rule.most - rule.least + 1)) : 0;
        return Array.from({ length: rule.least + more }, () =>
          expand(rule.item, budget - 1, random),
        ).flat();
      }
    }
  };
  return {
    sentence: (start, seed) => {
      const random = mulberry32(seed);
      const budget = 4 + Math.floor(random() * 14);
      return expand({ kind: 'rule', name: start }, budget, random).join(' ');
    },
    unused: () => [...alternatives.values()],
  };
}

function labelChoices(rule: Rule, name: string, into: Map<Rule, string>): void {
  if (rule.kind === 'choice') {
    for (const [i, item] of rule.items.entries()) {
      into.set(item, `${name}, alternative ${i + 1}`);
      labelChoices(item, name, into);
    }
  } else if (rule.kind === 'sequence')
    for (const item of rule.items) labelChoices(item, name, into);
  else if (rule.kind === 'repeat') labelChoices(rule.item, name, into);
}

/** The least nesting of productions in a sentence of each rule. */
function ruleHeights(grammar: Grammar): ReadonlyMap<string, number> {
  const heights = new Map([...grammar.keys()].map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const [name, rule] of grammar) {
      const height = 1 + ruleHeight(rule, heights);
      if (height < (heights.get(name) ?? 0)) {
        heights.set(name, height);
        changed = true;
      }
    }
  }
  return heights;
}

function ruleHeight(rule: Rule, heights: ReadonlyMap<string, number>): number {
  switch (rule.kind) {
    case 'text':
    case 'token':
      return 0;
    case 'rule':
      return heights.get(rule.name) ?? Number.POSITIVE_INFINITY;
    case 'sequence':
      return Math.max(0, ...rule.items.map((item) => ruleHeight(item, heights)));
    case 'choice':
      return Math.min(...rule.items.map((item) => ruleHeight(item, heights)));
    case 'repeat':
      return rule.least === 0 ? 0 : ruleHeight(rule.item, heights);
  }
}
