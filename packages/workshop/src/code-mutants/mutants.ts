/**
 * Faults in the memory plan and in the code of `@baton/wasm`, and in the dataflow segments that it compiles,
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
  /** What shows it: the calls of an operator, the programs of a generator, or those of a kind of kernel. */
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
    place: 'first: addressOf(buffer) + offset * «bytes», perTurn',
    wrong: '1',
    shownBy: 'strided_slice',
  },
];

const GENERATED: ReadonlyArray<CodeMutant> = [
  {
    name: 'elements after the last vector are left out',
    file: 'wasm/src/generate/map.ts',
    place: 'singles(«count % lanes»)',
    wrong: '0',
    shownBy: 'sqrt',
  },
  {
    name: 'the second vector of a turn is the first',
    file: 'wasm/src/generate/map.ts',
    place: 'vectorAt(cursor, «i * lanes»)',
    wrong: '0',
    shownBy: 'sqrt',
  },
  {
    name: 'an outer loop steps from the end of the inner one',
    file: 'wasm/src/generate/nest.ts',
    place: 'move(f, pointer, (steps[level] as number) - «inner»)',
    wrong: '0',
    shownBy: 'add',
  },
  {
    name: 'every other element is every one',
    file: 'wasm/src/kernels/lanes.ts',
    place: 'shuffled(a, b, «[0, 2, 5, 7]»)',
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
    place: 'const alone = «v128.bitselect(element, startOf(kernel), first)»',
    wrong: 'element',
    shownBy: 'prod',
  },
  {
    name: 'a state of a row is forgotten',
    file: 'wasm/src/generate/fold.ts',
    place: 'for (const other of «others») nest.f.set(first',
    wrong: 'others.slice(1)',
    shownBy: 'sum',
  },
  {
    name: 'a mean is a sum',
    file: 'wasm/src/generate/fold.ts',
    place: 'return lanesIn(kernel, «divisor === undefined» ? state',
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
    place: 'loadCell(window.dtype, ...placeOf(cursor, «result»), f)',
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
    place: 'rest: () => «step(count % SINGLES)»',
    wrong: 'undefined',
    shownBy: 'cast',
  },
  {
    name: 'integers lose their signs',
    file: 'wasm/src/generate/single.ts',
    place: '? «i64.extendI32S»({ 1: i32.load8S',
    wrong: 'i64.extendI32U',
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
    place: 'copyAll((pixel, mask) => «v128.and(mask, gatheredFrom(pixel))»)',
    wrong: 'gatheredFrom(pixel)',
    shownBy: 'nn.conv2d',
  },
  {
    name: 'all groups have the weights of the first',
    file: 'wasm/src/kernels/geometry.ts',
    place: 'groups === 1 ? 0 : «i32.remU(part, groups)»',
    wrong: '0',
    shownBy: 'nn.conv2d',
  },
  {
    name: 'the last columns of a product are whole vectors',
    file: 'wasm/src/kernels/tile.ts',
    place: 'lanes: «Math.min(lanes, columns - lanes * i)»',
    wrong: 'lanes',
    shownBy: 'nn.matmul',
  },
  {
    name: 'the last rows or columns of a product are left out',
    file: 'wasm/src/kernels/product.ts',
    place: 'if («tail === 0») return;',
    wrong: 'true',
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

/** Products of weights of few bits. */
const BLOCKS: ReadonlyArray<CodeMutant> = [
  {
    name: 'all blocks have the scale of the first',
    file: 'wasm/src/kernels/blocks.ts',
    place: 'f.increase(weight, bytes);\n    f.increase(scale, «4»)',
    wrong: '0',
    shownBy: 'products in blocks',
  },
  {
    name: 'the zero points of blocks are not subtracted',
    file: 'wasm/src/kernels/blocks.ts',
    place: 'f.set(total, «f32x4.sub(total, scaled)»)',
    wrong: 'total',
    shownBy: 'products in blocks',
  },
  {
    name: 'the last block of a row is whole',
    file: 'wasm/src/kernels/blocks.ts',
    place: 'if (depth % size > 0) some(«depth % size»)',
    wrong: 'size',
    shownBy: 'products in blocks',
  },
  {
    name: 'the last units are left out',
    file: 'wasm/src/kernels/blocks.ts',
    place: 'if (rest) f.if(«i32.eq(end, units)», ',
    wrong: 'i32.const(0)',
    shownBy: 'products in blocks',
  },
  {
    name: 'all blocks become floats by the zero point of the first',
    file: 'wasm/src/kernels/blocks.ts',
    place: 'if («!hasOneZero») f.increase(zero, 4);',
    wrong: 'false',
    shownBy: 'products in blocks',
  },
  {
    name: 'integers of few bits keep their neighbours',
    file: 'wasm/src/kernels/blocks.ts',
    place: 'const isLast = «bits * (part + 1) === 16»',
    wrong: 'true',
    shownBy: 'products in blocks',
  },
  {
    name: 'rows of data have the unit 1',
    file: 'wasm/src/kernels/blocks.ts',
    place: 'const power = «powerOf(f, data, depth)»',
    wrong: 'f.let(splatOf(1))',
    shownBy: 'products in blocks',
  },
];

/** Kernels on integers, and the choice of them. */
const INTEGERS: ReadonlyArray<CodeMutant> = [
  {
    name: 'vectors of bytes keep their zero point',
    file: 'wasm/src/kernels/pairs.ts',
    place: 'v128.load8x8S : v128.load8x8U)(address), «zero»)',
    wrong: 'v128.const(new Int16Array(8))',
    shownBy: 'dense of integers',
  },
  {
    name: 'the last plane is paired with itself',
    file: 'wasm/src/kernels/pairs.ts',
    place: "const last = count % 2 === 1 ? pairRows(module, dtype, «'first'») : undefined",
    wrong: "'both' as const",
    shownBy: 'conv2d of integers',
  },
  {
    name: 'four rows of bytes are the first',
    file: 'wasm/src/kernels/vector-product.ts',
    place: 'Math.floor(row / 4) + «8 * (row % 4)»',
    wrong: '0',
    shownBy: 'dense of integers',
  },
  {
    name: 'both halves of a step have the first data',
    file: 'wasm/src/kernels/vector-product.ts',
    place: 'v128.load(data, «16 * half»)',
    wrong: '0',
    shownBy: 'dense of integers',
  },
  {
    name: 'a widened vector keeps its zero point',
    file: 'wasm/src/kernels/vector-product.ts',
    place: 'f.do(call(widen, given.data, scratch, depth, «given.dataZero»))',
    wrong: '0',
    shownBy: 'dense of integers',
  },
  {
    name: 'the choice takes any integers for signed bytes',
    file: 'wasm/src/kernels/dense.ts',
    place: "const areBytes = «integers.weight === 'int8'» ||",
    wrong: 'true',
    shownBy: 'dense of integers',
  },
  {
    name: 'rows of a window are paired without dilation',
    file: 'wasm/src/kernels/depthwise.ts',
    place: 'dilation: [«2 * dilation[0]», dilation[1]]',
    wrong: 'dilation[0]',
    shownBy: 'depthwise of integers',
  },
  {
    name: 'rows are paired with the next one',
    file: 'wasm/src/kernels/depthwise.ts',
    place: 'const [first, second] = [within(0), within(«apart»)]',
    wrong: '1',
    shownBy: 'depthwise of integers',
  },
  {
    name: 'transformed integers keep a part of their factor',
    file: 'wasm/src/kernels/winograd.ts',
    place: 'i32x4.shrS(whole, «shift»)',
    wrong: 'shift - 1',
    shownBy: 'winograd conv2d of integers',
  },
  {
    name: 'integers are stored without saturation',
    file: 'wasm/src/kernels/tile.ts',
    place: 'const narrow = f.let(«saturated(dtype, whole, whole)»)',
    wrong: 'whole',
    shownBy: 'pointwise of integers',
  },
  {
    name: 'the choice takes groups for single channels',
    file: 'wasm/src/kernels/conv2d.ts',
    place: 'const isDepthwise = shape.groups > 1 && «shape.channels === 1»',
    wrong: 'true',
    shownBy: 'conv2d of integers',
  },
];

/** Winograd's transforms. */
const TRANSFORMS: ReadonlyArray<CodeMutant> = [
  {
    name: 'tiles begin without padding',
    file: 'wasm/src/kernels/winograd.ts',
    place: 'i32.mul(row, transforms.size), «shape.top»)',
    wrong: '0',
    shownBy: 'transformed convolutions',
  },
  {
    name: 'a transformed window is turned',
    file: 'wasm/src/kernels/winograd.ts',
    place: 'dot(flat, 3 * i, 1, window, j, «3»)',
    wrong: '1',
    shownBy: 'transformed convolutions',
  },
  {
    name: 'all places of a tile have the first weights',
    file: 'wasm/src/kernels/winograd.ts',
    place: 'packRows(turned, { start: «place * count», ...matrix }',
    wrong: '0',
    shownBy: 'transformed convolutions',
  },
  {
    name: 'all groups have the first transformed weights',
    file: 'wasm/src/kernels/winograd.ts',
    place: 'const at = («group * plan.places» + place) * size',
    wrong: '0',
    shownBy: 'transformed convolutions',
  },
  {
    name: 'neighbouring tiles overlap',
    file: 'wasm/src/kernels/winograd.ts',
    place: 'i32.mul(i32.remU(tile, plan.across), «size»)',
    wrong: '1',
    shownBy: 'transformed convolutions',
  },
];

/** Loops, scans and scatters. */
const LOOPS: ReadonlyArray<CodeMutant> = [
  {
    name: 'a scan goes on from the end of a row',
    file: 'wasm/src/generate/sequential.ts',
    place: 'both((«1 - length * inner») * bytes)',
    wrong: '0',
    shownBy: 'cumsum',
  },
  {
    name: 'an exclusive scan has the element itself',
    file: 'wasm/src/generate/sequential.ts',
    place: 'if («!exclusive») f.do',
    wrong: 'true',
    shownBy: 'cumsum',
  },
  {
    name: 'a scatter reads one index',
    file: 'wasm/src/generate/sequential.ts',
    place: 'move(f, at, «width»)',
    wrong: '0',
    shownBy: 'scatter_elements',
  },
  {
    name: 'a scatter leaves the result at the end of a loop',
    file: 'wasm/src/generate/sequential.ts',
    place: 'move(f, to, «-count * step»)',
    wrong: '0',
    shownBy: 'scatter_elements',
  },
  {
    name: 'all turns of a loop are the first',
    file: 'wasm/src/compile.ts',
    place: 'perTurn: «perTurn * bytes» }',
    wrong: '0',
    shownBy: 'loops',
  },
  {
    name: 'values of a loop that change places are lost',
    file: 'lower/src/lower-loop.ts',
    place: 'if («!isLost») return window;',
    wrong: 'true',
    shownBy: 'loops',
  },
  {
    name: 'a value is made where the turn still reads',
    file: 'lower/src/lower-loop.ts',
    place: 'if («isFree») placeWithin',
    wrong: 'true',
    shownBy: 'loops',
  },
];

/** Products of operands with strides. */
const VIEWS: ReadonlyArray<CodeMutant> = [
  {
    name: 'all products of a batch have the first matrix',
    file: 'wasm/src/kernels/dense.ts',
    place: 'const matrix = isShared ? 0 : «(strides[0] as number)»',
    wrong: '0',
    shownBy: 'products of views',
  },
  {
    name: 'a view is packed as if it were contiguous',
    file: 'wasm/src/kernels/matrix-product.ts',
    place: 'Layout): number => «(depth === 1 ? lane : depth)»',
    wrong: '1',
    shownBy: 'products of views',
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
    place: 'count(«compiled.region.counted», meter, depth)',
    wrong: '[...compiled.region.counted].reverse()',
    shownBy: 'segments',
  },
  {
    name: 'a segment makes results that are too large',
    file: 'wasm/src/runtime.ts',
    place: 'if («step.call.bytes > meter.maxBytes») refuse(step.call, meter)',
    wrong: 'false',
    shownBy: 'segments',
  },
  {
    name: 'the result of a segment stays in its memory',
    file: 'wasm/src/runtime.ts',
    place: 'tensor(«data.slice()», shape, dtype)',
    wrong: 'data',
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

const DOUBLES: ReadonlyArray<CodeMutant> = [
  {
    name: 'a number of a row of doubles lies where one of floats does',
    file: 'wasm/src/kernels/tile.ts',
    place: 'splat(a, n * rowBytes + «bytes * i»)',
    wrong: '4 * i',
    shownBy: 'dense of doubles',
  },
  {
    name: 'the last two of four rows of doubles are packed over the first',
    file: 'wasm/src/kernels/pack-matrix.ts',
    place: 'f.do(v128.store(to, vector, step * i + «bytes * first»))',
    wrong: '0',
    shownBy: 'dense of doubles',
  },
  {
    name: 'the last two of four columns of doubles are the first',
    file: 'wasm/src/kernels/pack-matrix.ts',
    place: 'v128.load(from, «16 * at»)',
    wrong: '0',
    shownBy: 'nn.matmul',
  },
  {
    name: 'two vectors of doubles are turned to their first halves',
    file: 'wasm/src/kernels/pack-matrix.ts',
    place: 'return [pick(a, b, «[0, 2]»), pick(a, b, [1, 3])]',
    wrong: '[0, 1]',
    shownBy: 'dense of doubles',
  },
  {
    name: 'what is left of a row after whole vectors of doubles is left out',
    file: 'wasm/src/kernels/vector-product.ts',
    place: 'if («depth % lanes !== 0») step(depth % lanes)',
    wrong: 'false',
    shownBy: 'dense of doubles',
  },
  {
    name: 'the last two of four pixels of doubles are the first',
    file: 'wasm/src/kernels/windows.ts',
    place: 'offset + «bytes * strides[1] * pixel», bytes)',
    wrong: '0',
    shownBy: 'conv2d of doubles',
  },
  {
    name: 'half a double is padding',
    file: 'wasm/src/kernels/windows.ts',
    place: 'const at = «words * (lane % numbers.lanes) + word»',
    wrong: 'lane % numbers.lanes',
    shownBy: 'conv2d of doubles',
  },
  {
    name: 'four pixels of doubles take half a row of a panel',
    file: 'wasm/src/kernels/quads.ts',
    place: 'if (4 * bytes === STEP) f.increase(to, «panelBytes»)',
    wrong: '16',
    shownBy: 'conv2d of doubles',
  },
  {
    name: 'operands along channels of doubles step as floats',
    file: 'wasm/src/kernels/tile.ts',
    place: 'f.increase(place, «numbers.bytes»)',
    wrong: '4',
    shownBy: 'conv2d of doubles',
  },
  {
    name: 'a weight of doubles is packed as floats',
    file: 'wasm/src/compile.ts',
    place: "    «window.dtype === 'float64'»\n      ? (['float64', Float64Array]",
    wrong: 'false',
    shownBy: 'dense of doubles',
  },
  {
    name: 'a truth chooses half a double',
    file: 'wasm/src/generate/cursor.ts',
    place: 'lanes === 4 ? [lane] : «[2 * lane, 2 * lane + 1]»',
    wrong: '[2 * lane]',
    shownBy: 'where',
  },
  {
    name: 'doubles and floats share vectors',
    file: 'wasm/src/generate/vector.ts',
    place: "return «types.every((dtype) => dtype === 'float64') && isInMemory» ? true : undefined",
    wrong: 'true',
    shownBy: 'cast',
  },
  {
    name: 'the second state of doubles is forgotten',
    file: 'wasm/src/generate/fold.ts',
    place: 'return joinedBy(lanes, «[1, 0]»)',
    wrong: '[0, 0]',
    shownBy: 'sum',
  },
  {
    name: 'half a double of a row counts',
    file: 'wasm/src/generate/fold.ts',
    place: '(word < «4 / lanes.count» ? -1 : 0)',
    wrong: '1',
    shownBy: 'sum',
  },
  {
    name: 'a double that lies in steps is one of the next',
    file: 'wasm/src/kernels/lanes.ts',
    place: '[address, offset + «bytes * stride * lane»] as const',
    wrong: 'bytes * lane',
    shownBy: 'conv2d of doubles',
  },
];

const HALVES: ReadonlyArray<CodeMutant> = [
  {
    name: 'ties of float16 go up',
    file: 'wasm/src/generate/half.ts',
    place: 'i64.add(bits, i64.add(«isOdd», half))',
    wrong: 'i64.const(1n)',
    shownBy: 'elements of halves',
  },
  {
    name: 'float16 has no numbers below its least normal one',
    file: 'wasm/src/generate/half.ts',
    place: 'const rounded = f.let(select(«small», normal,',
    wrong: 'f64.const(0)',
    shownBy: 'elements of halves',
  },
  {
    name: 'infinity of float16 has the bits of a number',
    file: 'wasm/src/generate/half.ts',
    place: 'i64.const(HALF_SPECIAL), «f64.le(size, GREATEST)»',
    wrong: 'i32.const(1)',
    shownBy: 'elements of halves',
  },
  {
    name: 'a number of float16 is stored without its sign',
    file: 'wasm/src/generate/half.ts',
    place: 'const bits = i32.wrapI64(«i64.or(magnitude, sign)»);',
    wrong: 'magnitude',
    shownBy: 'elements of halves',
  },
  {
    name: 'a small number of float16 is read as a normal one',
    file: 'wasm/src/generate/half.ts',
    place: 'const finite = f64.mul(f64.reinterpretI64(wide), «2 ** BIAS»);',
    wrong: '2 ** (BIAS + 1)',
    shownBy: 'elements of halves',
  },
];

export const CODE_MUTANTS: ReadonlyArray<CodeMutant> = [
  ...PLAN,
  ...GENERATED,
  ...KERNELS,
  ...BLOCKS,
  ...INTEGERS,
  ...DOUBLES,
  ...HALVES,
  ...TRANSFORMS,
  ...LOOPS,
  ...VIEWS,
  ...SEGMENTS,
];
