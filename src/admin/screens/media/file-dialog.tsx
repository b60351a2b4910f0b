// One file: what it looks like, its description, where it is used, and what can be done with it.
import { useEffect, useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { FilePicture } from '../../media/file-tile.tsx';
import { kindOf, type MediaFile, toPath, toSize } from '../../media/media-file.ts';
import { useAdmin } from '../../shell/admin.ts';
import { toExact } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { AlertDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loading } from '../../ui/states.tsx';
import { UsedIn, useReferences } from './used-in.tsx';

export interface FileDialogProps {
  /** `<folder>/<name>` */
  slug: string;
  /** The file as the list has it; undefined if it is not on the screen. */
  known: MediaFile | undefined;
  onChange(): void;
  onClose(): void;
}

export function FileDialog({ slug, known, onChange, onClose }: FileDialogProps) {
  const name = slug.split('/').at(-1) ?? slug;
  const file = useFile(slug, known);
  return (
    <Dialog title={name} class="file-dialog" onClose={onClose}>
      {file === undefined && <Loading />}
      {file === null && (
        <>
          <p role="alert">{t('media.gone')}</p>
          <div class="dialog-end">
            <button type="button" onClick={onClose}>
              {t('app.close')}
            </button>
          </div>
        </>
      )}
      {file && <FileForm key={file.url} {...{ file, onChange, onClose }} />}
    </Dialog>
  );
}

/** Undefined until it is known, null if there is no such file. */
function useFile(slug: string, known: MediaFile | undefined): MediaFile | null | undefined {
  const { request, messages } = useAdmin();
  const [file, setFile] = useState<MediaFile | null | undefined>(known);
  useEffect(() => {
    if (known) return setFile(known);
    if (file) return;
    const at = slug.lastIndexOf('/');
    const query = new URLSearchParams({ folder: slug.slice(0, Math.max(0, at)), orderBy: 'name' });
    request<{ files: readonly MediaFile[] }>('GET', `/api/media?${query}`).then(
      ({ data }) => setFile(data.files.find((one) => one.name === slug.slice(at + 1)) ?? null),
      (error) => messages.fail(toSentence(error)),
    );
  }, [slug, known]);
  return file;
}

function FileForm({ file, onChange, onClose }: { file: MediaFile } & Pick<FileDialogProps, 'onChange' | 'onClose'>) {
  const { request, messages, session } = useAdmin();
  const [alt, setAlt] = useState(file.alt);
  const [tags, setTags] = useState(file.tags.join(', '));
  const [isAsking, setAsking] = useState(false);
  const references = useReferences(file);
  const mayWrite = session.may('media:write');
  const url = `/api/media/${toPath(file)}`;

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      onChange();
    } catch (error) {
      messages.fail(toSentence(error));
    }
  }

  const save = (): Promise<void> =>
    attempt(async () => {
      await request('PATCH', url, { body: { alt, tags: toTags(tags) } });
      const undo = () =>
        attempt(async () => void (await request('PATCH', url, { body: { alt: file.alt, tags: file.tags } })));
      messages.notify(t('media.saved', { name: file.name }), () => void undo());
      onClose();
    });

  const remove = (): Promise<void> =>
    attempt(async () => {
      await request('DELETE', url);
      messages.notify(t('media.deleted', { name: file.name }));
      onClose();
    });

  const copy = (): Promise<void> =>
    attempt(async () => {
      const address = new URL(file.url, location.href).href;
      // Browsers have no clipboard for pages without TLS; then the address is there to be read.
      await navigator.clipboard?.writeText(address);
      messages.notify(navigator.clipboard ? t('media.copied') : address);
    });

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (mayWrite) void save();
      }}
    >
      <div class="file-look">
        <Look file={file} />
        <p class="help">
          {file.width && file.height ? `${file.width} × ${file.height} · ` : ''}
          {toSize(file.size)}
          {file.folder && (
            <>
              {' · '}
              <bdi>{file.folder}</bdi>
            </>
          )}
          {file.createdAt && ` · ${toExact(file.createdAt)}`}
        </p>
      </div>
      <TextField
        label={t('media.alt')}
        name="alt"
        value={alt}
        onInput={setAlt}
        required={false}
        readOnly={!mayWrite}
        autocomplete="off"
        help={kindOf(file) === 'image' ? t('media.altHelp') : undefined}
      />
      <TextField
        label={t('list.tags')}
        name="tags"
        value={tags}
        onInput={setTags}
        required={false}
        readOnly={!mayWrite}
        autocomplete="off"
        help={t('media.tagsHelp')}
      />
      <UsedIn references={references} />
      <div class="dialog-end file-actions">
        {session.may('media:delete') && (
          <button type="button" class="plain" onClick={() => setAsking(true)}>
            <Icon name="trash" />
            {t('media.delete')}
          </button>
        )}
        <button type="button" onClick={() => void copy()}>
          <Icon name="copy" />
          {t('media.copy')}
        </button>
        <button type="button" onClick={onClose}>
          {t('app.close')}
        </button>
        {mayWrite && (
          <button type="submit" class="primary">
            {t('media.save')}
          </button>
        )}
      </div>
      {isAsking && (
        <AlertDialog
          title={t('media.delete')}
          verb={t('media.delete')}
          cancel={t('app.cancel')}
          onConfirm={() => void remove()}
          onClose={() => setAsking(false)}
        >
          <p>
            {references && references.total > 0
              ? t('media.deleteUsed', { name: file.name, count: references.total })
              : t('media.deleteUnused', { name: file.name })}
          </p>
        </AlertDialog>
      )}
    </form>
  );
}

function Look({ file }: { file: MediaFile }) {
  const kind = kindOf(file);
  // biome-ignore lint/a11y/useMediaCaption: what was uploaded has none
  if (kind === 'video') return <video src={file.url} controls preload="metadata" />;
  // biome-ignore lint/a11y/useMediaCaption: what was uploaded has none
  if (kind === 'audio') return <audio src={file.url} controls preload="metadata" />;
  return (
    <a href={file.url} target="_blank" rel="noreferrer" aria-label={t('media.openFile', { name: file.name })}>
      <FilePicture file={file} sidePx={900} />
    </a>
  );
}

function toTags(text: string): string[] {
  return [...new Set(text.split(',').map((one) => one.trim()))].filter(Boolean);
}
