// The packer's thread. Sends one reply for each batch and each step, in order.
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../../lib/errors.ts';
import { collectWhenIdle } from '../../lib/memory/idle-collection.ts';
import { nodeDisk } from '../disk/disk.ts';
import { runStep } from './disk-work.ts';
import { unflattenBatch } from './flat-batch.ts';
import { createPacker } from './packer.ts';
import { createFinish, type PackerMessage, type PackerReply } from './packer-thread.ts';

const { folder } = workerData as { folder: string };
const repository = path.dirname(path.dirname(folder));
const packer = createPacker(nodeDisk, folder);
const finish = createFinish(nodeDisk, folder);

function answer(message: Extract<PackerMessage, { kind: 'pack' | 'finish' | 'work' }>): PackerReply {
  try {
    if (message.kind === 'work') return { done: runStep(nodeDisk, repository, message.step) };
    return message.kind === 'pack'
      ? { result: packer.pack(unflattenBatch(message.batch)) }
      : { outcome: finish(message.step) };
  } catch (error) {
    const { message: text, code } = error as NodeJS.ErrnoException;
    return { error: { message: text, code, isRefusal: error instanceof ServiceError } };
  }
}

collectWhenIdle();
parentPort?.on('message', (message: PackerMessage) => {
  if (message.kind === 'reset') return packer.reset();
  if (message.kind === 'seal') return packer.seal();
  parentPort?.postMessage(answer(message));
});
parentPort?.postMessage({ isReady: true } satisfies PackerReply);
