// What the thread of a build does for an order.
import { renameSync } from 'node:fs';
import { nodeDisk } from '../../store/disk/disk.ts';
import { createOdb } from '../../store/repository/odb.ts';
import { BuildError } from '../build.ts';
import { findOutput, listOutput } from '../output.ts';
import type { ThreadAnswer, ThreadOrder } from './order.ts';
import { type WrittenTree, writeTree } from './write-tree.ts';

/** Takes as long as it takes. @throws errors of the disk */
export function carryOut(repository: string, order: ThreadOrder): ThreadAnswer {
  try {
    if (order.kind === 'write') return { written: writeFrom(repository, order) };
    renameSync(findOutput(order.tree, order.outDir), order.target);
    return { files: listOutput(order.target) };
  } catch (error) {
    if (error instanceof BuildError) return { refused: error.message };
    throw error;
  }
}

function writeFrom(repository: string, order: Extract<ThreadOrder, { kind: 'write' }>): WrittenTree {
  const odb = createOdb(nodeDisk, repository);
  try {
    return writeTree(odb, order);
  } finally {
    odb.close();
  }
}
