import type { Apply } from './apply.ts';
import { type Builder, ROOT, type Source } from './builder.ts';
import { type Search, seek } from './interpret.ts';
import type { Program } from './program.ts';

/**
 * Code for one rule, made with `new Function` where that is allowed. What it contains comes from
 * numbers alone: no name and no payload of a user reaches the text.
 */
function compile<F>(parameters: string, lines: ReadonlyArray<string>): F | undefined {
  try {
    const text = `return function(${parameters}){${lines.join('\n')}}`;
    return new Function('seek', text)(seek) as F;
  } catch {
    return undefined;
  }
}

/**
 * A matcher as nested loops; `undefined` where code cannot be generated. Registers are `r0 …`, the
 * matched nodes `n0 …` and the operators `o0 …`, by slot.
 */
export function generateSearch(
  { operators, instructions, places }: Program,
  withNodes: boolean,
  delta: boolean,
): Search | undefined {
  const header = [
    'const {rows,rowNode,index,byOp,opStart,home}=tables,' +
      '{nodes,uf,status,stamp,pool,next,family,payload}=store;',
    'let data=buffer.data,length=buffer.length;',
    ...operators.map((_, slot) => `const o${slot}=ops[${slot}],m${slot}=1<<(o${slot}&31);`),
  ];
  // A line that ends with a brace opens a block, which ends where the code does.
  const lines: string[] = [];
  const leave = (at: string): string => `{buffer.length=length;return ${at};}`;

  instructions.forEach((step, s) => {
    const r = `r${step.root}`;
    if (step._tag === 'Same') {
      lines.push(`if(${r}===r${step.other}){`);
      return;
    }
    if (step._tag === 'Get') {
      const { args, slot } = step;
      const n = `n${slot}`;
      if (args.length === 0) {
        // A leaf is the same for all matches. It stands for its class: it must be in there.
        header.push(
          `const ${n}=store.find0(o${slot});if(${n}<0||status[${n}]!==1)return to;`,
          `const ${r}=store.find(${n});`,
        );
        return;
      }
      const find = args.length > 3 ? 'lookup' : 'find3';
      const classes = passed(args.map((register) => `r${register}`));
      lines.push(
        `const ${n}=store.${find}(o${slot},${classes});`,
        `if(${n}>=0){`,
        `const ${r}=store.find(${n});`,
      );
      return;
    }
    const [i, end] = [`i${s}`, `e${s}`];
    /** A loop over positions: the outermost goes through those that the caller asks for. */
    const loop = (from: string, to: string): void => {
      const range = s === 0 ? `${i}=from,${end}=to` : `${i}=${from},${end}=${to}`;
      lines.push(`for(let ${range};${i}<${end};${i}++){`);
      if (s === 0) lines.push(`if(length>=pause)${leave(i)}`);
    };
    if (step._tag === 'Classes') {
      loop('0', 'store.size');
      lines.push(`if(uf[${i}]===${i}){`, `const ${r}=${i};`);
      return;
    }
    const { arity, out, slot } = step;
    const [op, n] = [`o${slot}`, `n${slot}`];
    let [records, record] = ['nodes', n];
    if (step.payload >= 0) {
      if (step._tag === 'Scan') {
        loop('0', 'store.size');
        lines.push(`const ${n}=${i},${r}=store.find(${n});`);
      } else {
        lines.push(
          `for(let ${i}=${r},${end}=1;${end};${end}=(${i}=next[${i}])!==${r}){`,
          `const ${n}=${i};`,
        );
      }
      lines.push(
        `if(status[${n}]===1&&family[nodes[${n}<<2]]===${op}){`,
        `const r${step.payload}=payload[nodes[${n}<<2]];`,
      );
    } else if (step._tag === 'Scan') {
      loop(`opStart[${op}]`, `opStart[${op}+1]`);
      lines.push(`const ${n}=byOp[${i}],${r}=home[${n}];`);
    } else {
      [records, record] = ['rows', i];
      lines.push(
        `if((index[(${r}<<1)+1]&m${slot})!==0){`,
        `const ${end}=index[(${r}<<1)+2];`,
        `for(let ${i}=seek(rows,index[${r}<<1],${end},${op});` +
          `${i}<${end}&&rows[${i}<<2]===${op};${i}++){`,
      );
      if (withNodes || delta) lines.push(`const ${n}=rowNode[${i}];`);
    }
    const many = arity > 3;
    lines.push(`const c${s}=${many ? `${records}[(${record}<<2)+1]` : `(${record}<<2)+1`};`);
    for (let k = 0; k < arity; k++) {
      lines.push(`const r${out + k}=${many ? 'pool' : records}[c${s}+${k}];`);
    }
  });

  const nodes = operators.map((_, slot) => `n${slot}`);
  if (delta) lines.push(`if(${nodes.map((n) => `stamp[${n}]>since`).join('||') || 'false'}){`);
  const values = [...places.map((register) => `r${register}`), ...(withNodes ? nodes : [])];
  const { length } = values;
  const blocks = lines.filter((line) => line.endsWith('{')).length;
  return compile('store,tables,ops,buffer,from,to,pause,stop,since', [
    ...header,
    ...lines,
    `if(length+${length}>data.length){buffer.length=length;data=buffer.reserve(${length});}`,
    ...values.map((value, k) => `data[length+${k}]=${value};`),
    `length+=${length};if(length>=stop)${leave('to')}`,
    `${'}'.repeat(blocks)}${leave('to')}`,
  ]);
}

