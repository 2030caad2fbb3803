/** The public names of `@baton/lower`. */
export {
  type Apply,
  apply,
  type BlockOperand,
  type Element,
  type IntegerOperands,
  type Literal,
  type Load,
  literal,
  load,
  nodesOf,
  type Product,
  productIn,
  type SumType,
  windowsOf,
} from './element.ts';
export {
  type FoldKernel,
  isAlike,
  type Kernel,
  type KernelLoop,
  type MapKernel,
  type Mode,
  overwritesOf,
  type ProductKernel,
  type ReferenceKernel,
  readsOf,
  type ScanKernel,
  type ScatterKernel,
  type Spread,
  type TakeKernel,
  writesOf,
} from './kernel.ts';
export { type Lowered, lower, runOrder } from './lower.ts';
export {
  type Abilities,
  constantOf,
  isConstantWindow,
  type OperandStrides,
  operandStrides,
  type ProductCall,
  type ProductForm,
} from './lowering.ts';
export {
  ALIGNMENT,
  aligned,
  type Block,
  type Borders,
  type MemoryPlan,
  type PlannedBuffer,
  type PlannedStep,
  planMemory,
  type Root,
  rootsOf,
} from './memory.ts';
export { printLowered } from './print.ts';
export { isWithinType, type Range, rangeBefore, rangeOf } from './range.ts';
export {
  type CountedStep,
  isDataflow,
  isOpenDataflow,
  leavesOf,
  type ProgramMemo,
  type Region,
  type RegionOptions,
  type RegionStep,
  type RegionTensor,
  type RegionValue,
  regionOf,
  type Sized,
  sizedRegionOf,
  stretchRegionOf,
} from './region.ts';
export {
  anyWindow,
  type Buffer,
  isRowMajor,
  isWhole,
  type Window,
  type Windows,
  windowsIn,
} from './window.ts';
