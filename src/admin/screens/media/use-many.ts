// What is selected in the library, and what is done to it.
import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../../api/client.ts';
import { type FileQuery, toFilesUrl } from '../../media/file-pages.ts';
import type { MediaFile } from '../../media/media-file.ts';
import { useAdmin } from '../../shell/admin.ts';
import { type JobParts, useJob } from '../../shell/use-job.ts';
import { t } from '../../text/translate.ts';
import type { Failure } from '../../ui/failures.tsx';
import { NOTHING, type Selection, select, unselect } from '../../ui/selection.ts';
import { type ChangedFile, changeFiles, type FilesAction, toFileStep, toUndoStep } from './change-many.ts';
import { slugOf, toMediaUrl } from './media-address.ts';

/** Its id is its folder and name. */
export type SelectedFile = MediaFile & { id: string };
export type FileSelection = Selection<SelectedFile>;

const PAGE = 500;

export function toSelected(file: MediaFile): SelectedFile {
  return { ...file, id: slugOf(file) };
}

export interface ManyParts {
  /** What the list shows. */
  query: FileQuery;
  /** As they are on the screen. */
  files: readonly MediaFile[] | undefined;
  onEnd(): void;
}

export function useMany({ query, files, onEnd }: ManyParts) {
  const { request, messages } = useAdmin();
  const [selection, setSelection] = useState<FileSelection>(NOTHING);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const { job, follow } = useJob(onEnd);
  const key = JSON.stringify(query);
  // What was selected by a query is not what another one finds; single files stay, from folder to folder.
  useEffect(() => setSelection((now) => (now.kind === 'query' ? NOTHING : now)), [key]);
  // Tags that others added are not to be overwritten.
  useEffect(() => setSelection((now) => refreshFiles(now, files ?? [])), [files]);

  async function find(signal: AbortSignal): Promise<readonly MediaFile[]> {
    return selection.kind === 'some'
      ? [...selection.items.values()]
      : readAll(query, selection.except, request, signal);
  }

  /** What is gone, or has another place, is not selected under its old one. */
  function follows(done: readonly ChangedFile[]): void {
    setSelection((now) => {
      const moved = done.filter(({ before, after }) => !after || slugOf(before) !== slugOf(after));
      const left = unselect(
        now,
        moved.map(({ before }) => slugOf(before)),
      );
      const after = moved.flatMap((one) => (one.after && now.kind === 'some' ? toSelected(one.after) : []));
      return after.length > 0 ? select(left, after, true) : left;
    });
  }

  async function undo(action: FilesAction, done: readonly ChangedFile[], parts: JobParts): Promise<void> {
    parts.begin(done.length);
    const steps = done.map((one) => toUndoStep(action, one));
    const report = await changeFiles(steps, { request, ...parts });
    follows(report.done);
    setFailures(report.failures.map(toFailure));
    if (report.done.length > 0) messages.notify(t('media.undone', { count: report.done.length }));
  }

  const run = (action: FilesAction): Promise<void> =>
    follow(t(`many.${action.kind}`), async (parts) => {
      setFailures([]);
      const found = await find(parts.signal);
      parts.begin(found.length);
      const steps = found.map((file) => toFileStep(action, file));
      const { done, unchanged, failures: failed } = await changeFiles(steps, { request, ...parts });
      follows(done);
      setFailures(failed.map(toFailure));
      if (done.length === 0) {
        if (failed.length === 0) messages.notify(t('media.nothing', { count: unchanged }));
        return;
      }
      const folder = action.kind === 'move' ? action.folder : '';
      const text = t(`manyDone.${action.kind}`, { count: done.length, folder });
      const back = done.filter((one) => toUndoStep(action, one) !== undefined);
      const takeBack = () => void follow(t('app.undo'), (again) => undo(action, back, again));
      messages.notify(text, back.length > 0 ? takeBack : undefined);
    });

  return { selection, setSelection, failures, forgetFailures: () => setFailures([]), job, run, find };
}

function toFailure({ file, reason }: { file: MediaFile; reason: string }): Failure {
  const id = slugOf(file);
  return { id, title: file.name, reason, href: toMediaUrl({ folder: file.folder, q: '', file: id }) };
}

function refreshFiles(selection: FileSelection, files: readonly MediaFile[]): FileSelection {
  if (selection.kind === 'query') return selection;
  const news = files.map(toSelected).filter((one) => selection.items.has(one.id));
  return news.length === 0 ? selection : select(selection, news, true);
}

/** By name, which no change of tags moves; they are all read before the first one is changed. */
async function readAll(
  query: FileQuery,
  except: ReadonlySet<string>,
  request: Client,
  signal: AbortSignal,
): Promise<readonly MediaFile[]> {
  const found = new Map<string, MediaFile>();
  for (let offset = 0; !signal.aborted; offset += PAGE) {
    const url = toFilesUrl({ ...query, more: { orderBy: 'name' } }, { type: undefined, offset, limit: PAGE });
    const { data } = await request<{ files: readonly MediaFile[] }>('GET', url, { signal });
    for (const file of data.files) if (!except.has(slugOf(file))) found.set(slugOf(file), file);
    if (data.files.length < PAGE) break;
  }
  return [...found.values()];
}
