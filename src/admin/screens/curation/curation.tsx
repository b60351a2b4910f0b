// What models propose and people decide: the queue, and one item of it.
import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { NoProvider } from '../../ai/no-provider.tsx';
import { MANIFEST_URL, type Manifest } from '../../config/manifest.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { NoAccess } from '../../shell/no-access.tsx';
import { NotFound, Screen } from '../../shell/screen.tsx';
import { useIsMissing } from '../../shell/use-is-missing.ts';
import { useKeys } from '../../shell/use-keys.ts';
import { useLive } from '../../shell/use-live.ts';
import { useMore } from '../../shell/use-more.ts';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { nextAfter, type QueueItem, toItemPath } from './item-fields.ts';
import { ItemPane } from './item-pane.tsx';
import { Queue, type QueueFilter } from './queue.tsx';
import '../../text/en-ai.ts';
import '../../text/en-document.ts';

const PATH = '/admin/curation';
/** Both columns have room. */
const WIDE = '(min-width: 64rem)';

export default function CurationScreen() {
  const { session } = useAdmin();
  if (!session.may('content:read')) return <NoAccess right={t('right.content:read')} />;
  return <CurationQueue />;
}

function CurationQueue() {
  const { id } = useRoute().params;
  const isMissing = useIsMissing(id && `/api/cms/curation/${encodeURIComponent(id)}`);
  const navigate = useNavigate();
  const manifest = useResource<Manifest>(MANIFEST_URL);
  const [filter, setFilter] = useState<QueueFilter>('waiting');
  const status = filter === 'waiting' ? '' : `status=${filter}`;
  const found = useMore(`/api/cms/curation?${status}`, (data: { items: QueueItem[] }) => data.items);
  useLive(['curation', 'hello'], found.reload);
  const items = found.items ?? [];
  const ids = items.map((item) => item.id);
  const at = id === undefined ? -1 : ids.indexOf(id);
  const first = ids[0];

  /** `to` is undefined once nothing is left. */
  function open(to: string | undefined): void {
    navigate(to === undefined ? PATH : toItemPath(to), true);
    focusSoon(to === undefined ? 'main h1' : '.curation-item h2');
  }

  useEffect(() => {
    if (id === undefined && first !== undefined && matchMedia(WIDE).matches) navigate(toItemPath(first), true);
  }, [id, first]);
  const step = (by: number) => (): void => {
    const to = ids[id === undefined ? 0 : at + by];
    if (to !== undefined) open(to);
  };
  useKeys({ j: step(1), k: step(-1) });
  // At the end of what is there, the keys lead on.
  const isLast = at >= 0 && at === ids.length - 1 && !found.isDone;
  useEffect(() => {
    if (isLast) found.more();
  }, [isLast, ids.length]);

  const collections = manifest.state.kind === 'ready' ? manifest.state.data.collections : [];
  const queue = <Queue {...{ items, filter, id, collections }} isDone={found.isDone} onMore={found.more} />;
  const isEmpty = found.items?.length === 0;
  if (isMissing) return <NotFound />;
  return (
    <Screen heading={t('curation.title')}>
      <NoProvider />
      <div class={`curation ${id === undefined ? '' : 'has-item'}`}>
        <div class="curation-queue">
          <label class="curation-filter">
            <span class="hidden">{t('curation.show')}</span>
            <select
              value={filter}
              onChange={({ currentTarget }) => {
                setFilter(currentTarget.value as QueueFilter);
                navigate(PATH, true);
              }}
            >
              {(['waiting', 'published', 'approved', 'rejected'] as const).map((one) => (
                <option key={one} value={one}>
                  {t(`curation.filter.${one}`)}
                </option>
              ))}
            </select>
          </label>
          {found.error !== undefined && <Failed error={found.error} onRetry={found.reload} />}
          {found.items === undefined && found.error === undefined && <Loading />}
          {found.items && queue}
          {isEmpty && (
            <div class="nothing">
              <Icon name="inbox" />
              <p>{t(filter === 'waiting' ? 'curation.empty' : 'curation.noneSuch')}</p>
            </div>
          )}
        </div>
        {id !== undefined && manifest.state.kind === 'failed' && (
          <Failed error={manifest.state.error} onRetry={manifest.refresh} />
        )}
        {id !== undefined && manifest.state.kind === 'ready' && (
          <ItemPane key={id} id={id} manifest={manifest.state.data} onDecided={() => open(nextAfter(ids, id))} />
        )}
      </div>
    </Screen>
  );
}

/** The pane of another item is there after the next frame. */
function focusSoon(selector: string, tries = 20): void {
  setTimeout(() => {
    const element = document.querySelector<HTMLElement>(selector);
    if (element) element.focus();
    else if (tries > 0) focusSoon(selector, tries - 1);
  }, 50);
}
