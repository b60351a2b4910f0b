// New bytes for a file, at the same address: a button, and while they are on their way a bar.
import { useEffect, useRef, useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { kindOf, type MediaFile, toAccept } from '../../media/media-file.ts';
import { replaceFile } from '../../media/upload.ts';
import { UploadButton } from '../../media/upload-button.tsx';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';

export interface Replacing {
  /** From 0 to 1 while it runs. */
  share: number | undefined;
  error: unknown;
  send(bytes: File): void;
  cancel(): void;
}

/** It is cancelled when its component goes. */
export function useReplace(file: MediaFile, onDone: (file: MediaFile) => void): Replacing {
  const { site, request } = useAdmin();
  const [share, setShare] = useState<number | undefined>();
  const [error, setError] = useState<unknown>();
  const stop = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  async function send(bytes: File): Promise<void> {
    const own = new AbortController();
    stop.current = own;
    setError(undefined);
    setShare(0);
    try {
      const signInAgain = () => request('GET', '/api/admin/profile');
      onDone(await replaceFile(file, bytes, { site, signInAgain, onProgress: setShare, signal: own.signal }));
    } catch (failure) {
      if (!own.signal.aborted) setError(failure);
    } finally {
      setShare(undefined);
    }
  }

  return { share, error, send: (bytes) => void send(bytes), cancel: () => stop.current?.abort() };
}

export function ReplaceButton({ file, replacing }: { file: MediaFile; replacing: Replacing }) {
  const accept = toAccept([kindOf(file)]);
  return (
    <UploadButton
      {...(accept ? { accept } : {})}
      multiple={false}
      label={t('media.replace')}
      disabled={replacing.share !== undefined}
      onFiles={([bytes]) => bytes && replacing.send(bytes)}
    />
  );
}

/** How far the new bytes are, or why they were refused. */
export function ReplaceProgress({
  file,
  replacing: { share, error, cancel },
}: {
  file: MediaFile;
  replacing: Replacing;
}) {
  if (error !== undefined)
    return (
      <p class="error" role="alert">
        {t('media.uploadFailed', { name: file.name, reason: toSentence(error) })}
      </p>
    );
  if (share === undefined) return null;
  return (
    <div class="replacing">
      <progress aria-label={file.name} value={share} max={1} />
      <button type="button" class="plain" onClick={cancel}>
        {t('app.cancel')}
      </button>
    </div>
  );
}
