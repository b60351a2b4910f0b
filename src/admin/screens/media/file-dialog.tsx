// One file: what it looks like, its description, where it is used, and what can be done with it.
import { useEffect, useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { FilePicture } from '../../media/file-tile.tsx';
import { kindOf, type MediaFile, toLasting, toSize } from '../../media/media-file.ts';
import { useAdmin } from '../../shell/admin.ts';
import { toExact } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { AlertDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loading } from '../../ui/states.tsx';
import { useFileActions } from './file-actions.ts';
import { MoveFile } from './move-file.tsx';
import { ReplaceButton, ReplaceProgress, useReplace } from './replace-file.tsx';
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
  const [file, setFile] = useFile(slug, known);
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
      {file && <FileForm key={file.url} {...{ file, onChange, onClose }} onReplaced={setFile} />}
    </Dialog>
  );
}

/** Undefined until it is known, null if there is no such file. */
function useFile(
  slug: string,
  known: MediaFile | undefined,
): [file: MediaFile | null | undefined, set: (file: MediaFile) => void] {
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
  return [file, setFile];
}

interface FileFormProps extends Pick<FileDialogProps, 'onChange' | 'onClose'> {
  file: MediaFile;
  onReplaced(file: MediaFile): void;
}

function FileForm({ file, onChange, onClose, onReplaced }: FileFormProps) {
  const { messages, session } = useAdmin();
  const [alt, setAlt] = useState(file.alt);
  const [tags, setTags] = useState(file.tags.join(', '));
  const [open, setOpen] = useState<'delete' | 'move'>();
  const references = useReferences(file);
  const mayWrite = session.may('media:write');
  const { save, move, remove, copy } = useFileActions({ file, alt, tags: toTags(tags), onChange, onClose });
  const replacing = useReplace(file, (replaced) => {
    messages.notify(t('media.replaced', { name: file.name }));
    onReplaced(replaced);
    onChange();
  });

  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (mayWrite) void save();
        }}
      >
        <div class="file-look">
          <Look key={file.sha256} file={file} />
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
        <ReplaceProgress file={file} replacing={replacing} />
        <div class="dialog-end file-actions">
          {session.may('media:delete') && (
            <button type="button" class="plain" onClick={() => setOpen('delete')}>
              <Icon name="trash" />
              {t('media.delete')}
            </button>
          )}
          {mayWrite && (
            <>
              <button type="button" onClick={() => setOpen('move')}>
                <Icon name="folder" />
                {t('media.move')}
              </button>
              <ReplaceButton file={file} replacing={replacing} />
            </>
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
      </form>
      {open === 'delete' && (
        <AlertDialog
          title={t('media.delete')}
          verb={t('media.delete')}
          cancel={t('app.cancel')}
          onConfirm={() => void remove()}
          onClose={() => setOpen(undefined)}
        >
          <p>
            {references && references.total > 0
              ? t('media.deleteUsed', { name: file.name, count: references.total })
              : t('media.deleteUnused', { name: file.name })}
          </p>
        </AlertDialog>
      )}
      {open === 'move' && <MoveFile {...{ file, references }} onMove={move} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function Look({ file }: { file: MediaFile }) {
  const kind = kindOf(file);
  // biome-ignore lint/a11y/useMediaCaption: what was uploaded has none
  if (kind === 'video') return <video src={toLasting(file)} controls preload="metadata" />;
  // biome-ignore lint/a11y/useMediaCaption: what was uploaded has none
  if (kind === 'audio') return <audio src={toLasting(file)} controls preload="metadata" />;
  return (
    <a href={toLasting(file)} target="_blank" rel="noreferrer" aria-label={t('media.openFile', { name: file.name })}>
      <FilePicture file={file} sidePx={900} />
    </a>
  );
}

function toTags(text: string): string[] {
  return [...new Set(text.split(',').map((one) => one.trim()))].filter(Boolean);
}
