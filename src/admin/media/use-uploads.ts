import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type Admin, useAdmin } from '../shell/admin.ts';
import type { UploadedFile } from './media-file.ts';
import { type UploadOptions, uploadFile } from './upload.ts';
import { createUploads, type Uploads } from './uploads.ts';

/** `uploadFile` for the page's site, asking for a new session when the old one is over. */
export function uploadHere(
  { site, request }: Pick<Admin, 'site' | 'request'>,
  file: File,
  options: UploadOptions = {},
): Promise<UploadedFile> {
  const signInAgain = () => request('GET', '/api/admin/profile');
  return uploadFile(file, { site, signInAgain, ...options });
}

/** Uploads of one component; those that run when it goes are cancelled. */
export function useUploads(folder: () => string | undefined): Uploads {
  const admin = useAdmin();
  const latest = useRef(folder);
  latest.current = folder;
  const uploads = useMemo(
    () => createUploads((file, options) => uploadHere(admin, file, { ...options, folder: latest.current() })),
    [],
  );
  useEffect(() => () => uploads.cancelAll(), []);
  return uploads;
}
