/**
 * Mistakes in the memory plan and in the code of `@baton/wasm`, and in the segments that it compiles,
 * for comparisons with the interpreter to notice.
 */

export interface CodeMutant {
  readonly name: string;
  /** A file of `packages`. */
  readonly file: string;
  /** Text that occurs once in the file, in which « and » enclose the expression. */
  readonly place: string;
  /** The replacement of the expression. */
  readonly wrong: string;
  /** The comparison that shows it: the calls of an operator, or the programs of a generator. */
  readonly shownBy: string;
}

const PLAN: ReadonlyArray<CodeMutant> = [
  {
    name: 'the place of a result is used again',
    file: 'lower/src/memory.ts',
    place: 'for (const buffer of outputs) «use(buffer, steps.length)»',
    wrong: 'undefined',
    shownBy: 'nn.softmax',
  },
  {
    name: 'an argument has no place before its first use',
    file: 'lower/src/memory.ts',
    place: 'for (const buffer of inputs) «use(buffer, -1)»',
    wrong: 'undefined',
    shownBy: 'nn.max_pool2d',
  },
  {
    name: 'a result is written over an operand that is read later',
    file: 'lower/src/memory.ts',
    place: '«to[at] === step» &&',
    wrong: 'true',
    shownBy: 'dataflow',
  },
  {
    name: 'what is written over an operand ends with it',
    file: 'lower/src/memory.ts',
    place: 'lastUse[owner] = «Math.max(lastUse[owner] as number, to[buffer] as number)»',
    wrong: 'lastUse[owner]',
    shownBy: 'dataflow',
  },
  {
    name: 'a part lies at the start of its whole',
    file: 'lower/src/memory.ts',
    place: 'offset += «part.offset»',
    wrong: '0',
    shownBy: 'scales',
  },
  {
    name: 'the use of a part is no use of its whole',
    file: 'lower/src/memory.ts',
    place: 'const at = «whole[buffer] as number»',
    wrong: 'buffer',
    shownBy: 'regions',
  },
  {
    name: 'a block begins inside another',
    file: 'lower/src/memory.ts',
    place: 'end = Math.max(end, «start + (blocks[other] as Block).bytes»)',
    wrong: 'start',
    shownBy: 'add',
  },
  {
    name: 'a gap takes a block that is larger',
    file: 'lower/src/memory.ts',
    place: 'if («gap >= bytes» &&',
    wrong: 'gap >= bytes / 2',
    shownBy: 'dataflow',
  },
  {
    name: 'a block ends before its last use',
    file: 'lower/src/memory.ts',
    place: 'let step = block.from; «step <= block.to»',
    wrong: 'step < block.to',
    shownBy: 'dataflow',
  },
  {
    name: 'sizes are rounded down',
    file: 'lower/src/memory.ts',
    place: 'const aligned = (bytes: number): number => «Math.ceil(bytes / ALIGNMENT)»',
    wrong: 'Math.floor(bytes / ALIGNMENT)',
    shownBy: 'add',
  },
  {
    name: 'the scratch storage of a product has no place',
    file: 'lower/src/kernel.ts',
    place: 'scratch === undefined ? [kernel.out] : «[kernel.out, scratch]»',
    wrong: '[kernel.out]',
    shownBy: 'nn.conv2d',
  },
  {
    name: 'an offset in elements is one in bytes',
    file: 'wasm/src/compile.ts',
    place: 'window.offset * «dtypeInfo(window.dtype).bytes»',
    wrong: '1',
    shownBy: 'strided_slice',
  },
];

