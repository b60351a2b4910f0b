// The library of files: put in, found again, described, and seen where it is used.
import '../../text/en-media.ts';
import '../../text/en-lists.ts';
import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useFolders } from '../../media/folders.tsx';
import { noteKnown } from '../../media/note-known.ts';
import { UploadButton } from '../../media/upload-button.tsx';
import { UploadList } from '../../media/upload-list.tsx';
import { useFileDrop } from '../../media/use-file-drop.ts';
import { useFiles } from '../../media/use-files.ts';
import { useUploads } from '../../media/use-uploads.ts';
import { useAdmin } from '../../shell/admin.ts';
import { NoAccess } from '../../shell/no-access.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useKeys } from '../../shell/use-keys.ts';
import { useLive } from '../../shell/use-live.ts';
import { useNavigate } from '../../shell/use-navigate.ts';
import { toNumber } from '../../text/reader.ts';
import { t } from '../../text/translate.ts';
import { Failures } from '../../ui/failures.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { countSelected, EVERYTHING, isSelected, NOTHING, select } from '../../ui/selection.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Crumbs } from './crumbs.tsx';
import { FileDialog } from './file-dialog.tsx';
import { listSubFolders, type MediaAddress, parseMediaAddress, slugOf, toMediaUrl } from './media-address.ts';
import { NewFolder } from './new-folder.tsx';
import { SelectionOfFiles } from './selection-of-files.tsx';
import { Tiles } from './tiles.tsx';
import { toSelected, useMany } from './use-many.ts';

export default function Media() {
  const { session } = useAdmin();
  if (!session.may('media:read')) return <NoAccess right={t('right.media:read')} />;
  return <Library />;
}

function Library() {
  const { session, messages } = useAdmin();
  const { url } = useLocation();
  const navigate = useNavigate();
  const address = parseMediaAddress(url);
  const { folder, q } = address;
  const [isNaming, setNaming] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const mayWrite = session.may('media:write');
  const subFolders = listSubFolders(useFolders(), folder);
  // Words are looked for in the whole library.
  const query = q ? { q } : { folder: folder || undefined };
  const list = useFiles(query);
  const uploads = useUploads(() => folder || undefined);
  const go = (part: Partial<MediaAddress>, isReplacing = true): void =>
    navigate(toMediaUrl({ ...parseMediaAddress(location.pathname + location.search), ...part }), isReplacing);

  async function upload(files: readonly File[]): Promise<void> {
    const done = await uploads.add(files);
    const made = noteKnown(messages, done);
    if (made.length > 0) messages.notify(t('media.uploaded', { count: made.length, name: made[0]!.name }));
    list.reload();
  }

  const isOver = useFileDrop(() => document.getElementById('content'), mayWrite ? upload : undefined);
  useLive(['media', 'hello'], list.reload);
  const { files } = list;
  const many = useMany({ query, files, onEnd: list.reload });
  const { selection, setSelection } = many;
  const count = countSelected(selection, list.total ?? 0);
  const canSelect = mayWrite || session.may('media:delete');
  const [question, setQuestion] = useState<'move' | 'tag' | 'delete'>();
  const anchor = useRef<string | undefined>(undefined);
  useKeys({ '/': () => search.current?.focus(), Escape: () => setSelection(NOTHING) });

  /** A range begins at the file that was toggled last, wherever that is now. */
  function toggle(index: number, isRange: boolean): void {
    const file = files?.[index];
    if (!files || !file) return;
    const from = files.findIndex((one) => slugOf(one) === anchor.current);
    anchor.current = slugOf(file);
    setSelection((now) => {
      if (!isRange || from < 0) return select(now, [toSelected(file)], !isSelected(now, slugOf(file)));
      return select(now, files.slice(Math.min(from, index), Math.max(from, index) + 1).map(toSelected), true);
    });
  }

  return (
    <Screen heading={t('media.title')}>
      <div class={`library ${isOver ? 'is-over' : ''}`}>
        {isOver && <p class="drop-hint">{t('media.drop')}</p>}
        <div class="library-bar">
          <SearchField label={t('media.search')} value={q} inputRef={search} onSearch={(text) => go({ q: text })} />
          {mayWrite && (
            <>
              <button type="button" onClick={() => setNaming(true)}>
                <Icon name="folder" />
                {t('media.newFolder')}
              </button>
              <UploadButton class="primary" onFiles={(chosen) => void upload(chosen)} />
            </>
          )}
        </div>
        <UploadList uploads={uploads} />
        {!q && <Crumbs folder={folder} />}
        {!q && (
          <ul class="folders" aria-label={t('media.folders')}>
            {subFolders.map(({ path, name, files: count }) => (
              <li key={path}>
                <a href={toMediaUrl({ folder: path, q: '', file: '' })}>
                  <Icon name="folder" />
                  <bdi>{name}</bdi>
                  <span class="help" aria-hidden="true">
                    {toNumber(count)}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        )}
        {list.error !== undefined && <Failed error={list.error} onRetry={list.reload} />}
        {files === undefined && list.error === undefined && <Loading lines={6} />}
        {files?.length === 0 && (
          <div class="nothing">
            <Icon name="image" />
            <p>{t(q ? 'media.noneFound' : 'media.none')}</p>
            {q ? (
              <button type="button" onClick={() => go({ q: '' })}>
                {t('media.clear')}
              </button>
            ) : (
              mayWrite && <p class="help">{t('media.dropHint')}</p>
            )}
          </div>
        )}
        <Failures
          title={t('media.failed', { count: many.failures.length })}
          failures={many.failures}
          onClose={many.forgetFailures}
        />
        {files !== undefined && (
          <Tiles
            {...{ files, address, selection, canSelect }}
            onToggle={toggle}
            onSelectAll={() => setSelection(EVERYTHING)}
            onDelete={(file) => {
              const isOne = count > 0 && session.may('media:delete') && isSelected(selection, slugOf(file));
              if (isOne) setQuestion('delete');
              else go({ file: slugOf(file) });
            }}
          />
        )}
        {files !== undefined && !list.isDone && (
          <button type="button" onClick={list.more}>
            {t('media.more')}
          </button>
        )}
        <SelectionOfFiles
          {...{ many, count, question }}
          total={list.total}
          known={[...new Set(files?.flatMap(({ tags }) => tags))]}
          onQuestion={setQuestion}
        />
      </div>
      {address.file && (
        <FileDialog
          key={address.file}
          slug={address.file}
          known={files?.find((file) => slugOf(file) === address.file)}
          onChange={list.reload}
          onClose={() => go({ file: '' })}
        />
      )}
      {isNaming && (
        <NewFolder
          parent={folder}
          onClose={() => setNaming(false)}
          onMake={(path) => {
            setNaming(false);
            go({ folder: path, q: '', file: '' }, false);
          }}
        />
      )}
    </Screen>
  );
}
