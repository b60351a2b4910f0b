// What every question to a model shows: how far it is, why it failed, and what is missing for it.
import { ApiError } from '../../../api/client.ts';
import { toSentence } from '../../../api/sentence.ts';
import type { CollectionInfo, Manifest } from '../../../config/manifest.ts';
import { labelOf } from '../../../config/manifest.ts';
import { useAdmin } from '../../../shell/admin.ts';
import { t } from '../../../text/translate.ts';

export function Running({ text, onStop }: { text: string; onStop(): void }) {
  return (
    <div class="propose">
      <p role="status">{text}</p>
      <button type="button" onClick={onStop}>
        {t('app.cancel')}
      </button>
    </div>
  );
}

export function Failure({ error }: { error: unknown }) {
  return (
    <p class="error" role="alert">
      {toReason(error)}
    </p>
  );
}

function toReason(error: unknown): string {
  const wait = error instanceof ApiError ? error.retryAfter : undefined;
  const details = error instanceof ApiError ? error.details.map(({ message }) => message) : [];
  const sentence = [toSentence(error), ...details].join(': ').replace(/[.!?]?$/, '.');
  return wait === undefined ? sentence : `${sentence} ${t('state.tooMany', { count: wait })}`;
}

/** What could not be carried over, as the service says it. */
export function WarningList({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul class="notes" aria-label={t('proposal.notes')}>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

export function toNote({ path, message }: { path: string; message: string }, { fields }: CollectionInfo): string {
  const [, name = ''] = path.split('.');
  const field = fields.find((one) => one.name === name);
  return t('proposal.note', { field: field ? labelOf(field) : name, note: message });
}

/** For those who can set one. */
export function NoProvider({ manifest }: { manifest: Manifest }) {
  const { session } = useAdmin();
  if (manifest.ai !== undefined || !session.may('org:settings:write')) return null;
  return <p class="note">{t('proposal.noProvider')}</p>;
}
