// One's unfinished work: what is unsaved on this device, and the drafts that one wrote in last.

import { useEffect, useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { toDocumentPath } from '../../config/document-path.ts';
import { MANIFEST_URL, type Manifest } from '../../config/manifest.ts';
import type { KeptDraft } from '../../document/kept-draft.ts';
import { draftPrefixOf, draftStore } from '../../document/own-drafts.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { Time } from '../../shell/time.tsx';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/states.tsx';
import type { RecentChange } from './event-text.ts';
import { type OwnWork, toOwnWork } from './own-work.ts';

const MOST = 10;
const CHANGES = '/api/cms/changes?order=desc&limit=100';

export function Drafts() {
  const admin = useAdmin();
  const [kept, setKept] = useState<readonly { key: string; draft: KeptDraft }[]>([]);
  useEffect(() => {
    draftStore()
      .list(draftPrefixOf(admin))
      .then(setKept, (error) => admin.messages.fail(toSentence(error)));
  }, []);
  const written = useWritten();
  const unsaved = kept.map(({ draft: { collection, slug } }) => `${collection}/${slug ?? ''}`);
  const others = written.filter(({ collection, slug }) => !unsaved.includes(`${collection}/${slug}`));
  return (
    <Card title={t('dashboard.drafts')} icon="pencil">
      {kept.length + others.length === 0 ? (
        <Empty>{t('dashboard.noDrafts')}</Empty>
      ) : (
        <ul class="rows">
          {kept.slice(0, MOST).map(({ key, draft: { title, collection, place, at } }) => (
            <li key={key}>
              <a class="row-title" href={`/admin/content/${collection}/${place}`}>
                <bdi>{title}</bdi>
              </a>
              <span class="help">
                {t('dashboard.unsaved')} · <Time at={at} />
              </span>
            </li>
          ))}
          {others.slice(0, MOST - Math.min(MOST, kept.length)).map(({ collection, slug, title, at }) => (
            <li key={`${collection}/${slug}`}>
              <a class="row-title" href={toDocumentPath(collection, slug)}>
                <bdi>{title}</bdi>
              </a>
              <span class="help">
                {t('status.draft')} · <Time at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Nothing until it is known, and for those who may not read. */
function useWritten(): readonly OwnWork[] {
  const { request, session } = useAdmin();
  const mayRead = session.may('content:read') && session.may('content:draft');
  const profile = session.state.value;
  const own = profile.kind === 'signed-in' ? profile.profile.user.id : '';
  const changes = useResource<{ changes: readonly RecentChange[] }>(mayRead ? CHANGES : undefined).state;
  const manifest = useResource<Manifest>(MANIFEST_URL).state;
  const [written, setWritten] = useState<readonly OwnWork[]>([]);
  const recent = changes.kind === 'ready' ? changes.data.changes : undefined;
  const collections = manifest.kind === 'ready' ? manifest.data.collections : undefined;
  useEffect(() => {
    if (!recent || !collections) return undefined;
    const stop = new AbortController();
    toOwnWork({ changes: recent, own, collections, request, signal: stop.signal }).then(setWritten, () => {
      // The other cards say what is wrong.
    });
    return () => stop.abort();
  }, [recent, collections, own]);
  return written;
}
