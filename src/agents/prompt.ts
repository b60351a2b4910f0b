// The prompts of an agent's run: its own instructions, the rules of the house, the voice of the site, and what people
// said about its earlier work.
import { markUntrusted, UNTRUSTED_RULE } from '../ai/untrusted.ts';
import type { AgentBody } from './agent.ts';

export interface AgentPromptParts {
  config: AgentBody;
  today: string;
  voice: string;
  feedback: readonly { title: string; feedback: string }[];
}

export function agentPrompt({ config, today, voice, feedback }: AgentPromptParts): string {
  const { name, role, systemPrompt, autonomy, collections, locale } = config;
  return [
    [
      `You are "${name}": ${role}. Today is ${today}.`,
      `You may write the collections ${collections.join(', ')}.`,
      autonomy === 'draft'
        ? 'What you create or change waits for a person, who approves or rejects it: give a reason with it.'
        : 'What you create or change is published at once if your rights allow it.',
      ...(locale === null ? [] : [`Write in the language ${locale}.`]),
      'Use the tools. If a tool refuses, do what it says, and do not try to get around it.',
    ].join('\n'),
    systemPrompt,
    UNTRUSTED_RULE,
    voice,
    feedback.length === 0
      ? ''
      : ['What people said when they rejected earlier work of yours:', ...feedback.map(toLine)].join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function toLine({ title, feedback }: { title: string; feedback: string }): string {
  return `- ${feedback.replaceAll('\n', ' ')}\n${markUntrusted('title of that work', title)}`;
}

export function taskPrompt(prompt: string, collection: string): string {
  return `${prompt}\n\nWrite into the collection "${collection}".`;
}

export const SCHEDULED_PROMPT = 'Do your task now.';
