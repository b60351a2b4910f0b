// JSON files of the data folder, which a crash, a disk or a person may have damaged.
import type { z } from 'zod';

/** What the file says; undefined if it is not JSON of that shape. */
export function parseStoredJson<T extends z.ZodType>(schema: T, content: string | Buffer): z.output<T> | undefined {
  let json: unknown;
  try {
    json = JSON.parse(content.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return schema.safeParse(json).data;
}
