// Sends a form with its progress, which only XMLHttpRequest reports.
import { ApiError, OfflineError } from '../api/client.ts';

export interface SendOptions {
  /** From 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
  /** `If-Match`. */
  ifMatch?: string;
  /** Resolves once the person has signed in again, after a 401. */
  signInAgain?: () => Promise<unknown>;
}

/** As much of an XMLHttpRequest as this needs. */
export interface FormRequest {
  status: number;
  responseText: string;
  upload: { onprogress: ((event: { lengthComputable: boolean; loaded: number; total: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getResponseHeader(name: string): string | null;
  abort(): void;
  send(form: FormData): void;
}

export type OpenRequest = () => FormRequest;

export interface FormAnswer {
  data: unknown;
  /** The commit that it made, if it made one. */
  commit: string | undefined;
}

/** @throws ApiError if the service refuses it, OfflineError, or the signal's reason. */
export async function sendForm(
  open: OpenRequest,
  method: 'POST' | 'PUT',
  url: string,
  form: FormData,
  options: SendOptions = {},
): Promise<FormAnswer> {
  const send = () => sendOnce(open(), method, url, form, options);
  try {
    return await send();
  } catch (error) {
    if (!options.signInAgain || !(error instanceof ApiError) || error.status !== 401) throw error;
    await options.signInAgain();
    return send();
  }
}

function sendOnce(
  xhr: FormRequest,
  method: string,
  url: string,
  form: FormData,
  { onProgress, signal, ifMatch }: SendOptions,
): Promise<FormAnswer> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    xhr.open(method, url);
    xhr.setRequestHeader('Accept', 'application/json');
    if (ifMatch) xhr.setRequestHeader('If-Match', ifMatch);
    xhr.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total);
    };
    xhr.onload = () => {
      const body = parse(xhr.responseText);
      if (xhr.status >= 200 && xhr.status < 300) {
        return resolve({ data: body, commit: xhr.getResponseHeader('x-cms-commit') ?? undefined });
      }
      reject(new ApiError(xhr.status, body, headersOf(xhr)));
    };
    xhr.onerror = () => reject(new OfflineError(undefined));
    xhr.onabort = () => reject(signal?.reason);
    signal?.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(form);
  });
}

function headersOf(xhr: FormRequest): Headers {
  const headers = new Headers();
  for (const name of ['x-request-id', 'retry-after']) {
    const value = xhr.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

function parse(text: string): object {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
