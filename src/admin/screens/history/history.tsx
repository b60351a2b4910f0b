// What changed in a document, by whom and when; and the way back to a version.

import '../../text/en-document.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { isMissing } from '../../api/failure.ts';
import { toSentence } from '../../api/sentence.ts';
import { toDocumentPath } from '../../config/document-path.ts';
import { labelOfKey } from '../../config/key-label.ts';
import { type CollectionInfo, MANIFEST_URL, type Manifest, titleOf } from '../../config/manifest.ts';
import type { StoredDocument } from '../../document/stored-document.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { FailedScreen } from '../../shell/failed-screen.tsx';
import { LoadingScreen } from '../../shell/loading-screen.tsx';
import { NoAccess } from '../../shell/no-access.tsx';
import { NotFound, Screen } from '../../shell/screen.tsx';
import { Time } from '../../shell/time.tsx';
import { useKeys } from '../../shell/use-keys.ts';
import { useNavigate } from '../../shell/use-navigate.ts';
import { toExact } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Empty, Loaded, Loading } from '../../ui/states.tsx';
import { toEventText } from '../dashboard/event-text.ts';
import { Changes } from './changes.tsx';

export interface DocumentVersion {
  commit: string;
  event: string;
  author: { name: string };
  date: string;
  fields: readonly string[];
}

const PAGE = 50;

export default function HistoryScreen() {
  const { session } = useAdmin();
  if (!session.may('content:read')) return <NoAccess right={t('right.content:read')} />;
  return <KnownHistory />;
}

function KnownHistory() {
  const { params } = useRoute();
  const { collection: name = '', slug = '', commit } = params;
  const manifest = useResource<Manifest>(MANIFEST_URL);
  const url = `/api/cms/${name}/${encodeURIComponent(slug)}`;
  const [limit, setLimit] = useState(PAGE);
  const document = useResource<StoredDocument>(url);
  const history = useResource<{ entries: readonly DocumentVersion[]; total: number }>(`${url}/history?limit=${limit}`);
  if (manifest.state.kind === 'failed') return <FailedScreen error={manifest.state.error} onRetry={manifest.refresh} />;
  if (document.state.kind === 'failed') {
    const { error } = document.state;
    if (isMissing(error)) return <NotFound />;
    return <FailedScreen error={error} onRetry={document.refresh} />;
  }
  if (manifest.state.kind === 'loading' || document.state.kind === 'loading') return <LoadingScreen heading={slug} />;
  const collection = manifest.state.data.collections.find((one) => one.name === name);
  if (!collection) return <NotFound />;
  const { data } = document.state;
  const path = toDocumentPath(name, slug);
  return (
    <Screen heading={titleOf(data.data, data.slug, collection)}>
      <Loaded state={history.state} onRetry={history.refresh}>
        {({ entries, total }) => {
          const shown = { collection, path, url, entries };
          const isFurtherBack = !entries.some((one) => one.commit === commit) && total > entries.length;
          if (commit !== undefined && isFurtherBack) return <LoadMore onMore={() => setLimit(total)} />;
          if (commit !== undefined) return <OneVersion key={commit} {...shown} commit={commit} />;
          return (
            <>
              <p>
                <a href={path}>{t('history.back')}</a>
              </p>
              {entries.length === 0 && <Empty>{t('history.none')}</Empty>}
              <Versions {...shown} />
              {total > entries.length && (
                <button type="button" onClick={() => setLimit(limit + PAGE)}>
                  {t('history.more')}
                </button>
              )}
            </>
          );
        }}
      </Loaded>
    </Screen>
  );
}

/** An address may name any version, however old. */
function LoadMore({ onMore }: { onMore(): void }) {
  useEffect(onMore, []);
  return <Loading lines={8} />;
}

interface Shown {
  collection: CollectionInfo;
  /** The editor of the document. */
  path: string;
  /** The document in the API. */
  url: string;
  entries: readonly DocumentVersion[];
}

