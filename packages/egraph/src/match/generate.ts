import type { Apply } from './apply.ts';
import { type Builder, ROOT, type Source } from './builder.ts';
import { type Search, seek } from './interpret.ts';
import type { Instruction, Program } from './program.ts';

/**
 * Code for one rule, made with `new Function` where that is allowed. What it contains comes from
 * numbers alone: no name and no payload of a user reaches the text.
 */
function compile<F>(parameters: string, lines: ReadonlyArray<string>): F | undefined {
  try {
    return new Function('seek', `return function(${parameters}){${lines.join('\n')}}`)(seek) as F;
  } catch {
    return undefined;
  }
}

/** Ends a block, and the search, at a root position. */
const leave = (at: string): string => `buffer.length=length;return ${at};}`;

/** A matcher as nested loops; `undefined` where code cannot be generated. */
export const generateSearch = (
  program: Program,
  withNodes: boolean,
  delta: boolean,
): Search | undefined =>
  compile(
    'store,tables,ops,buffer,from,to,pause,stop,since',
    new SearchWriter(withNodes, delta).write(program),
  );

class SearchWriter {
  private readonly withNodes: boolean;
  private readonly delta: boolean;
  private readonly lines: string[] = [];
  /** The nodes matched so far, for the delta test. */
  private readonly matched: string[] = [];
  private names = 0;
  private depth = 0;

  constructor(withNodes: boolean, delta: boolean) {
    this.withNodes = withNodes;
    this.delta = delta;
  }

  write({ operators, instructions, root, places, slots }: Program): ReadonlyArray<string> {
    const { lines, matched } = this;
    lines.push(
      'const {rows,rowNode,index,byOp,opStart,home}=tables,{nodes,uf,status,stamp,pool}=store;',
      'let data=buffer.data,length=buffer.length;',
      ...operators.map((_, i) => `const o${i}=ops[${i}],m${i}=1<<(o${i}&31);`),
    );
    const [first] = instructions;
    const scan = first?._tag === 'Scan';
    const classes = first?._tag === 'ScanClasses';
    if (scan) lines.push(`const first=opStart[o${first.op}];`);
    this.open(
      scan || classes ? `for(let at=from;at<to;at++){if(length>=pause){${leave('at')}` : '{',
    );
    if (scan) this.scanned(first, 'byOp[first+at]');
    if (classes) this.open(`if(uf[at]===at){const r${first.root}=at;`);
    for (const step of scan || classes ? instructions.slice(1) : instructions) this.step(step);
    if (this.delta) {
      this.open(`if(${matched.map((n) => `stamp[${n}]>since`).join('||') || 'false'}){`);
    }
    const values = [root, ...places].map((register) => `r${register}`);
    if (this.withNodes) for (let i = 0; i < slots; i++) values.push(`n${i}`);
    const { length } = values;
    lines.push(
      `if(length+${length}>data.length){buffer.length=length;data=buffer.reserve(${length});}`,
      ...values.map((value, i) => `data[length+${i}]=${value};`),
      `length+=${length};if(length>=stop){${leave('-1')}`,
      '}'.repeat(this.depth),
      `{${leave('-1')}`,
    );
    return lines;
  }

  private fresh(): string {
    return `v${this.names++}`;
  }

  private open(text: string): void {
    this.lines.push(text);
    this.depth++;
  }

  private node(slot: number, expression: string): string {
    const name = `n${slot}`;
    this.lines.push(`const ${name}=${expression};`);
    this.matched.push(name);
    return name;
  }

  private scanned(step: Extract<Instruction, { _tag: 'Scan' }>, expression: string): void {
    const n = this.node(step.slot, expression);
    this.lines.push(`const r${step.root}=home[${n}];`);
    this.children(step, 'nodes', n);
  }

  /** Reads the children of the record at `at`. */
  private children(
    { arity, out }: { readonly arity: number; readonly out: number },
    records: string,
    at: string,
  ): void {
    if (arity === 0) return;
    const base = this.fresh();
    const many = arity > 3;
    const start = `(${at}<<2)+1`;
    this.lines.push(`const ${base}=${many ? `${records}[${start}]` : start};`);
    for (let i = 0; i < arity; i++) {
      this.lines.push(`const r${out + i}=${many ? 'pool' : records}[${base}+${i}];`);
    }
  }

