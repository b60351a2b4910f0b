// The folders of the library, to choose one.
import { useResource } from '../shell/admin.ts';
import { t } from '../text/translate.ts';
import type { FolderInfo } from './media-file.ts';

export const FOLDERS_URL = '/api/media/folders';

export function useFolders(): readonly FolderInfo[] {
  const { state } = useResource<{ folders: readonly FolderInfo[] }>(FOLDERS_URL);
  return state.kind === 'ready' ? state.data.folders : [];
}

/** Nothing while there is no choice. */
export function FolderChoice({ folder, onChoose }: { folder: string; onChoose(folder: string): void }) {
  const folders = useFolders().filter((one) => one.folder !== '');
  if (folders.length < 2) return null;
  return (
    <select
      aria-label={t('media.folder')}
      value={folder}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      <option value="">{t('media.allFolders')}</option>
      {folders.map(({ folder: path }) => (
        <option key={path} value={path}>
          {path}
        </option>
      ))}
    </select>
  );
}
