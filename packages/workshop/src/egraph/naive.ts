/**
 * A second e-graph, slow and obviously right, for comparison with the fast one: a list of nodes, a
 * map as union-find, and full scans for congruence, matching and analysis.
 */

/** A pattern or term: a variable is a text that begins with `?`. */
export type Tree = string | readonly [name: string, children: ReadonlyArray<Tree>];

/** A rule: pairs of a class variable and a pattern on both sides, and the guarded variables. */
export interface NaiveRule {
  readonly name: string;
  readonly left: ReadonlyArray<readonly [variable: string, pattern: Tree]>;
  readonly right: ReadonlyArray<readonly [variable: string, pattern: Tree]>;
  /** Classes of these variables must contain the leaf `a`, at any depth, in one of their terms. */
  readonly guarded: ReadonlyArray<string>;
}

interface NaiveNode {
  readonly name: string;
  readonly children: ReadonlyArray<number>;
  readonly id: number;
}

type Bindings = ReadonlyMap<string, number>;

/** A round with more matches is not applied: the case ends. */
const MAX_MATCHES = 400;

export class NaiveEGraph {
  private nodes: NaiveNode[] = [];
  private readonly parent = new Map<number, number>();

  find(id: number): number {
    let at = id;
    for (let up = this.parent.get(at); up !== undefined; up = this.parent.get(at)) at = up;
    return at;
  }

  add(tree: Tree, bindings: Bindings = new Map()): number {
    if (typeof tree === 'string') {
      const bound = bindings.get(tree);
      return bound === undefined ? this.addNode(tree, []) : this.find(bound);
    }
    const [name, children] = tree;
    return this.addNode(
      name,
      children.map((child) => this.add(child, bindings)),
    );
  }

  union(a: number, b: number): void {
    const [x, y] = [this.find(a), this.find(b)];
    if (x !== y) this.parent.set(Math.max(x, y), Math.min(x, y));
  }

  /** Merges the classes of nodes with one key, until the canonical nodes are distinct. */
  rebuild(): void {
    for (let changed = true; changed; ) {
      changed = false;
      const known = new Map<string, NaiveNode>();
      for (const node of this.nodes) {
        const children = node.children.map((child) => this.find(child));
        const key = JSON.stringify([node.name, children]);
        const twin = known.get(key);
        if (twin === undefined) known.set(key, { name: node.name, children, id: node.id });
        else if (this.find(twin.id) !== this.find(node.id)) {
          this.union(twin.id, node.id);
          changed = true;
        }
      }
      this.nodes = [...known.values()];
    }
  }

  /** One round: all matches, then all applications, then a rebuild; false if there are too many. */
  round(rules: ReadonlyArray<NaiveRule>): boolean {
    const marked = this.classesWithLeafA();
    const found = rules.map((rule) =>
      this.match(rule).filter((b) =>
        rule.guarded.every((name) => marked.has(this.find(b.get(name) as number))),
      ),
    );
    if (found.reduce((sum, matches) => sum + matches.length, 0) > MAX_MATCHES) return false;
    rules.forEach((rule, index) => {
      for (const match of found[index] ?? []) {
        const bindings = new Map(match);
        for (const [variable, pattern] of rule.right) {
          this.union(bindings.get(variable) as number, this.add(pattern, bindings));
        }
      }
    });
    this.rebuild();
    return true;
  }

  canonicalNodes(): ReadonlyArray<NaiveNode> {
    return this.nodes.map((n) => ({ ...n, id: this.find(n.id) }));
  }

  private addNode(name: string, children: ReadonlyArray<number>): number {
    const canonical = children.map((child) => this.find(child));
    const same = this.nodes.find(
      (n) =>
        n.name === name &&
        n.children.length === children.length &&
        n.children.every((child, i) => this.find(child) === canonical[i]),
    );
    if (same !== undefined) return this.find(same.id);
    const id = this.nextId++;
    this.nodes.push({ name, children: canonical, id });
    return id;
  }

  private nextId = 0;

  private match(rule: NaiveRule): ReadonlyArray<Bindings> {
    let found: ReadonlyArray<Bindings> = [new Map()];
    for (const [variable, pattern] of rule.left) {
      found = found.flatMap((bindings) => {
        const bound = bindings.get(variable);
        const classes = bound === undefined ? this.classes() : [this.find(bound)];
        return classes.flatMap((id) =>
          this.matchIn(pattern, id, new Map(bindings).set(variable, id)),
        );
      });
    }
    return found;
  }

  private matchIn(pattern: Tree, id: number, bindings: Bindings): ReadonlyArray<Bindings> {
    if (typeof pattern === 'string' && pattern.startsWith('?')) {
      const bound = bindings.get(pattern);
      if (bound !== undefined) return this.find(bound) === id ? [bindings] : [];
      return [new Map(bindings).set(pattern, id)];
    }
    const [name, children] = typeof pattern === 'string' ? [pattern, []] : pattern;
    return this.nodes
      .filter((n) => this.find(n.id) === id && n.name === name)
      .filter((n) => n.children.length === children.length)
      .flatMap((n) => {
        let found: ReadonlyArray<Bindings> = [bindings];
        children.forEach((child, i) => {
          const below = this.find(n.children[i] as number);
          found = found.flatMap((b) => this.matchIn(child, below, b));
        });
        return found;
      });
  }

  private classes(): ReadonlyArray<number> {
    return [...new Set(this.nodes.map((n) => this.find(n.id)))];
  }

  private classesWithLeafA(): ReadonlySet<number> {
    const marked = new Set<number>();
    for (let changed = true; changed; ) {
      changed = false;
      for (const n of this.nodes) {
        const id = this.find(n.id);
        if (marked.has(id)) continue;
        if (n.name === 'a' || n.children.some((child) => marked.has(this.find(child)))) {
          marked.add(id);
          changed = true;
        }
      }
    }
    return marked;
  }
}

export const printTree = (tree: Tree): string =>
  typeof tree === 'string' ? tree : `(${[tree[0], ...tree[1].map(printTree)].join(' ')})`;
