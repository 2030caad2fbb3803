/** The types of options that both engines take. */
import { aFunction, aText, type OptionType } from '@baton/base';

/** The name of a pass. */
export const aName: OptionType = aText;

/** A cost of nodes. */
export const aCost: OptionType = aFunction;
