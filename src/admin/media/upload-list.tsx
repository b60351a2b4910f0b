// Files on their way: a bar each, and why those that were refused were.
import { toSentence } from '../api/sentence.ts';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';
import type { Uploads } from './uploads.ts';

export function UploadList({ uploads }: { uploads: Uploads }) {
  const running = uploads.running.value;
  if (running.length === 0) return null;
  return (
    <ul class="uploads" aria-label={t('media.uploads')}>
      {running.map(({ id, name, share, error }) => (
        <li key={id}>
          {error === undefined ? (
            <>
              <bdi class="upload-name">{name}</bdi>
              <progress aria-label={name} value={share} max={1} />
            </>
          ) : (
            <p class="upload-name error" role="alert">
              {t('media.uploadFailed', { name, reason: toSentence(error) })}
            </p>
          )}
          <button
            type="button"
            class="plain"
            aria-label={t(error === undefined ? 'media.cancelUpload' : 'media.dismissUpload', { name })}
            onClick={() => uploads.remove(id)}
          >
            <Icon name="x" />
          </button>
        </li>
      ))}
    </ul>
  );
}
