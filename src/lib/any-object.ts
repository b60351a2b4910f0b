// An object with any keys as a zod schema. zod's own record copies every key through two schemas that check nothing:
// fifty thousand keys cost a tenth of a second.
import { z } from 'zod';
import { isObject } from './json.ts';

type AnyObject = z.ZodRecord<z.ZodString, z.ZodUnknown>;

const Plain = z.core.$constructor<AnyObject>('ColophonObject', (inst, def) => {
  z.ZodRecord.init(inst, def);
  const refuse = inst._zod.parse;
  inst._zod.parse = (payload, ctx) => (isObject(payload.value) ? payload : refuse(payload, ctx));
});

/** Accepts what `parseJson` and `checkJson` accept; the parsed value is the object itself. */
export function anyObject(): AnyObject {
  return new Plain({ type: 'record', keyType: z.string(), valueType: z.unknown() });
}
