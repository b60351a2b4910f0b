// Shows a folder on this machine as the sync server would, until it is closed.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endConnections, giveUp, limitTimes, serveSite } from './server.ts';
import { createFolderSite } from './site/folder-site.ts';

export interface ServedFolder {
  /** `http://127.0.0.1:5000/` */
  url: string;
  close(): Promise<void>;
}

export interface ServeFolderOptions {
  folder: string;
  /** 0 for a free one. */
  port: number;
  log(line: string): void;
}

const LOOPBACK = '127.0.0.1';

/** @throws the error of the system, if the port is taken */
export async function serveFolder({ folder, port, log }: ServeFolderOptions): Promise<ServedFolder> {
  const site = createFolderSite(folder, log);
  const http = createServer((request, response) => {
    serveSite(request, response, () => site).catch((error: Error) => giveUp(response, error, log));
  });
  limitTimes(http);
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, LOOPBACK, resolve);
  });
  return { url: `http://${LOOPBACK}:${(http.address() as AddressInfo).port}/`, close: () => endConnections(http) };
}