const GENERATED: ReadonlyArray<CodeMutant> = [
  {
    name: 'elements behind the last vector are left out',
    file: 'wasm/src/generate/map.ts',
    place: 'const tail = «count % LANES»',
    wrong: '0',
    shownBy: 'sqrt',
  },
  {
    name: 'the second vector of a turn is the first',
    file: 'wasm/src/generate/map.ts',
    place: 'four(cursor, «i * LANES»)',
    wrong: '0',
    shownBy: 'sqrt',
  },
  {
    name: 'an outer loop steps from the end of the inner one',
    file: 'wasm/src/generate/map.ts',
    place: 'const distance = (steps[level] as number) - «inner»',
    wrong: '0',
    shownBy: 'add',
  },
  {
    name: 'every other element is every one',
    file: 'wasm/src/generate/cursor.ts',
    place: 'const lanes = «[0, 2, 5, 7]»',
    wrong: '[0, 1, 5, 6]',
    shownBy: 'layers',
  },
  {
    name: 'a truth is stored as a mask',
    file: 'wasm/src/generate/cursor.ts',
    place: "const vector = f.let(«lanes.kind === 'masks'» ?",
    wrong: 'false',
    shownBy: 'less',
  },
  {
    name: 'one element of a row counts for four',
    file: 'wasm/src/generate/fold.ts',
    place: 'const alone = «v128.bitselect(element, startOf(kernel), FIRST_LANE)»',
    wrong: 'element',
    shownBy: 'prod',
  },
  {
    name: 'a state of a row is forgotten',
    file: 'wasm/src/generate/fold.ts',
    place: 'for (const other of «others») f.set(first',
    wrong: 'others.slice(1)',
    shownBy: 'sum',
  },
  {
    name: 'a mean is a sum',
    file: 'wasm/src/generate/fold.ts',
    place: 'const vector = «divisor === undefined» ? state',
    wrong: 'true',
    shownBy: 'mean',
  },
  {
    name: 'windows beyond the border hold zeros',
    file: 'lower/src/lower-fold.ts',
    place: 'const border = constantWindow(scalar(«value», dtype), state)',
    wrong: '0',
    shownBy: 'nn.max_pool2d',
  },
  {
    name: 'results that are made side by side are one',
    file: 'wasm/src/generate/single-fold.ts',
    place: 'loadCell(window.dtype, ...placeOf(cursor, «result»))',
    wrong: '0',
    shownBy: 'sum',
  },
  {
    name: 'the last results of elements taken one at a time are left out',
    file: 'wasm/src/generate/single-fold.ts',
    place: 'if («count % perTurn > 0») makeResults',
    wrong: 'false',
    shownBy: 'prod',
  },
  {
    name: 'a state of integers begins with 0',
    file: 'wasm/src/generate/single.ts',
    place: 'return make(whole, «i64.const(BigInt(start))», wholeOf)',
    wrong: 'i64.const(0n)',
    shownBy: 'min',
  },
  {
    name: 'the last place is found',
    file: 'wasm/src/generate/single.ts',
    place: 'f.set(found, «select(place, found, test)»)',
    wrong: 'place',
    shownBy: 'argmax',
  },
  {
    name: 'sums of windows are rounded before they are divided',
    file: 'lower/src/lower-fold.ts',
    place: 'isApart && !isStored && «wide !== of»',
    wrong: 'false',
    shownBy: 'nn.avg_pool2d',
  },
  {
    name: 'NaN is less than a bound',
    file: 'wasm/src/generate/vector.ts',
    place: 'const larger = «f32x4.pmax(x.vector, y.vector)»',
    wrong: 'f32x4.pmax(y.vector, x.vector)',
    shownBy: 'nn.relu',
  },
  {
    name: 'the last of the elements taken one at a time is left out',
    file: 'wasm/src/generate/map.ts',
    place: 'count % SINGLES > 0 ? «step(count % SINGLES)»',
    wrong: 'undefined',
    shownBy: 'cast',
  },
  {
    name: 'integers lose their signs',
    file: 'wasm/src/generate/single.ts',
    place: 'return whole(«i64.extendI32S(part(address, offset))»)',
    wrong: 'i64.extendI32U(part(address, offset))',
    shownBy: 'cast',
  },
  {
    name: 'a quotient of integers is rounded toward zero',
    file: 'wasm/src/generate/single.ts',
    place: 'return i64.sub(quotient(x, y), «i64.extendI32U(isLower)»)',
    wrong: 'i64.const(0n)',
    shownBy: 'floor_divide',
  },
  {
    name: 'any number is a truth',
    file: 'wasm/src/generate/single.ts',
    place: "cell.kind === 'float' ? «f64.ne(cell.value, 0)»",
    wrong: 'i32.const(1)',
    shownBy: 'cast',
  },
  {
    name: 'integers are computed on as chains of vectors',
    file: 'wasm/src/generate/vector.ts',
    place: 'return «isMovable(node.dtype)» && kind',
    wrong: 'true',
    shownBy: 'cast',
  },
  {
    name: 'all slices are of the first data',
    file: 'wasm/src/generate/take.ts',
    place: 'f.increase(from, «dim * row»)',
    wrong: '0',
    shownBy: 'take',
  },
  {
    name: 'the indices are read once',
    file: 'wasm/src/generate/take.ts',
    place: 'f.increase(at, «-places * width»)',
    wrong: '0',
    shownBy: 'take',
  },
  {
    name: 'odd powers of two are even',
    file: 'wasm/src/generate/approximate.ts',
    place: 'twoTo(«i32x4.sub(exponent, half)»)',
    wrong: 'half',
    shownBy: 'exp',
  },
];

