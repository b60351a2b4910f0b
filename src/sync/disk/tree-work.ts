// Runs the work of tree.ts in a thread of its own, so that readers do not wait for it. The thread runs this same file,
// which in the injected server is the whole server (src/sync/one-file.ts).
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { codeOf } from '../../lib/error-code.ts';
import { copyTree } from './copy-tree.ts';
import { syncTree } from './sync-tree.ts';
import { removeTree, scanTree, type TreeFiles } from './tree.ts';

export type TreeTask =
  | { kind: 'copy'; from: string; files: TreeFiles; to: string }
  /** Lists the files; makes the tree durable too if that is asked for. */
  | { kind: 'scan'; folder: string; known: TreeFiles; isDurable: boolean }
  | { kind: 'remove'; folder: string };

type TreeOutcome = { files: TreeFiles | undefined } | { error: string; code: string | undefined };

/** Marks the data of our own threads, because another program's thread may load this module too. */
const MARK = 'colophon-sync-tree';
/** The machine is small. */
const YOUNG_MB = 4;

function doTask(task: TreeTask): TreeFiles | undefined {
  if (task.kind === 'scan') {
    const files = scanTree(task.folder, task.known);
    if (task.isDurable) syncTree(task.folder);
    return files;
  }
  if (task.kind === 'copy') copyTree(task.from, task.files, task.to);
  else removeTree(task.folder);
  return undefined;
}

/** @throws an Error with the `code` that the file system, or tree.ts, gave it */
export function runTreeTask(task: TreeTask): Promise<TreeFiles | undefined> {
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
