/** Generated matchers and appliers. */
import type { Apply } from './apply.ts';
import { type Builder, ROOT, type Source } from './builder.ts';
import { type Search, seek } from './interpret.ts';
import type { Instruction, Loop, Program } from './program.ts';

/**
 * Code for one rule, made with `new Function` if that is allowed. It contains only numbers: no name
 * and no payload of a user reaches the text.
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
 * A matcher as nested loops; `undefined` if code cannot be generated. Registers are `r0 …`, the
 * matched nodes `n0 …` and the operators `o0 …`, by slot.
 */
export function generateSearch(
  { operators, instructions, places }: Program,
  withNodes: boolean,
  delta: boolean,
): Search | undefined {
  const needsNodes = withNodes || delta;
  const nodes = operators.map((_, slot) => `n${slot}`);
  const values = [...places.map((register) => `r${register}`), ...(withNodes ? nodes : [])];
  const { length } = values;
  const isNew = nodes.map((n) => `stamp[${n}]>since`).join('||') || 'false';
  // A line that ends with a brace opens a block, which ends at the end of the code.
  const lines = [
    ...[true, false].flatMap((leaves) =>
      instructions.flatMap((step, s) =>
        isLeaf(step) === leaves ? stepLines(step, s, needsNodes) : [],
      ),
    ),
    delta ? `if(${isNew}){` : '',
  ];
  const blocks = lines.filter((line) => line.endsWith('{')).length;
  return compile('store,tables,ops,buffer,from,to,pause,stop,since', [
    'const {rows,rowNode,index,byOp,opStart,home}=tables,' +
      '{nodes,uf,status,stamp,pool,next,family,payload}=store;',
    'let data=buffer.data,length=buffer.length;',
    ...operators.map((_, slot) => `const o${slot}=ops[${slot}],m${slot}=1<<(o${slot}&31);`),
    ...lines,
    `if(length+${length}>data.length){buffer.length=length;data=buffer.reserve(${length});}`,
    ...values.map((value, k) => `data[length+${k}]=${value};`),
    `length+=${length};if(length>=stop)${leave('to')}`,
    `${'}'.repeat(blocks)}${leave('to')}`,
  ]);
}

const leave = (at: string): string => `{buffer.length=length;return ${at};}`;

/** A leaf is the same for all matches: it is looked up before them. */
const isLeaf = (step: Instruction): boolean => step._tag === 'Get' && step.args.length === 0;

/** The code of a step, around the code of the steps after it. */
function stepLines(step: Instruction, s: number, needsNodes: boolean): ReadonlyArray<string> {
  const r = `r${step.root}`;
  if (step._tag === 'Same') return [`if(${r}===r${step.other}){`];
  if (step._tag === 'Classes') {
    return [...loopLines(s, '0', 'store.size'), `if(uf[i${s}]===i${s}){`, `const ${r}=i${s};`];
  }
  if (step._tag !== 'Get') return nodeLines(step, s, needsNodes);
  const { args, slot } = step;
  const n = `n${slot}`;
  const find = isLeaf(step) || args.length > 3 ? 'lookup' : 'find3';
  const classes = passed(
    args.map((register) => `r${register}`),
    find === 'lookup',
  );
  return [
    `const ${n}=store.${find}(o${slot},${classes});`,
    // A leaf stands for its class, so the class must hold it.
    `if(${n}>=0${isLeaf(step) ? `&&status[${n}]===1` : ''}){`,
    `const ${r}=store.find(${n});`,
  ];
}

/** A loop over positions: the outermost runs over the caller's range. */
const loopLines = (s: number, from: string, to: string): ReadonlyArray<string> =>
  s === 0
    ? ['for(let i0=from;i0<to;i0++){', `if(length>=pause)${leave('i0')}`]
    : [`for(let i${s}=${from},e${s}=${to};i${s}<e${s};i${s}++){`];

/** A loop over nodes, and the registers of their children. */
function nodeLines(
  step: Exclude<Loop, { _tag: 'Classes' }>,
  s: number,
  needsNodes: boolean,
): ReadonlyArray<string> {
  const { _tag, arity, out, payload, slot } = step;
  const [r, i, end, op, n] = [`r${step.root}`, `i${s}`, `e${s}`, `o${slot}`, `n${slot}`];
  const isRow = _tag === 'Bind' && payload < 0;
  const [records, record] = isRow ? ['rows', i] : ['nodes', n];
  const lines: string[] = [];
  if (isRow) {
    lines.push(
      `if((index[(${r}<<1)+1]&m${slot})!==0){`,
      `const ${end}=index[(${r}<<1)+2];`,
      `for(let ${i}=seek(rows,index[${r}<<1],${end},${op});` +
        `${i}<${end}&&rows[${i}<<2]===${op};${i}++){`,
      needsNodes ? `const ${n}=rowNode[${i}];` : '',
    );
  } else if (_tag === 'Bind') {
    lines.push(
      `for(let ${i}=${r},${end}=1;${end};${end}=(${i}=next[${i}])!==${r}){`,
      `const ${n}=${i};`,
    );
  } else if (payload < 0) {
    lines.push(
      ...loopLines(s, `opStart[${op}]`, `opStart[${op}+1]`),
      `const ${n}=byOp[${i}],${r}=home[${n}];`,
    );
  } else lines.push(...loopLines(s, '0', 'store.size'), `const ${n}=${i},${r}=store.find(${n});`);
  if (payload >= 0) {
    lines.push(
      `if(status[${n}]===1&&family[nodes[${n}<<2]]===${op}){`,
      `const r${payload}=payload[nodes[${n}<<2]];`,
    );
  }
  for (let k = 0; k < arity; k++) {
    const child =
      arity > 3 ? `pool[${records}[(${record}<<2)+1]+${k}]` : `${records}[(${record}<<2)+${k + 1}]`;
    lines.push(`const r${out + k}=${child};`);
  }
  return lines;
}

/** Children as arguments, for a function of up to three, or for one that takes an array. */
const passed = (args: ReadonlyArray<string>, asArray = args.length > 3): string =>
  asArray ? `[${args}]` : [...args, '0', '0', '0'].slice(0, 3).join();

/**
 * An applier in straight line; `undefined` if code cannot be generated. With a program, which gives
 * the layout of a match, it logs each application that changed something.
 */
export function generateApply(
  { steps, unions, variables }: Builder,
  program: Program | undefined,
): Apply | undefined {
  const slots = program?.operators.length ?? 0;
  // The node that a right-hand side becomes equal to: in proofs, the very node that matched.
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
    lines.push(`for(let i=1;i<${copied};i++)d[s+i]=data[at+i];`);
    for (let i = 0; i <= last; i++) lines.push(`d[s+${copied + i}]=t${i};`);
    if (direct) lines.push(`if(t${last}===before)log.joined(t${last},${root},store.reason);`);
    lines.push(`${changed}{log.end(${length});applied++;}store.reason=-1;`);
  }
  lines.push('}return applied;');
  return compile('store,ops,data,from,to,stride,guard,recording,operatorOf', lines);
}
