// What a model does with its tools, gathered from the events of a stream. Pure.
import type { ServiceEvent } from '../api/service-event.ts';
import { toDocumentPath } from '../config/document-path.ts';

export interface ToolStep {
  id: string;
  tool: string;
  input: unknown;
  /** Undefined while the tool works. */
  result: unknown;
  state: 'working' | 'waiting' | 'done' | 'failed';
}

export interface FoundLink {
  path: string;
  /** Undefined for an item of the curation queue. */
  title: string | undefined;
}

/** A piece of an answer: words, or the use of a tool between them. */
export type AnswerPart = { kind: 'text'; text: string } | { kind: 'step'; step: ToolStep };

interface ToolEvent {
  text?: string;
  id: string;
  tool: string;
  input?: unknown;
  result?: unknown;
  isError?: boolean;
}

/** The parts with what an event says; the same ones for other events. */
export function withEvent(parts: readonly AnswerPart[], { event, data }: ServiceEvent): readonly AnswerPart[] {
  const { text = '', id, tool, input, result, isError } = data as ToolEvent;
  const last = parts.at(-1);
  if (event === 'text') {
    if (last?.kind === 'text') return [...parts.slice(0, -1), { kind: 'text', text: last.text + text }];
    return [...parts, { kind: 'text', text }];
  }
  if (event === 'tool_call') {
    return [...parts, { kind: 'step', step: { id, tool, input, result: undefined, state: 'working' } }];
  }
  if (event !== 'tool_result') return parts;
  const state = isError === true || isRefusal(result) ? 'failed' : needsConfirmation(result) ? 'waiting' : 'done';
  // A provider may give the same id to calls of two steps.
  return parts.map((part) =>
    part.kind === 'step' && part.step.id === id && part.step.state === 'working'
      ? { kind: 'step', step: { ...part.step, result, state } }
      : part,
  );
}

function isRefusal(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'error' in result;
}

function needsConfirmation(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'needs_confirmation' in result;
}

interface FoundDocument {
  collection?: unknown;
  slug?: unknown;
  title?: unknown;
  data?: { title?: unknown; name?: unknown };
}

/** Documents and proposals that a result is about; a result may be cut, or be anything. */
export function linksOf(result: unknown): FoundLink[] {
  if (typeof result !== 'object' || result === null) return [];
  const { queued, document } = result as { queued?: unknown; document?: FoundDocument };
  // The question leads to it.
  if (needsConfirmation(result)) return [];
  if (typeof queued === 'string') {
    return [{ path: `/admin/curation/${encodeURIComponent(queued)}`, title: undefined }];
  }
  const { collection, slug, title, data } = document ?? {};
  if (typeof collection !== 'string' || typeof slug !== 'string') return [];
  const named = [title, data?.title, data?.name].find((one) => typeof one === 'string' && one.trim() !== '');
  return [{ path: toDocumentPath(collection, slug), title: typeof named === 'string' ? named : slug }];
}

const MAX_SHOWN_CHARS = 20_000;

/** Inputs and results as people read them. */
export function toShownJson(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}
