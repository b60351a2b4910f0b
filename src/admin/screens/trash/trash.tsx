// Deleted documents, to bring back.
import '../../text/en-lists.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import { toDocumentPath } from '../../config/document-path.ts';
import { MANIFEST_URL, type Manifest } from '../../config/manifest.ts';
import { rightsOf } from '../../document/rights.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { NoAccess } from '../../shell/no-access.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useJob } from '../../shell/use-job.ts';
import { useLive } from '../../shell/use-live.ts';
import { useMore } from '../../shell/use-more.ts';
import { toExact, toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Failures } from '../../ui/failures.tsx';
import { Icon } from '../../ui/icon.tsx';
import {
  countSelected,
  EVERYTHING,
  isSelected,
  NOTHING,
  type Selection,
  select,
  unselect,
} from '../../ui/selection.ts';
import { SelectionBar } from '../../ui/selection-bar.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { changeMany, type ManyReport, readTrash, type TrashedDocument, type TrashPage } from './trashed.ts';

export default function Trash() {
  const { session } = useAdmin();
  if (!session.may('content:read')) return <NoAccess right={t('right.content:read')} />;
  return <TrashScreen />;
}

function TrashScreen() {
  const { request, messages, session, now } = useAdmin();
  const manifest = useResource<Manifest>(MANIFEST_URL);
  const [total, setTotal] = useState(0);
  const found = useMore('/api/admin/trash?', (data: TrashPage) => {
    setTotal(data.total);
    return data.documents;
  });
  const [selection, setSelection] = useState<Selection<TrashedDocument>>(NOTHING);
  const [failures, setFailures] = useState<ManyReport['failures']>([]);
  const { job, follow } = useJob(found.reload);
  const mayRestore = (one: TrashedDocument): boolean => rightsOf(session.may, toPublicity(one)).mayEdit;
  const count = countSelected(selection, total);
  const [restoring, setRestoring] = useState<string>();
  /** The last one whose address another document has now. */
  const [taken, setTaken] = useState<string>();
  useLive(['change', 'hello'], found.reload);
  /** The row that goes, and the one in its place, whose button gets the focus. */
  const going = useRef<{ id: string; next: string | undefined } | undefined>(undefined);
  useEffect(() => {
    if (!going.current || found.items?.some(({ id }) => id === going.current?.id)) return;
    if (document.activeElement === document.body) document.getElementById(`restore-${going.current.next}`)?.focus();
    going.current = undefined;
  }, [found.items]);
  const labels = manifest.state.kind === 'ready' ? manifest.state.data.collections : [];

  async function restore({ collection, id, commit, title, slug }: TrashedDocument): Promise<void> {
    const url = `/api/cms/${encodeURIComponent(collection)}/${encodeURIComponent(id)}`;
    if (restoring !== undefined) return;
    setRestoring(id);
    setTaken(undefined);
    const index = found.items?.findIndex((one) => one.id === id) ?? -1;
    going.current = { id, next: (found.items?.[index + 1] ?? found.items?.[index - 1])?.id };
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

  const restoreSelected = () =>
    follow(t('trash.restore'), async (parts) => {
      setFailures([]);
      const all = selection.kind === 'some' ? [...selection.items.values()] : await readTrash(request, parts.signal);
      const chosen = all.filter((one) => isSelected(selection, one.id) && mayRestore(one));
      parts.begin(chosen.length);
      const report = await changeMany(chosen, ({ id, commit }) => ({ op: 'restore', id, commit }), {
        ...parts,
        request,
      });
      setFailures(report.failures);
      setSelection((now) =>
        now.kind === 'some'
          ? unselect(
              now,
              report.done.map(({ id }) => id),
            )
          : NOTHING,
      );
      if (report.done.length > 0) notifyMany(report.done);
    });

  function notifyMany(done: readonly TrashedDocument[]): void {
    const undo = () =>
      follow(t('app.undo'), async (parts) => {
        parts.begin(done.length);
        setFailures((await changeMany(done, ({ id }) => ({ op: 'delete', id }), { ...parts, request })).failures);
      });
    messages.notify(t('trash.restoredMany', { count: done.length }), () => void undo());
  }

  return (
    <Screen heading={t('trash.title')}>
      <div class="narrow">
        <Failures
          title={t('bulk.failed', { count: failures.length })}
          failures={failures}
          onClose={() => setFailures([])}
        />
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
                {mayRestore(one) && (
                  <input
                    type="checkbox"
                    aria-label={t('list.selectOne', { title: one.title || one.slug })}
                    checked={isSelected(selection, one.id)}
                    onChange={({ currentTarget }) => setSelection(select(selection, [one], currentTarget.checked))}
                  />
                )}
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
                {mayRestore(one) && (
                  <button
                    type="button"
                    id={`restore-${one.id}`}
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
        {(count > 0 || job) && (
          <SelectionBar
            {...{ count, total, job }}
            actions={[{ label: t('trash.restore'), run: () => void restoreSelected() }]}
            onSelectAll={() => setSelection(EVERYTHING)}
            onClear={() => setSelection(NOTHING)}
          />
        )}
      </div>
    </Screen>
  );
}

/** A document comes back as it was, and to make one public takes more than to write drafts. */
function toPublicity({ status = 'published', publishAt }: TrashedDocument) {
  return { status, publishAt };
}
