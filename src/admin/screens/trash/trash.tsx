// Deleted documents, to bring back.
import '../../text/en-lists.ts';
import { useState } from 'preact/hooks';
import { ApiError } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import { toDocumentPath } from '../../config/document-path.ts';
import { MANIFEST_URL, type Manifest } from '../../config/manifest.ts';
import { rightsOf } from '../../document/rights.ts';
import type { DocumentStatus } from '../../document/stored-document.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { NoAccess } from '../../shell/no-access.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useLive } from '../../shell/use-live.ts';
import { useMore } from '../../shell/use-more.ts';
import { toExact, toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failed, Loading } from '../../ui/states.tsx';

interface TrashedDocument {
  id: string;
  collection: string;
  slug: string;
  title: string;
  /** Absent if its last version cannot be read. */
  status?: DocumentStatus;
  publishAt?: string;
  deletedAt: string;
  deletedBy: { name: string };
  commit: string;
}

export default function Trash() {
  const { session } = useAdmin();
  if (!session.may('content:read')) return <NoAccess right={t('right.content:read')} />;
  return <TrashScreen />;
}

function TrashScreen() {
  const { request, messages, session, now } = useAdmin();
  const manifest = useResource<Manifest>(MANIFEST_URL);
  const found = useMore('/api/admin/trash?', (data: { documents: TrashedDocument[] }) => data.documents);
  const [restoring, setRestoring] = useState<string>();
  /** The last one whose address another document has now. */
  const [taken, setTaken] = useState<string>();
  useLive(['change', 'hello'], found.reload);
  const labels = manifest.state.kind === 'ready' ? manifest.state.data.collections : [];

  async function restore({ collection, id, commit, title, slug }: TrashedDocument): Promise<void> {
    const url = `/api/cms/${encodeURIComponent(collection)}/${encodeURIComponent(id)}`;
    if (restoring !== undefined) return;
    setRestoring(id);
    setTaken(undefined);
    try {
      await request('POST', `${url}/restore`, { body: { commit } });
      const undo = async (): Promise<void> => {
        try {
          await request('DELETE', url);
        } catch (error) {
          messages.fail(toSentence(error));
        }
        found.reload();
      };
      messages.notify(t('trash.restored', { title: title || slug }), () => void undo());
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) setTaken(id);
      else messages.fail(toSentence(error));
    } finally {
      setRestoring(undefined);
      found.reload();
    }
  }

  return (
    <Screen heading={t('trash.title')}>
      <div class="narrow">
        {found.error !== undefined && <Failed error={found.error} onRetry={found.reload} />}
        {found.items === undefined && found.error === undefined && <Loading />}
        {found.items?.length === 0 && (
          <div class="nothing">
            <Icon name="trash" />
            <p>{t('trash.empty')}</p>
          </div>
        )}
        {!!found.items?.length && (
          <ul class="rows trashed" aria-label={t('trash.list')}>
            {found.items.map((one) => (
              <li key={one.id}>
                <span class="row-title">
                  <bdi>{one.title || one.slug}</bdi>
                </span>
                <span class="help">
                  <bdi>{labels.find(({ name }) => name === one.collection)?.label ?? one.collection}</bdi>
                  {' · '}
                  <time datetime={one.deletedAt} title={toExact(one.deletedAt)}>
                    {t('trash.by', { name: one.deletedBy.name, when: toRelative(one.deletedAt, now().getTime()) })}
                  </time>
                </span>
                {rightsOf(session.may, toPublicity(one)).mayEdit && (
                  <button
                    type="button"
                    aria-label={t('trash.restoreOne', { title: one.title || one.slug })}
                    aria-disabled={restoring === one.id}
                    onClick={() => void restore(one)}
                  >
                    <Icon name="restore" />
                    {t('trash.restore')}
                  </button>
                )}
                {taken === one.id && (
                  <p class="error" role="alert">
                    {t('trash.taken', { slug: one.slug })}{' '}
                    <a href={toDocumentPath(one.collection, one.slug)}>{t('trash.toTaken')}</a>
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
        {found.items !== undefined && !found.isDone && (
          <button type="button" onClick={found.more}>
            {t('media.more')}
          </button>
        )}
      </div>
    </Screen>
  );
}

/** A document comes back as it was, and to make one public takes more than to write drafts. */
function toPublicity({ status = 'published', publishAt }: TrashedDocument) {
  return { status, publishAt };
}
