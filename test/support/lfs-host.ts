// Git LFS of a git host: batch API, basic transfer with addresses that need a header of their own, verify, and the hook
// that refuses pushes whose pointers name bytes that the host does not have (GitHub's words).
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';

const HOOK = `#!/bin/sh
while read old new ref; do
  git rev-list --objects "$new" --not --all | while read oid path; do
    case "$path" in media/*) git cat-file blob "$oid" 2>/dev/null | sed -n 's/^oid sha256://p' ;; esac
  done
done | while read sha; do
  [ -f "FOLDER/$sha" ] && continue
  echo "GH008: Your push referenced at least 1 unknown Git LFS object: $sha" >&2
  exit 1
done
`;
const SECRET = 'for this object alone';

export function startLfs(folder: string, repository: string, isOn: boolean) {
  const objects = new Map<string, Buffer>();
  const transfers: string[] = [];
  const known = join(folder, 'lfs');
  if (isOn) {
    mkdirSync(known);
    mkdirSync(join(repository, 'hooks'), { recursive: true });
    const hook = join(repository, 'hooks', 'pre-receive');
    writeFileSync(hook, HOOK.replace('FOLDER', known));
    chmodSync(hook, 0o755);
  }

  const add = (bytes: Buffer): void => {
    const oid = createHash('sha256').update(bytes).digest('hex');
    objects.set(oid, bytes);
    writeFileSync(join(known, oid), '');
  };

  /** False if the request is not for Git LFS. */
  async function answer(req: IncomingMessage, res: ServerResponse, origin: string): Promise<boolean> {
    const { pathname } = new URL(req.url ?? '/', origin);
    const [, what = ''] = /^\/site\.git\/info\/lfs\/(.+)$/.exec(pathname) ?? [];
    if (!isOn || !what) return false;
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const [kind = '', oid = ''] = what.split('/').slice(-2);
    const json = (status: number, value: object): void => {
      res.writeHead(status, { 'content-type': 'application/vnd.git-lfs+json' }).end(JSON.stringify(value));
    };
    if (what === 'objects/batch') {
      const { operation, objects: asked } = JSON.parse(body.toString()) as {
        operation: 'upload' | 'download';
        objects: { oid: string; size: number }[];
      };
      transfers.push(`batch ${operation} ${asked.length}`);
      const header = { 'X-Object': SECRET };
      const to = (name: string, id: string) => ({ href: `${origin}/site.git/info/lfs/${name}/${id}`, header });
      json(200, {
        transfer: 'basic',
        objects: asked.map((object) => {
          if (operation === 'upload')
            return objects.has(object.oid)
              ? object
              : { ...object, actions: { upload: to('put', object.oid), verify: to('verify', object.oid) } };
          return objects.has(object.oid)
            ? { ...object, actions: { download: { ...to('get', object.oid), expires_in: 3600 } } }
            : { ...object, error: { code: 404, message: 'Object does not exist' } };
        }),
      });
    } else if (req.headers['x-object'] !== SECRET) json(403, { message: 'the header of the action is missing' });
    else if (kind === 'put' && createHash('sha256').update(body).digest('hex') === oid) {
      transfers.push('put');
      add(body);
      res.end();
    } else if (kind === 'verify') {
      transfers.push('verify');
      json(objects.get(oid)?.length === JSON.parse(body.toString()).size ? 200 : 404, {});
    } else if (kind === 'get' && objects.has(oid)) {
      transfers.push('get');
      res.end(objects.get(oid));
    } else json(404, { message: 'not found' });
    return true;
  }

  return { objects, transfers, add, answer };
}
