// Texts that a model proposes for fields of a document that exists. Nothing is in the form before it is accepted, and
// nothing is stored before it is saved.
import { useComputed, useSignal } from '@preact/signals';
import type { Schema } from '../../../api/answer.ts';
import type { CollectionInfo } from '../../../config/manifest.ts';
import { isEqual } from '../../../document/is-equal.ts';
import type { OpenDocument } from '../../../document/open-document.ts';
import type { ProposedField } from '../../../document/proposal.ts';
import { useAdmin } from '../../../shell/admin.ts';
import { toNote } from './asking-parts.tsx';
import { type AskingState, useAsking } from './use-asking.ts';

type Generated = Schema<'GeneratedProposal'>;

export interface FieldProposals {
  state: AskingState<Generated>;
  /** What is still to be decided. */
  open: readonly ProposedField[];
  /** What could not be carried over, as sentences. */
  notes: readonly string[];
  ask(url: string, body: object): void;
  stop(): void;
  /** It was accepted, or rejected. */
  settle(name: string): void;
}

export function useFieldProposals(document: OpenDocument, collection: CollectionInfo): FieldProposals {
  const { request } = useAdmin();
  const { state, start, stop } = useAsking<Generated>(document);
  const settled = useSignal<ReadonlySet<string>>(new Set());
  const answer = state.kind === 'done' ? state.answer : undefined;
  const data = useComputed(() => {
    void document.edits.value;
    void document.latest.value;
    return document.data();
  }).value;
  const open = Object.entries(answer?.proposal.data ?? {})
    .filter(([name, value]) => !settled.value.has(name) && !isEqual(value, data[name]))
    .map(([name, value]) => ({ name, value, model: answer?.model ?? undefined }));
  return {
    ...{ state, open, stop },
    notes: answer?.warnings.map((warning) => toNote(warning, collection)) ?? [],
    ask(url, body) {
      settled.value = new Set();
      start(async (signal) => (await request<Generated>('POST', url, { body, signal })).data);
    },
    settle(name) {
      settled.value = new Set([...settled.value, name]);
    },
  };
}

/** The fields that the service does not have as they are on the screen. */
export function unsavedOf(document: OpenDocument, { fields }: CollectionInfo): { unsaved?: Record<string, unknown> } {
  const data = document.data();
  const names = fields.map(({ name }) => name).filter((name) => document.edits.peek().has(`data.${name}`));
  const unsaved = Object.fromEntries(
    names.filter((name) => data[name] !== undefined).map((name) => [name, data[name]]),
  );
  return Object.keys(unsaved).length === 0 ? {} : { unsaved };
}
