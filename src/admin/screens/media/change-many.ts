// Does one thing to many files, a few at a time: with progress, what failed and why, and the way back.
import { ApiError, type Client } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import { type MediaFile, toPath } from '../../media/media-file.ts';
import { toFileName } from './media-address.ts';

export type FilesAction =
  | { kind: 'move'; folder: string; updateReferences: boolean }
  | { kind: 'tag'; tags: readonly string[] }
  | { kind: 'delete' };

/** A request for one file. */
export interface FileStep {
  file: MediaFile;
  method: 'PATCH' | 'DELETE';
  body?: Record<string, unknown>;
}

export interface ChangedFile {
  /** As it was. */
  before: MediaFile;
  /** As it is now; undefined once it is deleted. */
  after: MediaFile | undefined;
}

export interface FilesReport {
  done: readonly ChangedFile[];
  /** Files that were so already. */
  unchanged: number;
  failures: readonly { file: MediaFile; reason: string }[];
}

export interface FilesRun {
  request: Client;
  signal: AbortSignal;
  onProgress(done: number): void;
}

/** Each is a commit of its own; the service makes those that come together in one write. */
const AT_ONCE = 4;
const MOST_RETRIES = 5;

/** Undefined if the file is so already. */
export function toFileStep(action: FilesAction, file: MediaFile): FileStep | undefined {
  if (action.kind === 'delete') return { file, method: 'DELETE' };
  if (action.kind === 'move') {
    const { folder, updateReferences } = action;
    return file.folder === folder ? undefined : { file, method: 'PATCH', body: { folder, updateReferences } };
  }
  const tags = [...new Set([...file.tags, ...action.tags])];
  return tags.length === file.tags.length ? undefined : { file, method: 'PATCH', body: { tags } };
}

/** Undefined for what cannot be taken back: a deletion, and a place that only a push can give. */
export function toUndoStep(action: FilesAction, { before, after }: ChangedFile): FileStep | undefined {
  if (!after || action.kind === 'delete') return undefined;
  if (action.kind === 'tag') {
    const tags = after.tags.filter((tag) => before.tags.includes(tag) || !action.tags.includes(tag));
    return { file: after, method: 'PATCH', body: { tags } };
  }
  if (before.folder === '' || toFileName(before.name, before.name) !== before.name) return undefined;
  const { folder, name } = before;
  return { file: after, method: 'PATCH', body: { folder, name, updateReferences: action.updateReferences } };
}

/** Never throws. Ends early when the signal says so. */
export async function changeFiles(
  steps: readonly (FileStep | undefined)[],
  { request, signal, onProgress }: FilesRun,
): Promise<FilesReport> {
  const wanted = steps.filter((step) => step !== undefined);
  const done: ChangedFile[] = [];
  const failures: { file: MediaFile; reason: string }[] = [];
  const waiting = wanted.values();

  async function work(): Promise<void> {
    for (const step of waiting) {
      if (signal.aborted) return;
      try {
        const after = await send(step, { request, signal });
        done.push({ before: step.file, after });
      } catch (error) {
        if (signal.aborted) return;
        failures.push({ file: step.file, reason: toSentence(error) });
      }
      onProgress(steps.length - wanted.length + done.length + failures.length);
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done, unchanged: steps.length - wanted.length, failures };
}

async function send(
  { file, method, body }: FileStep,
  { request, signal }: Pick<FilesRun, 'request' | 'signal'>,
): Promise<MediaFile | undefined> {
  for (let retry = 0; ; retry++) {
    try {
      const { data } = await request<MediaFile>(method, `/api/media/${toPath(file)}`, { ...(body ? { body } : {}) });
      return method === 'DELETE' ? undefined : data;
    } catch (error) {
      // So many requests come near what one may send in a minute: the service says when to go on.
      const seconds = error instanceof ApiError && error.status === 429 ? error.retryAfter : undefined;
      if (seconds === undefined || retry >= MOST_RETRIES) throw error;
      await pause(seconds * 1000, signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
