// The one list of tools: what MCP, chat and agents offer, and the one way to call a tool. Permissions are checked when
// tools are listed and again at each call.
import { z } from 'zod';
import { invalid, lacksPermission, notFound } from '../lib/errors.ts';
import { checkJson } from '../lib/json.ts';
import { parseInput } from '../lib/parse-input.ts';
import { listReadable, readingTools } from './documents-read.ts';
import { writingTools } from './documents-write.ts';
import { type HeldCall, holdCall } from './held-call.ts';
import { mediaTools } from './media.ts';
import { isRefusal, type ToolRefusal, toRefusal } from './next-step.ts';
import { curationTools, deployTools, formTools, historyTools } from './operations.ts';
import { publishingTools } from './publishing.ts';
import type { Tool, ToolCaller } from './tool.ts';
import type { ToolParts } from './tool-site.ts';

export type ToolOutcome = { value: Record<string, unknown> } | { refusal: ToolRefusal };
export type HoldOutcome = { held: HeldCall | undefined } | { refusal: ToolRefusal };

/** A tool as clients see it. */
export interface ShownTool {
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
  annotations: Tool['annotations'];
}

/** The tools of one site. */
export interface Tools {
  all: readonly Tool[];
  /** The tools that the caller may use, in the order of the registry. */
  list(caller: Pick<ToolCaller, 'principal'>): readonly Tool[];
  find(name: string): Tool | undefined;
  show(tool: Tool): ShownTool;
  /**
   * Checks the caller's permissions and the input, and runs the tool. @throws ServiceError; any other error is a bug
   */
  run(name: string, input: unknown, caller: ToolCaller): Promise<Record<string, unknown>>;
  /** The same with a refusal as a value that says what to do next. @throws only bugs, and the signal's reason */
  call(name: string, input: unknown, caller: ToolCaller): Promise<ToolOutcome>;
  /**
   * What a person would confirm, if the call deletes, publishes or does anything else that a model must not do after it
   * has read what others wrote; nothing is done. Undefined if the call needs no person. @throws as `call`
   */
  hold(name: string, input: unknown, caller: ToolCaller): Promise<HoldOutcome>;
}

export function createTools(parts: ToolParts): Tools {
  const { site } = parts;
  const all: readonly Tool[] = [
    ...readingTools(site),
    ...mediaTools(parts),
    ...historyTools(site),
    ...writingTools(site, site.aiWrites),
    ...publishingTools(site),
    ...curationTools(site.curation),
    ...deployTools(site),
    ...formTools(site),
  ];
  const byName = new Map(all.map((tool) => [tool.name, tool]));
  const shown = new Map<Tool, ShownTool>();

  function check(name: string, input: unknown, caller: ToolCaller): { tool: Tool; parsed: Record<string, unknown> } {
    caller.signal.throwIfAborted();
    const tool = byName.get(name);
    if (!tool) throw notFound(`tool "${name}"`);
    if (!isOpenTo(tool, caller)) throw lacksPermission(caller.principal, tool.permissions.join(' or '));
    const problems = checkJson(input ?? {});
    if (problems.length > 0) throw invalid(problems);
    return { tool, parsed: parseInput(tool.input, input ?? {}) };
  }

  async function run(name: string, input: unknown, caller: ToolCaller): Promise<Record<string, unknown>> {
    const { tool, parsed } = check(name, input, caller);
    return withoutUndefined(await tool.run(parsed, caller));
  }

  async function hold(name: string, input: unknown, caller: ToolCaller): Promise<HeldCall | undefined> {
    const { tool, parsed } = check(name, input, caller);
    return holdCall(tool, withoutUndefined(parsed), caller, site);
  }

  async function withRefusal<T>(
    work: Promise<T>,
    [name, given, caller]: [name: string, given: unknown, caller: ToolCaller],
  ): Promise<T | { refusal: ToolRefusal }> {
    try {
      return await work;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const mayPropose = isOpenTo(byName.get('propose_change')!, caller);
      const collections = listReadable(site, caller);
      return { refusal: toRefusal(error, { tool: byName.get(name), given, collections, mayPropose }) };
    }
  }

  return {
    all,
    list: (caller) => all.filter((tool) => isOpenTo(tool, caller)),
    find: (name) => byName.get(name),
    show(tool) {
      const known = shown.get(tool) ?? toShown(tool);
      shown.set(tool, known);
      return known;
    },
    run,
    call: (...call) =>
      withRefusal(
        run(...call).then((value) => ({ value })),
        call,
      ),
    hold: (...call) =>
      withRefusal(
        hold(...call).then((held) => ({ held })),
        call,
      ),
  };
}

function isOpenTo({ permissions }: Tool, { principal }: Pick<ToolCaller, 'principal'>): boolean {
  if (principal.heldBack !== undefined) return false;
  return permissions.length === 0 || permissions.some((permission) => principal.permissions.has(permission));
}

function toShown({ name, title, description, input, output, annotations }: Tool): ShownTool {
  const inputSchema = toJsonSchema(input, 'input');
  return { name, title, description, inputSchema, outputSchema: toJsonSchema(output, 'output'), annotations };
}

/** Without what says nothing to a client: the dialect, the largest integer as a bound, and that other keys are open. */
function toJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return JSON.parse(JSON.stringify(json, (key, value) => (saysNothing(key, value) ? undefined : value)));
}

function saysNothing(key: string, value: unknown): boolean {
  if (key === 'maximum') return Number(value) > 2 ** 50;
  return key === 'additionalProperties' && JSON.stringify(value) === '{}';
}

function withoutUndefined(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined));
}
