// One run of an agent: a conversation of at most twelve steps with the tools. Before each step its cost is reserved, and
// after it the rest is given back. A run that fails queues nothing.
import type { Ai, TokenUse } from '../ai/ai.ts';
import { addUse, estimateTokens } from '../ai/tokens.ts';
import type { Curation } from '../curation/service.ts';
import { ServiceError } from '../lib/errors.ts';
import type { ToolCaller } from '../tools/tool.ts';
import type { ToolParts } from '../tools/tool-site.ts';
import type { AgentFile, AgentRun } from './agent.ts';
import type { AgentFiles } from './agent-files.ts';
import { createAgentTools } from './agent-tools.ts';
import { addSpent, type Reservation, reserve, spentNow } from './budget.ts';
import { agentPrompt, taskPrompt } from './prompt.ts';

export interface AgentRunParts {
  ai: Ai;
  maxOutputTokens: number;
  files: AgentFiles;
  curation: Curation;
  tools: ToolParts;
  voice(locale?: string): Promise<string>;
  timezone(): string;
  now(): Date;
}

export interface RunTask {
  prompt: string;
  collection: string;
  /** Read again at each call of a tool. */
  caller: Omit<ToolCaller, 'signal'>;
}

export type AgentEvent =
  | { type: 'step'; step: number; inputTokens: number; outputTokens: number; costUsd: number | null }
  | { type: 'tool_call'; id: string; tool: string; input: unknown }
  | { type: 'tool_result'; id: string; tool: string; result: unknown; isError: boolean }
  | { type: 'text'; text: string };

/** What a run has made; grows while it runs. */
export type AgentRunOutcome = Pick<
  AgentRun,
  'steps' | 'inputTokens' | 'outputTokens' | 'costUsd' | 'itemIds' | 'documentId'
>;

const MAX_STEPS = 12;
const TRIES = 3;
const MAX_FEEDBACK = 10;
/** Tools of one step in the record. */
const MAX_NOTED = 32;

/** @throws ServiceError, and the signal's reason; `outcome` has what was used until then */
export async function runAgent(
  parts: AgentRunParts,
  agent: AgentFile,
  task: RunTask,
  outcome: AgentRunOutcome,
  signal: AbortSignal,
  emit: (event: AgentEvent) => void,
): Promise<void> {
  const { ai, curation } = parts;
  const { config } = agent;
  const collected = curation.collect();
  const [feedback, voice] = await Promise.all([
    curation.feedbackFor(agent.id, MAX_FEEDBACK),
    parts.voice(config.locale ?? undefined),
  ]);
  const system = agentPrompt({ config, today: parts.now().toISOString().slice(0, 10), voice, feedback });
  const tools = createAgentTools({
    ...{ tools: parts.tools, agent, caller: task.caller, writes: collected.aiWrites },
    onWritten: (id) => void (outcome.documentId ??= id),
  });
  const content = taskPrompt(task.prompt, task.collection);
  const schemas = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const costs = createCosts(
    parts,
    agent.id,
    estimateTokens(Buffer.byteLength(system + content + JSON.stringify(schemas))),
  );
  let step = 0;
  try {
    const answer = ai.converse({
      ...{ payer: 'agent', system, tools, signal, maxSteps: MAX_STEPS, tries: TRIES },
      messages: [{ role: 'user', content }],
      beforeStep: async () => ({ maxOutputTokens: await costs.reserve() }),
    });
    for await (const event of answer) {
      if (event.type === 'begin') continue;
      if (event.type === 'step') {
        const costUsd = ai.costUsd(event.used);
        noteStep(outcome, event.used, costUsd);
        await costs.settle(event.used, costUsd);
        emit({ type: 'step', step: ++step, ...event.used, costUsd });
      } else if (event.type === 'done') {
        if (event.finish !== 'stop') throw cut(event.finish);
      } else {
        if (event.type === 'tool_call') noteTool(outcome, tools, event.tool);
        if (event.type === 'tool_result') costs.read(JSON.stringify(event.result) ?? '');
        emit(event);
      }
    }
  } finally {
    await costs.release();
  }
  signal.throwIfAborted();
  const { inputTokens, outputTokens, costUsd } = outcome;
  outcome.itemIds = await collected.keep({ tokens: inputTokens + outputTokens, costUsd });
}

/** Names that a model made up are not kept. */
function noteTool(outcome: AgentRunOutcome, known: readonly { name: string }[], tool: string): void {
  const step = outcome.steps.at(-1);
  if (step && step.tools.length < MAX_NOTED && known.some(({ name }) => name === tool)) step.tools.push(tool);
}

function noteStep(outcome: AgentRunOutcome, used: TokenUse, costUsd: number | null): void {
  outcome.steps.push({ ...used, costUsd, tools: [] });
  Object.assign(outcome, addUse(outcome, used));
  outcome.costUsd = costUsd === null ? null : (outcome.costUsd ?? 0) + costUsd;
}

function cut(finish: 'length' | 'steps'): ServiceError {
  return new ServiceError(
    'model_output',
    finish === 'length'
      ? 'the answer of the model was cut at its limit of tokens; nothing is queued'
      : `the run ended after ${MAX_STEPS} steps without a result; nothing is queued`,
  );
}

/** Reserves before a step and settles after it, in the file of the agent, where runs in parallel see it. */
function createCosts(
  { ai, files, maxOutputTokens, timezone, now }: AgentRunParts,
  agentId: string,
  promptTokens: number,
) {
  /** How many tokens the next question has, rather too high. */
  let expected = promptTokens;
  let held: Reservation | undefined;

  async function add(usd: number, to: Reservation): Promise<void> {
    await files.change(agentId, (file) => {
      const spent = spentNow(file.spent, timezone(), now());
      return { ...file, spent: addSpent(spent, usd, to) };
    });
  }

  return {
    /** Returns how many tokens the step may write. @throws ServiceError 402 */
    async reserve(): Promise<number> {
      const price = { usd: ai.costUsd };
      const { config } = await files.change(agentId, (file) => {
        const spent = spentNow(file.spent, timezone(), now());
        held = reserve(file.config.budget, spent, price, expected, maxOutputTokens);
        return held ? { ...file, spent: addSpent(spent, held.usd, held) } : file;
      });
      if (!held) throw new ServiceError('budget_used_up', `the budget of agent "${config.name}" is used up`);
      return held.maxOutputTokens;
    },
    async settle(used: TokenUse, costUsd: number | null): Promise<void> {
      expected = Math.max(expected, used.inputTokens) + used.outputTokens;
      if (!held) return;
      const reservation = held;
      held = undefined;
      await add((costUsd ?? 0) - reservation.usd, reservation);
    },
    /** A result becomes part of the next question. */
    read(text: string): void {
      expected += estimateTokens(Buffer.byteLength(text)) + 50;
    },
    /** After a step that used nothing, as far as anybody can know. */
    async release(): Promise<void> {
      if (!held) return;
      const reservation = held;
      held = undefined;
      await add(-reservation.usd, reservation).catch((error) => {
        if (!(error instanceof ServiceError)) throw error;
      });
    },
  };
}
