// `_data/deploys/history.json`: the last 50 deploys, newest first. Read once, and replaced as a whole with every change;
// a change is durable before it is reported. If the file cannot be read, it is left alone.
import type { DataFolder } from '../../data/data-folder.ts';
import { ServiceError } from '../../lib/errors.ts';
import { createInOrder } from '../../lib/queues/in-order.ts';
import type { Warn } from '../../lib/warn.ts';
import type { DecidedDeploys } from './decide.ts';
import { DeployHistoryFile, type DeployRecord } from './record.ts';

type Records = readonly DeployRecord[];

export interface Deploying {
  /** Newest first. @throws unavailable if the file is damaged. */
  read(): Records;
  /** Undefined if the file is damaged. */
  find(): Records | undefined;
  /** One change after another; resolves once it is durable. What `change` throws reaches the caller. */
  update<R extends { records: Records }>(change: (records: Records) => R): Promise<R>;
  /** Changes what is read now, and is written with the next update: counts of files. */
  note(change: (records: Records) => { records: Records }): void;
}

const FILE_NAME = 'history.json';

export async function openHistoryFile(folder: DataFolder): Promise<Deploying> {
  const bytes = await folder.read(FILE_NAME);
  let current: Records | undefined = bytes === undefined ? [] : parse(bytes);
  const inOrder = createInOrder();

  function read(): Records {
    if (current) return current;
    throw new ServiceError(
      'unavailable',
      `the history of deploys, "_data/deploys/${FILE_NAME}", is damaged; move it away to start a new one`,
    );
  }

  return {
    read,
    find: () => current,
    update: (change) =>
      inOrder(async () => {
        const before = read();
        const result = change(before);
        if (result.records === before) return result;
        const file: DeployHistoryFile = { version: 1, deploys: [...result.records] };
        await folder.write(FILE_NAME, `${JSON.stringify(file, null, 2)}\n`);
        current = result.records;
        return result;
      }),
    note(change) {
      current = change(read()).records;
    },
  };
}

export type KeepDeploy = (change: (records: Records) => DecidedDeploys) => Promise<DeployRecord>;

/** A deploy goes on while the disk is full; what happened to it is then written with the next change. */
export function createKeep(history: Deploying, warn: Warn): KeepDeploy {
  return async (change) => {
    try {
      return (await history.update(change)).deploy;
    } catch (error) {
      warn('the history of deploys could not be written; the next change writes it', error);
      history.note(change);
      return change(history.read()).deploy;
    }
  };
}

function parse(bytes: Buffer): Records | undefined {
  try {
    return DeployHistoryFile.safeParse(JSON.parse(bytes.toString('utf8'))).data?.deploys;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
