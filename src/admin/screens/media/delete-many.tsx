// The question before many files are deleted, with those that documents use as long as they are few enough to ask about.
import { useEffect, useState } from 'preact/hooks';
import { type MediaFile, toPath } from '../../media/media-file.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { AlertDialog } from '../../ui/dialog.tsx';
import type { FileReferences } from './used-in.tsx';

export interface DeleteManyProps {
  count: number;
  /** Undefined if they are known by their query only. */
  files: readonly MediaFile[] | undefined;
  onDelete(): void;
  onClose(): void;
}

const MOST_ASKED = 30;

export function DeleteMany({ count, files, onDelete, onClose }: DeleteManyProps) {
  const asked = files && files.length <= MOST_ASKED ? files : undefined;
  const used = useUsed(asked);
  return (
    <AlertDialog
      title={t('media.delete')}
      verb={t('media.delete')}
      cancel={t('app.cancel')}
      onConfirm={onDelete}
      onClose={onClose}
    >
      <p>{t('many.deleteText', { count })}</p>
      {asked === undefined && <p>{t('many.deleteUnknown')}</p>}
      {asked !== undefined && (
        <div aria-live="polite" aria-busy={used === undefined}>
          {used === undefined && <p class="help">{t('many.asking')}</p>}
          {used?.length === 0 && <p>{t('many.unused')}</p>}
          {!!used?.length && (
            <>
              <p>{t('many.used')}</p>
              <ul class="used-files">
                {used.map(({ file, total }) => (
                  <li key={file.url}>
                    <bdi>{file.name}</bdi> <span class="help">{t('media.usedIn.count', { count: total })}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </AlertDialog>
  );
}

interface UsedFile {
  file: MediaFile;
  total: number;
}

/** Undefined until it is known, and if it cannot be. */
function useUsed(files: readonly MediaFile[] | undefined): readonly UsedFile[] | undefined {
  const { request } = useAdmin();
  const [used, setUsed] = useState<readonly UsedFile[]>();
  useEffect(() => {
    if (!files) return undefined;
    const stop = new AbortController();
    async function ask(of: readonly MediaFile[]): Promise<UsedFile[]> {
      const found: UsedFile[] = [];
      for (const file of of) {
        const url = `/api/media/${toPath(file)}/references?limit=1`;
        const { data } = await request<FileReferences>('GET', url, { signal: stop.signal });
        if (data.total > 0) found.push({ file, total: data.total });
      }
      return found;
    }
    ask(files).then(setUsed, () => {
      // The question can be answered without it.
    });
    return () => stop.abort();
  }, []);
  return used;
}
