// One item of the queue: what it would change and why, and the decision.

import { useEffect, useState } from 'preact/hooks';
import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import { ApiError, OfflineError } from '../../api/client.ts';
import { isMissing } from '../../api/failure.ts';
import type { Manifest } from '../../config/manifest.ts';
import type { StoredDocument } from '../../document/stored-document.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { useFresh } from '../../shell/use-fresh.ts';
import { useLive } from '../../shell/use-live.ts';
import { t } from '../../text/translate.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Decided } from './decided.tsx';
import { DecisionBar } from './decision-bar.tsx';
import { FieldList } from './field-list.tsx';
import { chosenOf, type FieldValues, isDecided, type QueueItem, toItemFields } from './item-fields.ts';
import { ItemHead } from './item-head.tsx';
import { useChoice, useKeptEdit } from './use-choice.ts';

/** The controls of all types of fields come when one edits. */
const EditItem = lazy(() => import('./edit-item.tsx').then((module) => module.EditItem));

export interface ItemPaneProps {
  id: string;
  manifest: Manifest;
  /** The person has decided about it. */
  onDecided(): void;
}

export function ItemPane({ id, manifest, onDecided }: ItemPaneProps) {
  const url = `/api/cms/curation/${encodeURIComponent(id)}`;
  const { resources } = useAdmin();
  const { state, refresh } = useFresh<QueueItem>(url);
  if (state.kind === 'failed') {
    const isUnknown = isMissing(state.error);
    return (
      <section class="curation-item">
        <BackLink />
        {isUnknown ? <p>{t('curation.unknown')}</p> : <Failed error={state.error} onRetry={refresh} />}
      </section>
    );
  }
  if (state.kind === 'loading') return <Loading lines={8} />;
  return (
    <KnownItem item={state.data} etag={resources.get(url).etag} {...{ manifest, url, onDecided }} onChanged={refresh} />
  );
}

function BackLink() {
  return (
    <p class="curation-back">
      <a href="/admin/curation">{t('curation.back')}</a>
    </p>
  );
}

interface KnownItemProps {
  item: QueueItem;
  /** The version of the item. */
  etag: string | undefined;
  manifest: Manifest;
  url: string;
  onDecided(): void;
  onChanged(): void;
}

function KnownItem({ item, etag, manifest, url, onDecided, onChanged }: KnownItemProps) {
  const collection = manifest.collections.find(({ name }) => name === item.collection);
  const now = useDocument(item);
  const { alternative, without, toggle, choose, forget } = useChoice(item);
  const isOpen = !isDecided(item);
  const typed = useKeptEdit(item);
  // What was typed here before is not decided about without it.
  const [isEditing, setEditing] = useState(() => isOpen && typed.read() !== null);
  const fields = toItemFields(item, alternative, { document: now.data, locked: now.locked }, collection);

  return (
    <section class="curation-item" aria-labelledby="item-title">
      <BackLink />
      <ItemHead {...{ item, collection }} document={now.document} />
      {now.isGone && isOpen && (
        <div class="problem" role="alert">
          <p>{t('curation.gone')}</p>
          <a href="/admin/trash">{t('trash.title')}</a>
        </div>
      )}
      {!isOpen && <Decided {...{ item, url, onChanged }} />}
      {isOpen && !isEditing && (
        <DecisionBar
          {...{ item, etag, url, collection, fields, without, alternative, onChanged }}
          onDecided={() => {
            forget();
            onDecided();
          }}
          document={now.document}
          isGone={now.isGone}
          onEdit={() => setEditing(true)}
        />
      )}
      {isEditing && collection ? (
        <ErrorBoundary>
          <EditItem
            {...{ item, etag, url, manifest, collection }}
            document={now.data}
            values={chosenOf(item, alternative)}
            kept={typed}
            names={fields.map(({ name }) => name)}
            onClose={() => {
              setEditing(false);
              document.getElementById('item-title')?.focus();
            }}
            onSaved={() => {
              choose(undefined);
              onChanged();
            }}
            onReopen={() => setEditing(true)}
          />
        </ErrorBoundary>
      ) : (
        <>
          <Alternatives {...{ item, alternative }} onChoose={choose} />
          <FieldList {...{ item, fields, without }} onToggle={isOpen ? toggle : undefined} />
        </>
      )}
    </section>
  );
}

interface DocumentNow {
  document: StoredDocument | undefined;
  data: FieldValues | undefined;
  locked: ReadonlySet<string>;
  isGone: boolean;
}

const NOTHING_LOCKED: ReadonlySet<string> = new Set();

/** The document that the item changes, as it is now, and which of its fields are locked. */
function useDocument(item: QueueItem): DocumentNow {
  const { resources } = useAdmin();
  const name = encodeURIComponent(item.collection);
  const id = isDecided(item) ? null : item.documentId;
  const { document, isGone } = useStored(`/api/cms/${name}/${id}`, id);
  const meta = `/api/content/${name}/`;
  const locks = useResource<Record<string, { lockedBy?: string }>>(
    document && !isGone ? `${meta}${encodeURIComponent(document.slug)}/_fieldMeta` : undefined,
  ).state;
  useLive(['change'], () => resources.refresh(meta));
  const locked =
    locks.kind === 'ready'
      ? new Set(Object.entries(locks.data).flatMap(([field, { lockedBy }]) => (lockedBy ? [field] : [])))
      : NOTHING_LOCKED;
  return { document, data: document?.data, locked, isGone };
}

interface FoundDocument {
  /** As it was read last. */
  document: StoredDocument | undefined;
  isGone: boolean;
}

/** A resource keeps what was loaded when its document is deleted; here that has to be known. `id` is null for nothing. */
function useStored(url: string, id: string | null): FoundDocument {
  const { request, live } = useAdmin();
  const [found, setFound] = useState<FoundDocument>({ document: undefined, isGone: false });

  async function read(): Promise<void> {
    try {
      const { data } = await request<StoredDocument>('GET', url);
      setFound({ document: data, isGone: false });
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof OfflineError)) throw error;
      // Without an answer the item is compared with what the model saw, and the service checks it again.
      if (isMissing(error)) setFound((before) => ({ ...before, isGone: true }));
    }
  }

  useEffect(() => {
    if (id === null) return undefined;
    void read();
    return live.listen(({ event, data }) => {
      if (event === 'hello' || (event === 'change' && (data as { id?: string }).id === id)) void read();
    });
  }, [id]);
  return found;
}

interface AlternativesProps {
  item: QueueItem;
  alternative: number | undefined;
  onChoose(at: number | undefined): void;
}

function Alternatives({ item, alternative, onChoose }: AlternativesProps) {
  if (item.alternatives.length === 0) return null;
  const offered = [undefined, ...item.alternatives.keys()];
  return (
    <fieldset class="alternatives">
      <legend>{t('curation.alternatives')}</legend>
      {offered.map((at) => (
        <label class="tick" key={at ?? 'own'}>
          <input type="radio" name="alternative" checked={at === alternative} onChange={() => onChoose(at)} />
          {at === undefined ? t('curation.first') : t('curation.alternative', { count: at + 2 })}
        </label>
      ))}
    </fieldset>
  );
}
