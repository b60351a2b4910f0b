// Asks the model for the texts of a new translation, and puts them into the form. It goes on while one looks at another
// panel, and ends with the page.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Schema } from '../../../api/answer.ts';
import type { Problem } from '../../../api/client.ts';
import { labelOf } from '../../../config/manifest.ts';
import { fillIn, toProposal } from '../../../document/proposal.ts';
import type { StoredDocument } from '../../../document/stored-document.ts';
import { useAdmin } from '../../../shell/admin.ts';
import { t } from '../../../text/translate.ts';
import type { EditorProps } from '../editor.tsx';

export type ProposingState =
  | { kind: 'idle' }
  | { kind: 'running' }
  | { kind: 'failed'; error: unknown }
  /** What could not be carried over, as sentences. */
  | { kind: 'done'; notes: readonly string[] };

export interface Proposing {
  /** Undefined if there is nothing to propose, or no model, or no right to it. */
  start: (() => void) | undefined;
  stop(): void;
  state: ProposingState;
}

export function useProposing({
  manifest,
  collection,
  document,
}: Omit<EditorProps, 'singular' | 'lastAuthor'>): Proposing {
  const { request, session, messages } = useAdmin();
  const state = useSignal<ProposingState>({ kind: 'idle' });
  const asking = useRef<AbortController | undefined>(undefined);
  const stop = (): void => {
    asking.current?.abort();
    state.value = { kind: 'idle' };
  };
  useEffect(() => stop, [document]);

  async function ask(source: string, locale: string): Promise<void> {
    stop();
    const controller = new AbortController();
    const { signal } = controller;
    asking.current = controller;
    state.value = { kind: 'running' };
    try {
      const url = `/api/cms/${collection.name}/${encodeURIComponent(source)}`;
      const { data: from } = await request<StoredDocument>('GET', url, { signal });
      const body = { collection: collection.name, slug: source, locale };
      const { data } = await request<Schema<'GeneratedProposal'>>('POST', '/api/cms/ai/translate', { body, signal });
      // Saved meanwhile, it has an author who did not see these texts.
      if (document.latest.peek()) return stop();
      const proposed = { source, locale, model: data.model ?? undefined, data: data.proposal.data };
      const proposal = toProposal(proposed, from.data, document.data());
      const undo = fillIn(document, proposal);
      messages.notify(t('proposal.done', { count: proposal.fields.length }), undo);
      state.value = { kind: 'done', notes: data.warnings.map(toNote) };
    } catch (error) {
      if (!signal.aborted) state.value = { kind: 'failed', error };
    }
  }

  function toNote({ path, message }: Problem): string {
    const [, name = ''] = path.split('.');
    const field = collection.fields.find((one) => one.name === name);
    return t('proposal.note', { field: field ? labelOf(field) : name, note: message });
  }

  const source = document.value('translationOf').value;
  const locale = document.value('locale').value;
  const isWanted =
    !document.latest.value &&
    manifest.ai !== undefined &&
    session.may('content:write') &&
    typeof source === 'string' &&
    typeof locale === 'string';
  return { start: isWanted ? () => void ask(source, locale) : undefined, stop, state: state.value };
}
