// The tools as a model in this service gets them: chat and agents. A result is at most 20 KB; a longer one is cut, and
// says so.
import type { AiTool } from '../ai/ai.ts';
import { ServiceError } from '../lib/errors.ts';
import type { ToolOutcome, Tools } from './registry.ts';
import type { Tool, ToolCaller } from './tool.ts';

const MAX_RESULT_BYTES = 20_000;

/** How a tool is called: by the registry, or by what stands in front of it. */
export type CallTool = (tool: Tool, input: unknown, caller: ToolCaller) => Promise<ToolOutcome>;

/** `isOffered` chooses among the tools that the caller may use. */
export function toAiTools(
  tools: Tools,
  caller: Omit<ToolCaller, 'signal'>,
  {
    isOffered = () => true,
    call = ({ name }, input, by) => tools.call(name, input, by),
  }: { isOffered?: (tool: Tool) => boolean; call?: CallTool } = {},
): AiTool[] {
  return tools
    .list(caller)
    .filter(isOffered)
    .map((tool) => {
      const { name, description, inputSchema } = tools.show(tool);
      return {
        name,
        description,
        inputSchema,
        async run(input, signal) {
          const outcome = await call(tool, input, { ...caller, signal });
          if ('value' in outcome) return bounded(outcome.value);
          const { code, error, details, next } = outcome.refusal;
          throw new ServiceError(code, `${error}; ${next}`, details ? { details } : {});
        },
      };
    });
}

/** The value itself, or its beginning with its size and how to get the rest. */
export function bounded(value: Record<string, unknown>): Record<string, unknown> {
  const json = JSON.stringify(value);
  const sizeBytes = Buffer.byteLength(json);
  if (sizeBytes <= MAX_RESULT_BYTES) return value;
  const beginning = Buffer.from(json)
    .subarray(0, MAX_RESULT_BYTES - 500)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
  const isCut = `the result has ${sizeBytes} bytes; ask for fewer fields or a smaller page`;
  return fitting(beginning, isCut);
}

/** Quotes and line breaks of the beginning are escaped when it is sent, which makes it longer. */
function fitting(beginning: string, isCut: string): Record<string, unknown> {
  let text = beginning;
  while (Buffer.byteLength(JSON.stringify({ isCut, beginning: text })) > MAX_RESULT_BYTES) {
    text = text.slice(0, Math.floor(text.length * 0.9)).toWellFormed();
  }
  return { isCut, beginning: text };
}