function Versions({ collection, path, url, entries }: Shown) {
  const { session } = useAdmin();
  const restore = useRestore(path, url, entries);
  const [open, setOpen] = useState<string>();
  const list = useRef<HTMLOListElement>(null);
  /** Shows the next one in place of the one that is open. */
  const step = (by: number): void => {
    const at = entries.findIndex(({ commit }) => commit === open);
    const next = entries[Math.max(0, at + by)];
    if (!next) return;
    setOpen(next.commit);
    list.current?.children[Math.max(0, at + by)]?.querySelector('button')?.focus();
  };
  useKeys({ '[': () => step(1), ']': () => step(-1) });
  return (
    <ol class="rows versions" ref={list} aria-label={t('history.versions')}>
      {entries.map((version, index) => {
        const isOpen = open === version.commit;
        return (
          <li key={version.commit}>
            <span class="version-head">
              <a href={`${path}/history/${version.commit}`}>
                {version.author.name} {toEventText(version.event)}
              </a>
              <span class="help">
                <Time at={version.date} />
                {version.fields.length > 0 &&
                  ` · ${version.fields.map((name) => labelOfKey(name, collection)).join(', ')}`}
                {index === 0 && ` · ${t('history.current')}`}
              </span>
              <button type="button" aria-expanded={isOpen} onClick={() => setOpen(isOpen ? undefined : version.commit)}>
                {t(isOpen ? 'history.hide' : 'history.show')}
              </button>
            </span>
            {isOpen && <Changes {...{ collection, url }} to={version.commit} from={entries[index + 1]?.commit} />}
            {isOpen && index > 0 && session.may('content:write') && (
              <button type="button" onClick={() => void restore(version)}>
                {t('history.restore')}
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function OneVersion({ collection, path, url, entries, commit }: Shown & { commit: string }) {
  const { session } = useAdmin();
  const restore = useRestore(path, url, entries);
  const at = entries.findIndex((one) => one.commit === commit);
  const version = entries[at];
  const stepTo = (entry: DocumentVersion | undefined) => entry && `${path}/history/${entry.commit}`;
  const [newer, older] = [stepTo(entries[at - 1]), stepTo(entries[at + 1])];
  const navigate = useNavigate();
  useKeys({ ...(older && { '[': () => navigate(older) }), ...(newer && { ']': () => navigate(newer) }) });
  if (!version) return <NotFoundVersion path={path} />;
  return (
    <>
      <p class="buttons">
        <a class="button" href={`${path}/history`}>
          {t('history.list')}
        </a>
        {older && (
          <a class="button" href={older} aria-keyshortcuts="[">
            {t('history.older')}
          </a>
        )}
        {newer && (
          <a class="button" href={newer} aria-keyshortcuts="]">
            {t('history.newer')}
          </a>
        )}
        {session.may('content:write') && at > 0 && (
          <button type="button" class="primary" onClick={() => void restore(version)}>
            {t('history.restore')}
          </button>
        )}
      </p>
      <h2>{t('history.version', { when: toExact(version.date), who: version.author.name })}</h2>
      <Changes {...{ collection, url }} to={version.commit} from={entries[at + 1]?.commit} />
    </>
  );
}

function useRestore(path: string, url: string, entries: readonly DocumentVersion[]) {
  const { request, messages } = useAdmin();
  const navigate = useNavigate();
  const back = async (commit: string | undefined): Promise<boolean> => {
    try {
      await request('POST', `${url}/restore`, { body: { commit } });
      return true;
    } catch (error) {
      messages.fail(toSentence(error));
      return false;
    }
  };
  return async ({ commit, date }: DocumentVersion): Promise<void> => {
    const before = entries[0]?.commit;
    if (!(await back(commit))) return;
    navigate(path);
    messages.notify(t('done.versionRestored', { when: toExact(date) }), () => void back(before));
  };
}

function NotFoundVersion({ path }: { path: string }) {
  return (
    <>
      <p>{t('state.notFoundText')}</p>
      <p>
        <a href={`${path}/history`}>{t('history.list')}</a>
      </p>
    </>
  );
}
