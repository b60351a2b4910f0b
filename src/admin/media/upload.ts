// Sends one file to the media library: a new one, or new bytes of one that is there.
import { withSite } from '../api/client.ts';
import { type MediaFile, toPath, type UploadedFile } from './media-file.ts';
import { type FormRequest, type SendOptions, sendForm } from './send-form.ts';

export interface UploadOptions extends SendOptions {
  /** Chosen by the kind of file if absent. */
  folder?: string | undefined;
  site?: string | undefined;
}

const open = () => new XMLHttpRequest() as FormRequest;

/** @throws as `sendForm`. */
export async function uploadFile(file: File, { folder, site, ...options }: UploadOptions = {}): Promise<UploadedFile> {
  const form = new FormData();
  if (folder) form.append('folder', folder);
  form.append('file', file, file.name);
  const { data, commit } = await sendForm(open, 'POST', withSite('/api/upload', site), form, options);
  const { filename, ...rest } = data as Omit<UploadedFile, 'name'> & { filename: string };
  // The same bytes in the same folder are the same file, and change nothing.
  return { name: filename, ...rest, wasThere: commit === undefined };
}

/** Refused if the file has other bytes by now than the ones that are known here. @throws as `sendForm`. */
export async function replaceFile(
  known: MediaFile,
  file: File,
  { site, ...options }: Omit<UploadOptions, 'folder'> = {},
): Promise<MediaFile> {
  const form = new FormData();
  form.append('file', file, file.name);
  const url = withSite(`/api/media/${toPath(known)}`, site);
  const { data } = await sendForm(open, 'PUT', url, form, { ...options, ifMatch: `"${known.sha256}"` });
  return data as MediaFile;
}