/** Children as arguments of a function for up to three, or of one that takes an array. */
const passed = (args: ReadonlyArray<string>): string =>
  args.length > 3 ? `[${args}]` : [...args, '0', '0', '0'].slice(0, 3).join();

/**
 * An applier in straight line; `undefined` where code cannot be generated. With a program, which
 * gives the layout of a match, it logs each application that changed something.
 */
export function generateApply(
  { steps, unions, variables }: Builder,
  program: Program | undefined,
): Apply | undefined {
  const slots = program?.operators.length ?? 0;
  // What a right-hand side becomes equal to: in proofs, the very node that matched.
  const root = `data[at+${slots === 0 ? 0 : 1 + variables}]`;
  const value = (source: Source | typeof ROOT): string =>
    source === ROOT ? root : source >= 0 ? `data[at+${source + 1}]` : `t${-1 - source}`;
  // The last node of a plain pattern is made in the matched class itself.
  const last = steps.length - 1;
  const [only] = unions;
  const direct = last >= 0 && only?.[0] === ROOT && only[1] === -1 - last;
  const lines = [
    program ? 'const {log,rule}=recording;' : '',
    ...steps.map(({ payload }, s) => (payload < 0 ? `const o${s}=ops[${s}];` : '')),
    'let applied=0;for(let at=from;at<to;at+=stride){if(guard&&!guard(at))continue;',
  ];
  steps.forEach(({ args, payload }, s) => {
    if (payload >= 0) lines.push(`const o${s}=operatorOf(${s},${value(payload)});`);
    const add = args.length > 3 ? `add(o${s}` : `add3(o${s},${args.length}`;
    const into = direct && s === last ? 'store.find(data[at])' : -1;
    if (s === last) lines.push('const before=store.size;');
    lines.push(`const t${s}=store.${add},${passed(args.map(value))},${into});`);
  });
  const isNew = direct ? `t${last}===before||` : '';
  const pairs = unions.map(([to, from]) => [value(from), value(to)] as const);
  const united = pairs.map(([a, b]) => `store.union(${a},${b})`).join('|');
  const changed = `if(${isNew}${united || 'false'})`;
  if (program === undefined) lines.push(`${changed}applied++;`);
  else {
    const isOpen = pairs.map(([a, b]) => `store.find(${a})!==store.find(${b})`).join('||');
    lines.push(`if(!(${isNew}${isOpen || 'false'}))continue;`);
    const copied = 1 + variables + slots;
    const length = copied + steps.length;
    lines.push(`const s=log.begin(${length}),d=log.applications.data;d[s]=rule;store.reason=s*2;`);
    for (let i = 1; i < copied; i++) lines.push(`d[s+${i}]=data[at+${i}];`);
    for (let i = 0; i <= last; i++) lines.push(`d[s+${copied + i}]=t${i};`);
    if (direct) lines.push(`if(t${last}===before)log.joined(t${last},${root},store.reason);`);
    lines.push(`${changed}{log.end(${length});applied++;}store.reason=-1;`);
  }
  lines.push('}return applied;');
  return compile('store,ops,data,from,to,stride,guard,recording,operatorOf', lines);
}
