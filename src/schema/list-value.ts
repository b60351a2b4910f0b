// Lists as zod schemas. zod's own check every item and pass the problems on as arguments of one call: half a million
// bad items, a request of 1 MiB, take seconds and then overflow the stack. These stop at enough problems.
import { z } from 'zod';

/** The most problems reported for one value; with this many the author knows what is wrong. */
export const ENOUGH_PROBLEMS = 100;

const SLICE = 100;

const List = z.core.$constructor<z.ZodArray>('ColophonList', (inst, def) => {
  z.ZodArray.init(inst, def);
  const parse = inst._zod.parse;
  inst._zod.parse = (payload, ctx) => {
    const items: unknown = payload.value;
    if (!Array.isArray(items) || items.length <= SLICE) return parse(payload, ctx);
    for (let start = 0; start < items.length && payload.issues.length < ENOUGH_PROBLEMS; start += SLICE) {
      // Our schemas are never asynchronous.
      const part = parse({ value: items.slice(start, start + SLICE), issues: [] }, ctx) as z.core.ParsePayload;
      for (const issue of part.issues) {
        const [index, ...path] = issue.path ?? [];
        // A problem of the whole list appears in every part of it.
        if (index === undefined) return { ...payload, issues: [...payload.issues, issue] };
        payload.issues.push({ ...issue, path: [start + Number(index), ...path] });
      }
    }
    return payload;
  };
});

/** A list whose item checks do not transform values: their output is not used. */
export function listValue<T extends z.ZodType>(item: T, message?: string): z.ZodArray<T> {
  return z.core._array(List as never, item, message) as z.ZodArray<T>;
}
