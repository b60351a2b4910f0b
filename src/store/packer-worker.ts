// The packer's thread. Answers one message for each batch, in order.
import { parentPort, workerData } from 'node:worker_threads';
import { nodeDisk } from './disk.ts';
import { createPacker } from './packer.ts';
import { type PackerMessage, type PackerReply, unflattenBatch } from './packer-thread.ts';

const packer = createPacker(nodeDisk, (workerData as { folder: string }).folder);

parentPort?.on('message', (message: PackerMessage) => {
  if (message.kind === 'reset') return packer.reset();
  if (message.kind === 'seal') return packer.seal();
  let reply: PackerReply;
  try {
    reply = { result: packer.pack(unflattenBatch(message.batch)) };
  } catch (error) {
    const { message: text, code } = error as NodeJS.ErrnoException;
    reply = { error: { message: text, code } };
  }
  parentPort?.postMessage(reply);
});
