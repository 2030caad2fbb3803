/** Rules as text, one per line: `name: left = right`, and after `;` the freedoms they need. */

export interface RuleLine {
  readonly name: string;
  readonly left: string;
  readonly right: string;
  readonly isBothWays: boolean;
  readonly needs: ReadonlyArray<string>;
}

/** Separates the sides: an equals sign with spaces around it, unlike those of attributes. */
const SIDES = /^(?:([^:]+):)?\s*(.+?)\s+(<=>|=>|=|==)\s+([^;]+?)\s*(?:;(.*))?$/;

/** The rules of a text, or the first line that is none; `#` starts a comment. */
export function ruleLines(text: string): ReadonlyArray<RuleLine> | { readonly wrong: string } {
  const found: RuleLine[] = [];
  for (const [at, given] of text.split('\n').entries()) {
    const line = given.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, name = `rule ${at + 1}`, left, arrow, right, needs = ''] = SIDES.exec(line) ?? [];
    if (left === undefined || right === undefined) return { wrong: line.slice(0, 80) };
    found.push({
      name: name.trim(),
      left,
      right,
      isBothWays: arrow === '<=>',
      needs: needs.split(/\s+/).filter((word) => word !== ''),
    });
  }
  return found;
}
