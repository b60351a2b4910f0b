// The questions that actions of a document ask: when, under which slug, and whether really.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type CollectionInfo, titleOf } from '../../config/manifest.ts';
import type { OpenDocument } from '../../document/open-document.ts';
import type { StoredDocument } from '../../document/stored-document.ts';
import { fromLocal, toLocal, toZoned } from '../../document/time-zone.ts';
import { useResource } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { AlertDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import type { Actions } from './actions.ts';
import type { OpenDialog } from './open-dialog.ts';

export interface DocumentDialogsProps {
  document: OpenDocument;
  collection: CollectionInfo;
  actions: Actions;
}

export default function DocumentDialogs({ document, collection, actions }: DocumentDialogsProps) {
  const open = actions.dialog.value;
  const stored = document.latest.value?.document;
  if (!open) return null;
  if (open.kind === 'schedule') return <ScheduleDialog stored={stored} actions={actions} />;
  if (!stored) return null;
  if (open.kind === 'rename') return <RenameDialog stored={stored} actions={actions} />;
  return <DeleteDialog {...{ open, actions, collection, stored }} />;
}

interface DialogParts {
  stored: StoredDocument;
  actions: Actions;
}

interface ScheduleParts {
  /** Undefined for a new document. */
  stored: StoredDocument | undefined;
  actions: Actions;
}

function ScheduleDialog({ stored, actions }: ScheduleParts) {
  const { state } = useResource<{ timezone: string }>(
    '/api/cms/scheduled?from=2000-01-01T00:00:00Z&to=2000-01-02T00:00:00Z',
  );
  const close = (): void => {
    actions.dialog.value = undefined;
  };
  return (
    <Dialog title={t('schedule.title')} onClose={close}>
      {state.kind === 'ready' && <ScheduleForm {...{ stored, actions }} zone={state.data.timezone} onClose={close} />}
    </Dialog>
  );
}

interface Moments {
  publishAt: string | null;
  unpublishAt: string | null;
}

function ScheduleForm({ stored, actions, zone, onClose }: ScheduleParts & { zone: string; onClose(): void }) {
  const [publishAt, setPublishAt] = useState(stored?.publishAt ? toLocal(stored.publishAt, zone) : '');
  const [unpublishAt, setUnpublishAt] = useState(stored?.unpublishAt ? toLocal(stored.unpublishAt, zone) : '');
  const first = useRef<HTMLInputElement>(null);
  // The dialog opened before the time zone was known, with nothing in it to take the focus.
  useEffect(() => first.current?.focus(), []);
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isPublished = stored?.status === 'published';
  const moments = {
    publishAt: isPublished ? null : toMoment(publishAt, zone),
    unpublishAt: toMoment(unpublishAt, zone),
  };
  const isWrongOrder = !!moments.publishAt && !!moments.unpublishAt && moments.publishAt >= moments.unpublishAt;
  const isGap = moments.publishAt === undefined || moments.unpublishAt === undefined;
  const noteOf = (at: string | null | undefined): string | undefined => {
    if (at === undefined) return t('schedule.gap');
    return at !== null && own !== zone ? t('schedule.own', { when: toZoned(at, own) }) : undefined;
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isWrongOrder || isGap) return;
        actions.schedule(moments as Moments);
      }}
    >
      <p class="help">{t('schedule.zone', { zone })}</p>
      {isPublished ? (
        <p class="note">{t('schedule.isPublished')}</p>
      ) : (
        <TextField
          label={t('schedule.publishAt')}
          name="publishAt"
          type="datetime-local"
          value={publishAt}
          inputRef={first}
          onInput={setPublishAt}
          required={false}
          help={noteOf(moments.publishAt)}
        />
      )}
      <TextField
        label={t('schedule.unpublishAt')}
        name="unpublishAt"
        type="datetime-local"
        value={unpublishAt}
        {...(isPublished ? { inputRef: first } : {})}
        onInput={setUnpublishAt}
        required={false}
        help={noteOf(moments.unpublishAt)}
        error={isWrongOrder ? t('schedule.order') : undefined}
      />
      <div class="buttons">
        <button type="submit" class="primary">
          {t('schedule.save')}
        </button>
        {(stored?.publishAt || stored?.unpublishAt) && (
          <button type="button" onClick={() => actions.schedule({ publishAt: null, unpublishAt: null })}>
            {t('schedule.clear')}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {t('document.cancel')}
        </button>
      </div>
    </form>
  );
}

/** Null for none, undefined for one that does not exist. */
function toMoment(local: string, zone: string): string | null | undefined {
  return local === '' ? null : fromLocal(local, zone);
}

function RenameDialog({ stored, actions }: DialogParts) {
  const [slug, setSlug] = useState(stored.slug);
  const [withReferences, setWithReferences] = useState(true);
  const close = (): void => {
    actions.dialog.value = undefined;
  };
  return (
    <Dialog title={t('rename.title')} onClose={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (slug !== stored.slug) void actions.rename(slug.trim(), withReferences);
          else close();
        }}
      >
        <TextField label={t('rename.slug')} name="slug" value={slug} onInput={setSlug} />
        <label class="tick">
          <input
            type="checkbox"
            checked={withReferences}
            onChange={(event) => setWithReferences(event.currentTarget.checked)}
          />
          {t('rename.references')}
        </label>
        <div class="buttons">
          <button type="submit" class="primary">
            {t('rename.submit')}
          </button>
          <button type="button" onClick={close}>
            {t('document.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface DeleteDialogProps extends DialogParts {
  open: OpenDialog & { kind: 'delete' };
  collection: CollectionInfo;
}

function DeleteDialog({ open, actions, collection, stored }: DeleteDialogProps) {
  const close = (): void => {
    actions.dialog.value = undefined;
  };
  return (
    <AlertDialog
      title={t('delete.title')}
      verb={t('document.delete')}
      cancel={t('document.cancel')}
      onConfirm={() => void actions.deleteReferenced()}
      onClose={close}
    >
      <p>
        <strong>{titleOf(stored.data, stored.slug, collection)}</strong>
      </p>
      <p>{t('delete.used', { count: open.total })}</p>
      <ul>
        {open.references.map((one) => (
          <li key={`${one.collection}/${one.slug}/${one.field}`}>{one.title || one.slug}</li>
        ))}
      </ul>
    </AlertDialog>
  );
}
