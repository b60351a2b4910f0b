// Copies and lists trees without making readers wait: large ones in a thread of its own, which runs this same file. In
// the injected server this file is the whole server (src/sync/one-file.ts).
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { codeOf } from '../../lib/error-code.ts';
import { copyTree } from './copy-tree.ts';
import { scanTree, type TreeFiles } from './tree.ts';

export type TreeTask =
  /** Makes `to` a copy of `folder`, which has these files. */
  | { kind: 'copy'; folder: string; files: TreeFiles; to: string }
  /** Lists the files; those that are as they were are not hashed. */
  | { kind: 'scan'; folder: string; files: TreeFiles };

type TreeOutcome = { files: TreeFiles } | { error: string; code: string | undefined };

/** Trees of fewer files, and fewer bytes to hash, take milliseconds, and a thread longer to begin. */
const SMALL_FILES = 200;
/** Marks the data of our own threads, because another program's thread may load this module too. */
const MARK = 'colophon-sync-tree';
/** The machine is small. */
const YOUNG_MB = 4;

/** Returns the files of the tree. @throws an Error with the `code` that the file system, or tree.ts, gave it */
export async function runTreeTask(task: TreeTask): Promise<TreeFiles> {
  // A tree of which nothing is known may be large, and is hashed.
  const isSmall = task.files.size > 0 && task.files.size < SMALL_FILES;
  return isSmall ? doTask(task) : runInThread(task);
}

function doTask(task: TreeTask): TreeFiles {
  if (task.kind === 'scan') return scanTree(task.folder, task.files);
  copyTree(task.folder, task.files, task.to);
  return task.files;
}

function runInThread(task: TreeTask): Promise<TreeFiles> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(fileURLToPath(import.meta.url), {
      workerData: { mark: MARK, task },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    thread.once('message', (outcome: TreeOutcome) => {
      if ('error' in outcome) reject(Object.assign(new Error(outcome.error), { code: outcome.code }));
      else resolve(outcome.files);
    });
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`the thread for files ended with ${code}`)));
  });
}

function answerTask(task: TreeTask): TreeOutcome {
  try {
    return { files: doTask(task) };
  } catch (error) {
    return { error: (error as Error).message, code: codeOf(error) };
  }
}

if (!isMainThread && workerData?.mark === MARK) parentPort?.postMessage(answerTask(workerData.task));
