// What is edited in the settings of an agent, on top of what the service has: the rest follows the service. Pure.
import { isEqual } from '../../document/is-equal.ts';
import type { AgentForm } from './agent-form.ts';

export type AgentSetting = keyof AgentForm;

/** `base` is what the service had when one began to change it. */
export type AgentEdits = Readonly<Partial<Record<AgentSetting, { value: unknown; base: unknown }>>>;

export function withAgentEdits(stored: AgentForm, edits: AgentEdits): AgentForm {
  return { ...stored, ...Object.fromEntries(listEdits(edits).map(([name, { value }]) => [name, value])) };
}

/** A value that is as before is no edit. */
export function editAgent(edits: AgentEdits, part: Partial<AgentForm>, stored: AgentForm): AgentEdits {
  const next: Partial<Record<AgentSetting, { value: unknown; base: unknown }>> = { ...edits };
  for (const [name, value] of Object.entries(part) as [AgentSetting, unknown][]) {
    const base = edits[name] ? edits[name].base : stored[name];
    if (isEqual(value, base)) delete next[name];
    else next[name] = { value, base };
  }
  return next;
}

/** The settings that another person changed as well, to something else. */
export function clashesOf(edits: AgentEdits, stored: AgentForm): AgentSetting[] {
  return listEdits(edits).flatMap(([name, { value, base }]) =>
    isEqual(stored[name], base) || isEqual(stored[name], value) ? [] : [name],
  );
}

/** The same edits, made on what the service has now. */
export function onTopOf(stored: AgentForm, edits: AgentEdits): AgentEdits {
  return Object.fromEntries(listEdits(edits).map(([name, { value }]) => [name, { value, base: stored[name] }]));
}

/** What is left after a save: edits that were made while it was on its way. */
export function withoutSent(edits: AgentEdits, sent: AgentEdits): AgentEdits {
  return Object.fromEntries(listEdits(edits).filter(([name, { value }]) => !isEqual(sent[name]?.value, value)));
}

export function parseAgentEdits(text: string | null): AgentEdits {
  return text === null ? {} : (JSON.parse(text) as AgentEdits);
}

function listEdits(edits: AgentEdits): [AgentSetting, { value: unknown; base: unknown }][] {
  return Object.entries(edits) as [AgentSetting, { value: unknown; base: unknown }][];
}
