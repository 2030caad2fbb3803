import type { Apply } from './apply.ts';
import { type Builder, ROOT, type Source } from './builder.ts';
import { type Search, seek } from './interpret.ts';
import type { Instruction, Program } from './program.ts';

/**
 * Code for one rule, made with `new Function` where that is allowed. What it contains comes from
 * numbers alone: no name and no payload of a user reaches the text.
 */
function compile<F>(
  parameters: ReadonlyArray<string>,
  lines: ReadonlyArray<string>,
): F | undefined {
  try {
    const make = new Function(
      'seek',
      `return function(${parameters.join(',')}){${lines.join('\n')}}`,
    );
    return make(seek) as F;
  } catch {
    return undefined;
  }
}

/** The text of a matcher under construction: nested loops, closed in reverse. */
class Writer {
  readonly lines: string[] = [];
  private readonly closing: string[] = [];
  private names = 0;

  fresh(prefix: string): string {
    return `${prefix}${this.names++}`;
  }

  line(text: string): void {
    this.lines.push(text);
  }

  open(text: string, close = '}'): void {
    this.lines.push(text);
    this.closing.push(close);
  }

  close(): void {
    while (this.closing.length > 0) this.lines.push(this.closing.pop() as string);
  }
}

const SEARCH_PARAMETERS = [
  'store',
  'tables',
  'ops',
  'buffer',
  'from',
  'to',
  'pause',
  'stop',
  'since',
];

/** A matcher as nested loops; `undefined` where code cannot be generated. */
export function generateSearch(
  program: Program,
  withNodes: boolean,
  delta: boolean,
): Search | undefined {
  const w = new Writer();
  w.line('const {rows,rowNode,index,byOp,opStart,home}=tables;');
  w.line('const {nodes,uf,status,stamp,pool}=store;');
  w.line('let data=buffer.data,length=buffer.length;');
  program.operators.forEach((_, i) => {
    w.line(`const o${i}=ops[${i}],m${i}=1<<(o${i}&31);`);
  });
  new MatcherWriter(program, withNodes, delta, w).write();
  return compile<Search>(SEARCH_PARAMETERS, w.lines);
}

class MatcherWriter {
  private readonly program: Program;
  private readonly withNodes: boolean;
  private readonly delta: boolean;
  private readonly w: Writer;
  /** The nodes matched so far, as expressions, for the delta test. */
  private readonly matched: string[] = [];

  constructor(program: Program, withNodes: boolean, delta: boolean, w: Writer) {
    this.program = program;
    this.withNodes = withNodes;
    this.delta = delta;
    this.w = w;
  }

  write(): void {
    const { w, program } = this;
    const [first, ...rest] = program.instructions;
    const loop = 'for(let at=from;at<to;at++){if(length>=pause){buffer.length=length;return at;}';
    let others: ReadonlyArray<Instruction> = rest;
    if (first?._tag === 'Scan') {
      w.line(`const first=opStart[o${first.op}];`);
      w.open(loop);
      this.scanned(first, 'byOp[first+at]');
    } else if (first?._tag === 'ScanClasses') {
      w.open(loop);
      w.open(`if(uf[at]===at){const r${first.root}=at;`);
    } else {
      w.open('{');
      others = program.instructions;
    }
    for (const step of others) this.step(step);
    this.emit();
    w.close();
    w.line('buffer.length=length;return -1;');
  }

  private node(slot: number, expression: string): string {
    const name = `n${slot}`;
    this.w.line(`const ${name}=${expression};`);
    this.matched.push(name);
    return name;
  }

  private scanned(step: Extract<Instruction, { _tag: 'Scan' }>, expression: string): void {
    const n = this.node(step.slot, expression);
    const { w } = this;
    w.line(`const r${step.root}=home[${n}];`);
    this.children(step.arity, step.out, 'nodes', `(${n}<<2)`);
  }

  private children(arity: number, out: number, array: string, at: string): void {
    const { w } = this;
    if (arity === 0) return;
    const base = w.fresh('p');
    w.line(`const ${base}=${arity > 3 ? `${array}[${at}+1]` : `${at}+1`};`);
    const from = arity > 3 ? 'pool' : array;
    for (let i = 0; i < arity; i++) w.line(`const r${out + i}=${from}[${base}+${i}];`);
  }

  private step(step: Instruction): void {
    const { w } = this;
    switch (step._tag) {
      case 'Bind': {
        const [c, e, j] = [w.fresh('c'), w.fresh('e'), w.fresh('j')];
        w.line(`const ${c}=r${step.from}<<1;`);
        w.open(`if((index[${c}+1]&m${step.op})!==0){const ${e}=index[${c}+2];`);
        w.open(
          `for(let ${j}=seek(rows,index[${c}],${e},o${step.op});` +
            `${j}<${e}&&rows[${j}<<2]===o${step.op};${j}++){`,
        );
        if (this.withNodes || this.delta) this.node(step.slot, `rowNode[${j}]`);
        this.children(step.arity, step.out, 'rows', `(${j}<<2)`);
        return;
      }
      case 'Same':
        w.open(`if(r${step.a}===r${step.b}){`);
        return;
      case 'Leaf': {
        const n = this.node(step.slot, `store.find0(o${step.op})`);
        w.open(`if(${n}>=0&&status[${n}]===1&&store.find(${n})===r${step.from}){`);
        return;
      }
      case 'Get': {
        const args = step.args.map((register) => `r${register}`);
        const call =
          args.length <= 3
            ? `store.find${args.length}(${[`o${step.op}`, ...args].join(',')})`
            : `store.lookup(o${step.op},[${args.join(',')}])`;
        const n = this.node(step.slot, call);
        w.open(`if(${n}>=0){const r${step.out}=store.find(${n});`);
        return;
      }
      case 'Scan': {
        const [i, e] = [w.fresh('i'), w.fresh('e')];
        w.open(`for(let ${i}=opStart[o${step.op}],${e}=opStart[o${step.op}+1];${i}<${e};${i}++){`);
        this.scanned(step, `byOp[${i}]`);
        return;
      }
      case 'ScanClasses': {
        const c = w.fresh('s');
        w.open(
          `for(let ${c}=0;${c}<store.size;${c}++)if(uf[${c}]===${c}){const r${step.root}=${c};`,
        );
        return;
      }
    }
  }