const KERNELS: ReadonlyArray<CodeMutant> = [
  {
    name: 'padding holds the first number of the channel',
    file: 'wasm/src/kernels/windows.ts',
    place: 'copyAll(«v128.and(mask, gathered)»)',
    wrong: 'gathered',
    shownBy: 'nn.conv2d',
  },
  {
    name: 'all groups have the weights of the first',
    file: 'wasm/src/kernels/conv2d.ts',
    place: 'groups === 1 ? 0 : «i32.remU(part, groups)»',
    wrong: '0',
    shownBy: 'nn.conv2d',
  },
  {
    name: 'the last columns of a product are whole vectors',
    file: 'wasm/src/kernels/tile.ts',
    place: 'lanes: «Math.min(4, columns - 4 * i)»',
    wrong: '4',
    shownBy: 'nn.matmul',
  },
  {
    name: 'the last rows or columns of a product are left out',
    file: 'wasm/src/kernels/product.ts',
    place: 'if («tail !== 0») f.if',
    wrong: 'false',
    shownBy: 'nn.matmul',
  },
  {
    name: 'the last packed columns lie without gaps',
    file: 'wasm/src/kernels/packing.ts',
    place: 'const gap = «isFilled ? width - count : 0»',
    wrong: '0',
    shownBy: 'scales',
  },
  {
    name: 'rows that are packed ahead lie as they were given',
    file: 'wasm/src/kernels/conv2d.ts',
    place: 'laneStride: «depth», depthStride',
    wrong: '1',
    shownBy: 'scales',
  },
  {
    name: 'a depthwise convolution has its padding turned',
    file: 'wasm/src/kernels/depthwise.ts',
    place: '4 * («top * plane.width + left»)',
    wrong: 'left * plane.width + top',
    shownBy: 'nn.conv2d',
  },
  {
    name: 'all rows have the operand of the first channel',
    file: 'wasm/src/kernels/tile.ts',
    place: "if («epilogue.operands[i] === 'channel'» && channels",
    wrong: 'false',
    shownBy: 'scales',
  },
];

const SEGMENTS: ReadonlyArray<CodeMutant> = [
  {
    name: 'a segment has a value that is used elsewhere',
    file: 'executor/src/code/segment.ts',
    place: '«isWithin(named ?? node)» &&',
    wrong: 'true',
    shownBy: 'segments',
  },
  {
    name: 'a segment reaches into a branch',
    file: 'executor/src/code/segment.ts',
    place: '«scopeOf(node) === scopeOf(order[end] as Expr)» &&',
    wrong: 'true',
    shownBy: 'whole',
  },
  {
    name: 'the operands of a segment are evaluated from right to left',
    file: 'executor/src/code/segment.ts',
    place: 'stack.push(...«[...children(node)].reverse()»)',
    wrong: 'children(node)',
    shownBy: 'segments',
  },
  {
    name: 'the lets of a segment are evaluated from the last',
    file: 'executor/src/code/segment.ts',
    place: 'const stack = «roots.reverse()»',
    wrong: 'roots',
    shownBy: 'whole',
  },
  {
    name: 'the first step of a segment is not counted',
    file: 'wasm/src/runtime.ts',
    place: 'for (const step of «counted») {',
    wrong: 'counted.slice(1)',
    shownBy: 'segments',
  },
  {
    name: 'the steps of a segment are counted from the last',
    file: 'wasm/src/runtime.ts',
    place: 'count(«region.counted», meter, depth)',
    wrong: '[...region.counted].reverse()',
    shownBy: 'segments',
  },
  {
    name: 'a segment makes results that are too large',
    file: 'wasm/src/runtime.ts',
    place: 'step.call !== undefined && «step.call.bytes > meter.maxBytes»',
    wrong: 'false',
    shownBy: 'segments',
  },
  {
    name: 'the result of a segment stays in its memory',
    file: 'wasm/src/runtime.ts',
    place: 'return tensor(«result.data.slice()», result.shape',
    wrong: 'result.data',
    shownBy: 'segments',
  },
  {
    name: 'a segment keeps the operands of its first call',
    file: 'wasm/src/executor.ts',
    place: 'return made.call(«args», meter, depth)',
    wrong: '((made as { first?: typeof args }).first ??= args)',
    shownBy: 'segments',
  },
];

export const CODE_MUTANTS: ReadonlyArray<CodeMutant> = [
  ...PLAN,
  ...GENERATED,
  ...KERNELS,
  ...SEGMENTS,
];