  private step(step: Instruction): void {
    const op = 'op' in step ? `o${step.op}` : '';
    const [i, end] = [this.fresh(), this.fresh()];
    switch (step._tag) {
      case 'Bind': {
        const c = this.fresh();
        this.lines.push(`const ${c}=r${step.from}<<1;`);
        this.open(`if((index[${c}+1]&m${step.op})!==0){const ${end}=index[${c}+2];`);
        this.open(
          `for(let ${i}=seek(rows,index[${c}],${end},${op});` +
            `${i}<${end}&&rows[${i}<<2]===${op};${i}++){`,
        );
        if (this.withNodes || this.delta) this.node(step.slot, `rowNode[${i}]`);
        this.children(step, 'rows', i);
        return;
      }
      case 'Same':
        this.open(`if(r${step.a}===r${step.b}){`);
        return;
      case 'Leaf': {
        const n = this.node(step.slot, `store.find0(${op})`);
        this.open(`if(${n}>=0&&status[${n}]===1&&store.find(${n})===r${step.from}){`);
        return;
      }
      case 'Get': {
        const args = step.args.map((register) => `r${register}`);
        const n = this.node(
          step.slot,
          args.length > 3 ? `store.lookup(${op},[${args}])` : `store.find3(${op},${padded(args)})`,
        );
        this.open(`if(${n}>=0){const r${step.out}=store.find(${n});`);
        return;
      }
      case 'Scan':
        this.open(`for(let ${i}=opStart[${op}],${end}=opStart[${op}+1];${i}<${end};${i}++){`);
        this.scanned(step, `byOp[${i}]`);
        return;
      case 'ScanClasses':
        this.open(
          `for(let ${i}=0;${i}<store.size;${i}++)if(uf[${i}]===${i}){const r${step.root}=${i};`,
        );
        return;
    }
  }
}

/** Up to three children as three arguments. */
const padded = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...args, '0', '0', '0'].slice(0, 3);

/**
 * An applier in straight line; `undefined` where code cannot be generated. With a program, which
 * gives the layout of a match, it logs each application that changed something.
 */
export const generateApply = (builder: Builder, program: Program | undefined): Apply | undefined =>
  compile('store,ops,data,from,to,stride,guard,recording', applyLines(builder, program));

function applyLines(
  { operators, steps, unions }: Builder,
  program: Program | undefined,
): ReadonlyArray<string> {
  const variables = program?.variables.length ?? 0;
  const slots = program?.slots ?? 0;
  const copied = variables + slots;
  // The last node of a plain pattern is made in the matched class itself.
  const [only] = unions;
  const last = steps.length - 1;
  const direct = unions.length === 1 && only?.[0] === ROOT && last >= 0 && only[1] === -1 - last;
  const value = (source: Source): string =>
    source >= 0 ? `data[at+${source + 1}]` : `t${-1 - source}`;
  // What a right-hand side becomes equal to: in proofs, the very node that matched.
  const other = (target: Source | typeof ROOT): string =>
    target === ROOT ? `data[at+${slots === 0 ? 0 : 1 + variables}]` : value(target);
  const lines = operators.map((_, i) => `const o${i}=ops[${i}];`);
  if (program !== undefined) lines.push('const {log,rule}=recording;');
  lines.push(
    'let applied=0;for(let at=from;at<to;at+=stride){if(guard!==undefined&&!guard(at))continue;',
  );
  steps.forEach(({ op, args }, s) => {
    const into = direct && s === last ? 'root' : -1;
    if (into === 'root') lines.push('const root=store.find(data[at]),before=store.size;');
    const values = args.map(value);
    const node =
      values.length > 3
        ? `add(o${op},[${values}]`
        : `add3(o${op},${values.length},${padded(values)}`;
    lines.push(`const t${s}=store.${node},${into});`);
  });
  const united = unions.map(([target, source]) => [value(source), other(target)] as const);
  const isOpen = united.map(([a, b]) => `store.find(${a})!==store.find(${b})`);
  const union = united.map(([a, b]) => `if(store.union(${a},${b}))changed=true;`);
  const isNew = `t${last}===before`;
  if (direct && program === undefined) {
    lines.push(`if(${isNew}||store.union(t${last},data[at]))applied++;}return applied;`);
    return lines;
  }
  lines.push('let changed=false;');
  if (program === undefined) lines.push(...union);
  else if (unions.length > 0) {
    lines.push(
      `if(${direct ? `${isNew}||` : ''}${isOpen.join('||')}){`,
      `const s=log.begin(${1 + copied + steps.length}),d=log.applications.data;d[s]=rule;`,
    );
    for (let i = 1; i <= copied; i++) lines.push(`d[s+${i}]=data[at+${i}];`);
    for (let i = 0; i <= last; i++) lines.push(`d[s+${1 + copied + i}]=t${i};`);
    lines.push(`log.end(${1 + copied + steps.length});store.reason=s*2;`);
    if (direct) {
      lines.push(`if(${isNew}){log.joined(t${last},${other(ROOT)},s*2);changed=true;}else `);
    }
    lines.push(...union, 'store.reason=-1;}');
  }
  lines.push('if(changed)applied++;}return applied;');
  return lines;
}
