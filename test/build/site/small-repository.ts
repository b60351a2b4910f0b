// A bare repository whose commits are made in this process, a few hundred in a second: loose objects and one branch.
import fs from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { encodeCommit, type ObjectType, oidOf, type Person } from '../../../src/store/git/objects.ts';

export const COLOPHON: Person = { name: 'Colophon', email: 'colophon@localhost' };
export const GRACE: Person = { name: 'Grace', email: 'grace@example.com' };

export interface SmallRepository {
  folder: string;
  /** The files of the newest commit. Change it, then commit. */
  files: Map<string, string>;
  commit(message: string, committer?: Person): string;
}

export function createSmallRepository(folder: string): SmallRepository {
  const files = new Map<string, string>();
  let head: string | undefined;
  let at = Date.UTC(2026, 0, 1) / 1000;

  function write(type: ObjectType, body: Buffer): string {
    const oid = oidOf(type, body);
    const file = path.join(folder, 'objects', oid.slice(0, 2), oid.slice(2));
    if (!fs.existsSync(file)) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, deflateSync(Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]), { level: 1 }));
    }
    return oid;
  }

  function writeTree(prefix: string): string {
    const entries = new Map<string, { mode: string; oid: string; key: string }>();
    for (const [file, text] of files) {
      if (!file.startsWith(prefix)) continue;
      const [name = '', ...rest] = file.slice(prefix.length).split('/');
      if (entries.has(name)) continue;
      if (rest.length === 0) entries.set(name, { mode: '100644', oid: write('blob', Buffer.from(text)), key: name });
      else entries.set(name, { mode: '40000', oid: writeTree(`${prefix}${name}/`), key: `${name}/` });
    }
    const sorted = [...entries].sort(([, a], [, b]) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
    const body = sorted.map(([name, { mode, oid }]) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
    );
    return write('tree', Buffer.concat(body));
  }

  return {
    folder,
    files,
    commit(message, committer = COLOPHON) {
      const commit = {
        tree: writeTree(''),
        parents: head === undefined ? [] : [head],
        author: GRACE,
        committer,
        authoredAt: at,
        committedAt: at++,
        message: `${message}\n`,
      };
      head = write('commit', encodeCommit(commit));
      fs.mkdirSync(path.join(folder, 'refs/heads'), { recursive: true });
      fs.writeFileSync(path.join(folder, 'refs/heads/main'), `${head}\n`);
      return head;
    },
  };
}
