/** The state of each built-in rule, which `scripts/build.mjs` reads from the page of rules. */

export const RULE_STATES: Readonly<Record<string, string>> =
  typeof BATON_RULE_STATES === 'undefined' ? {} : BATON_RULE_STATES;

declare const BATON_RULE_STATES: Readonly<Record<string, string>> | undefined;
