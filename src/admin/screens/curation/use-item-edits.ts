// What a person changes in an item: kept in the tab, and saved onto what others changed in it meanwhile.
import { type Signal, useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { ApiError, isMoved } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import {
  afterSaving,
  type Conflict,
  type Edits,
  type FieldEdit,
  findConflicts,
  resolveConflicts,
} from '../../document/edits.ts';
import { isEqual } from '../../document/is-equal.ts';
import { dataKey, type EditKey, fieldNameOf, readKey } from '../../document/stored-document.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import type { EditItemProps } from './edit-item.tsx';
import { type FieldValues, pickFields, type QueueItem } from './item-fields.ts';

export interface ItemEdits {
  readonly edits: Signal<Edits>;
  change(next: Edits): void;
  /** There is more than the alternative that was chosen. */
  isTyped: boolean;
  /** They are saved, or thrown away. */
  forget(): void;
}

export function useItemEdits({ item, values, kept }: Pick<EditItemProps, 'item' | 'values' | 'kept'>): ItemEdits {
  const [first] = useState(() => toEdits(item, values));
  const edits = useSignal<Edits>(readKept(kept.read()) ?? first);
  return {
    edits,
    change(next) {
      edits.value = next;
      kept.keep(next.size === 0 ? '' : JSON.stringify([...next]));
    },
    isTyped: !isEqual([...edits.value], [...first]),
    forget: () => kept.keep(''),
  };
}

function readKept(text: string | null): Edits | undefined {
  return text === null || text === '' ? undefined : new Map(JSON.parse(text) as [EditKey, FieldEdit][]);
}

/** What makes the values of an alternative the item's own. */
function toEdits(item: QueueItem, values: FieldValues): Edits {
  const edits = new Map<EditKey, FieldEdit>();
  for (const [name, value] of Object.entries(values)) {
    const key = dataKey(name);
    const base = readKey(item, key);
    if (!isEqual(value, base)) edits.set(key, { base, value });
  }
  return edits;
}

export interface ItemSaving {
  isBusy: boolean;
  /** By key: why the service refused a value. */
  refused: Signal<ReadonlyMap<string, string>>;
  /** What another person changed in the item as well, while it is asked about. */
  conflicts: readonly Conflict[] | undefined;
  save(): Promise<void>;
  decide(chosen: ReadonlyMap<EditKey, unknown>): void;
  postpone(): void;
}

interface ItemVersion {
  item: QueueItem;
  etag: string | undefined;
}

export function useItemSaving(props: EditItemProps, { edits, change, forget }: Omit<ItemEdits, 'isTyped'>): ItemSaving {
  const { url, onClose, onSaved } = props;
  const { request, resources, messages } = useAdmin();
  const [isBusy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);
  // What the person saw beside the proposal when the form was opened; what changes in it later was not seen.
  const [seen] = useState(props.document);
  const refused = useSignal<ReadonlyMap<string, string>>(new Map());
  const open = isAsked ? findConflicts(edits.value, props.item) : [];

  async function send(mine: Edits, { item, etag }: ItemVersion): Promise<void> {
    if (findConflicts(mine, item).length > 0) return setAsked(true);
    setAsked(false);
    if (mine.size === 0) return close();
    const fields = toFields(mine);
    const base = seen ? pickFields(seen, Object.keys(fields)) : pickFields(item.base, Object.keys(fields));
    const headers: Record<string, string> = etag === undefined ? {} : { 'If-Match': etag };
    let saved: QueueItem;
    try {
      saved = (await request<QueueItem>('PATCH', url, { body: { fields, base, status: 'in_review' }, headers })).data;
    } catch (error) {
      if (!isMoved(error)) throw error;
      const { data, etag: present } = await request<QueueItem>('GET', url);
      await resources.get(url).refresh();
      return send(mine, { item: data, etag: present });
    }
    messages.notify(t('curation.saved'));
    // A decision at once is about what was saved.
    await resources.get(url).refresh();
    const left = afterSaving(edits.value, mine, saved);
    if (left.size > 0) return change(left);
    onSaved();
    close();
  }

  function close(): void {
    forget();
    onClose();
  }

  async function save(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    try {
      await send(edits.value, props);
    } catch (error) {
      if (error instanceof ApiError) {
        refused.value = new Map(error.details.map(({ path, message }) => [toPath(path), message]));
      }
      messages.fail(toSentence(error));
    } finally {
      setBusy(false);
    }
  }

  return {
    ...{ isBusy, refused },
    conflicts: open.length > 0 ? open : undefined,
    save,
    decide(chosen) {
      change(resolveConflicts(edits.value, props.item, chosen));
      void save();
    },
    postpone: () => setAsked(false),
  };
}

/** A value that was taken away is null in an item. */
function toFields(edits: Edits): FieldValues {
  return Object.fromEntries([...edits].map(([key, { value }]) => [String(fieldNameOf(key)), value ?? null]));
}

/** The service names values as `body` or `data.items[2].name`. */
function toPath(path: string): string {
  const plain = path.replace(/\[(\d+)\]/g, '.$1').replace(/^fields\./, '');
  return plain.startsWith('data.') ? plain : dataKey(plain);
}
