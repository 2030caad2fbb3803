/** Plain data of a stated type to a value. */
import type { Result } from '@baton/base';
import type { IRModule, Type } from '@baton/ir';
import { fromHost } from './from-host.ts';
import type { HostValue } from './host-value.ts';
import type { Value } from './value.ts';

/**
 * The value of a type for plain data: the inverse of `toData`. `m` has the data types that `type`
 * mentions.
 *
 * **Errors** `EXEC_ARGUMENT_TYPE`, `EXEC_ARGUMENT_RANGE`, `EXEC_DIMENSION`, and errors of making a
 * tensor.
 * **Complexity** linear in the data.
 */
export const fromData = (m: IRModule, type: Type, data: HostValue): Result<Value> =>
  fromHost(data, { name: 'data', type, span: undefined }, m);