  private emit(): void {
    const { w, program } = this;
    if (this.delta) {
      const tests = this.matched.map((n) => `stamp[${n}]>since`);
      w.open(`if(${tests.length === 0 ? 'false' : tests.join('||')}){`);
    }
    const values = [program.root, ...program.places].map((register) => `r${register}`);
    if (this.withNodes) for (let i = 0; i < program.slots; i++) values.push(`n${i}`);
    const { length } = values;
    w.line(
      `if(length+${length}>data.length){buffer.length=length;data=buffer.reserve(${length});}`,
    );
    values.forEach((value, i) => {
      w.line(`data[length+${i}]=${value};`);
    });
    w.line(`length+=${length};if(length>=stop){buffer.length=length;return -1;}`);
  }
}

/** An applier in straight line; `undefined` where code cannot be generated. */
export const generateApply = (builder: Builder): Apply | undefined =>
  compile<Apply>(APPLY_PARAMETERS, applyLines(builder, undefined));

/** As {@link generateApply}, and logs each application; the program gives the match's layout. */
export const generateRecord = (builder: Builder, program: Program): Apply | undefined =>
  compile<Apply>(APPLY_PARAMETERS, applyLines(builder, program));

const APPLY_PARAMETERS = ['store', 'ops', 'data', 'from', 'to', 'stride', 'guard', 'recording'];

function applyLines(builder: Builder, program: Program | undefined): ReadonlyArray<string> {
  const lines = builder.operators.map((_, i) => `const o${i}=ops[${i}];`);
  if (program !== undefined) lines.push('const {log,rule}=recording;');
  lines.push('let applied=0;for(let at=from;at<to;at+=stride){');
  lines.push('if(guard!==undefined&&!guard(at))continue;');
  const value = (source: Source): string =>
    source >= 0 ? `data[at+${source + 1}]` : `t${-1 - source}`;
  // What a right-hand side becomes equal to: in proofs, the very node that matched.
  const matched = program === undefined || program.slots === 0 ? 0 : 1 + program.variables.length;
  const other = (target: Source | typeof ROOT): string =>
    target === ROOT ? `data[at+${matched}]` : value(target);
  const [only] = builder.unions;
  // The last node of a plain pattern is made in the matched class itself.
  const direct =
    builder.unions.length === 1 && only?.[0] === ROOT && only[1] === -builder.steps.length
      ? builder.steps.length - 1
      : -1;
  builder.steps.forEach(({ op, args }, s) => {
    const into = s === direct ? 'root' : '-1';
    const values = args.map(value);
    const call =
      args.length <= 3
        ? `store.add${args.length}(${[`o${op}`, ...values, into].join(',')})`
        : `store.add(o${op},[${values.join(',')}],${into})`;
    if (s === direct) lines.push('const root=store.find(data[at]),before=store.size;');
    lines.push(`const t${s}=${call};`);
  });
  lines.push(
    ...(program === undefined
      ? unionLines(builder, direct, value, other)
      : recordLines(builder, program, direct, value, other)),
  );
  lines.push('}return applied;');
  return lines;
}

type ToText<A> = (source: A) => string;

function unionLines(
  builder: Builder,
  direct: number,
  value: ToText<Source>,
  other: ToText<Source | typeof ROOT>,
): ReadonlyArray<string> {
  if (direct >= 0) {
    return [`if(t${direct}===before||store.union(t${direct},data[at]))applied++;`];
  }
  const unions = builder.unions.map(
    ([target, source]) => `if(store.union(${value(source)},${other(target)}))changed=true;`,
  );
  return ['let changed=false;', ...unions, 'if(changed)applied++;'];
}

function recordLines(
  builder: Builder,
  program: Program,
  direct: number,
  value: ToText<Source>,
  other: ToText<Source | typeof ROOT>,
): ReadonlyArray<string> {
  const copied = program.variables.length + program.slots;
  const length = 1 + copied + builder.steps.length;
  const write = [`const s=log.begin(${length}),d=log.applications.data;d[s]=rule;`];
  for (let i = 1; i <= copied; i++) write.push(`d[s+${i}]=data[at+${i}];`);
  builder.steps.forEach((_, i) => {
    write.push(`d[s+${1 + copied + i}]=t${i};`);
  });
  write.push(`log.end(${length});`);
  if (direct >= 0) {
    const [t, o] = [`t${direct}`, other(ROOT)];
    return [
      `if(${t}===before||store.find(${t})!==store.find(${o})){${write.join('')}applied++;`,
      `if(${t}===before)log.joined(${t},${o},s*2);`,
      `else{store.reason=s*2;store.union(${t},${o});store.reason=-1;}}`,
    ];
  }
  const isOpen = builder.unions.map(
    ([target, source]) => `store.find(${value(source)})!==store.find(${other(target)})`,
  );
  const unions = builder.unions.map(
    ([target, source]) => `store.reason=s*2;store.union(${value(source)},${other(target)});`,
  );
  if (unions.length === 0) return [];
  return [`if(${isOpen.join('||')}){${write.join('')}applied++;`, ...unions, 'store.reason=-1;}'];
}
