// How a tool is declared: types inferred from its schemas, and the four hints that clients show people.
import { z } from 'zod';
import type { Tool, ToolCaller } from './tool.ts';

type Annotations = Tool['annotations'];

/** Reads the site's own content and nothing else. */
export const READS: Annotations = hints({ readOnlyHint: true, idempotentHint: true });
/** Adds something; the same call again adds another. */
export const ADDS: Annotations = hints({});
/** Replaces something that history keeps; the same call again changes nothing more. */
export const CHANGES: Annotations = hints({ destructiveHint: true, idempotentHint: true });
/** Reaches beyond this service. */
export const SENDS: Annotations = hints({ openWorldHint: true });

function hints(given: Partial<Annotations>): Annotations {
  return { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false, ...given };
}

/** A tool with the type of its input inferred. */
export function defineTool<I extends z.ZodObject>(
  tool: Omit<Tool<I>, 'run'> & {
    run(input: z.output<I>, caller: ToolCaller): Promise<Record<string, unknown>> | Record<string, unknown>;
  },
): Tool {
  return { ...tool, run: async (input, caller) => tool.run(input as z.output<I>, caller) };
}

/** An input; arguments that it does not name are refused. */
export function input<S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S> {
  return z.strictObject(shape) as unknown as z.ZodObject<S>;
}

/** Without the keys whose value is undefined. */
export function present<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as never;
}
