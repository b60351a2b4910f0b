// Asks the model for the texts of a new translation, and puts them into the form. It goes on while one looks at another
// panel, and ends with the page.
import type { Schema } from '../../../api/answer.ts';
import { fillIn, toProposal } from '../../../document/proposal.ts';
import type { StoredDocument } from '../../../document/stored-document.ts';
import { useAdmin } from '../../../shell/admin.ts';
import { t } from '../../../text/translate.ts';
import { toNote } from '../ai/asking-parts.tsx';
import { type AskingState, useAsking } from '../ai/use-asking.ts';
import type { EditorProps } from '../editor.tsx';

export interface Proposing {
  /** Undefined if there is nothing to propose, or no model, or no right to it. */
  start: (() => void) | undefined;
  stop(): void;
  /** The answer is what could not be carried over, as sentences. */
  state: AskingState<readonly string[]>;
}

export function useProposing({
  manifest,
  collection,
  document,
}: Omit<EditorProps, 'singular' | 'lastAuthor'>): Proposing {
  const { request, session, messages } = useAdmin();
  const { state, start, stop } = useAsking<readonly string[]>(document);

  const ask = (from: string, to: string) => async (signal: AbortSignal) => {
    const url = `/api/cms/${collection.name}/${encodeURIComponent(from)}`;
    const { data: original } = await request<StoredDocument>('GET', url, { signal });
    const body = { collection: collection.name, slug: from, locale: to };
    const { data } = await request<Schema<'GeneratedProposal'>>('POST', '/api/cms/ai/translate', { body, signal });
    // Saved meanwhile, it has an author who did not see these texts.
    if (document.latest.peek()) return undefined;
    const proposed = { source: from, locale: to, model: data.model ?? undefined, data: data.proposal.data };
    const proposal = toProposal(proposed, original.data, document.data());
    const undo = fillIn(document, proposal);
    messages.notify(t('proposal.done', { count: proposal.fields.length }), undo);
    return data.warnings.map((warning) => toNote(warning, collection));
  };

  const source = document.value('translationOf').value;
  const locale = document.value('locale').value;
  const isWanted =
    !document.latest.value &&
    manifest.ai !== undefined &&
    session.may('content:write') &&
    typeof source === 'string' &&
    typeof locale === 'string';
  return { start: isWanted ? () => start(ask(source, locale)) : undefined, stop, state };
}
