// Sends one file to the media library.
import { withSite } from '../api/client.ts';
import type { UploadedFile } from './media-file.ts';
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
  const answer = await sendForm(open, 'POST', withSite('/api/upload', site), form, options);
  const { filename, ...rest } = answer as Omit<UploadedFile, 'name'> & { filename: string };
  return { name: filename, ...rest };
}
