// Contents by their sha1, as Vercel and Netlify know files.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { HashKind } from './hash-cache.ts';

export const SHA1: HashKind = {
  name: 'sha1',
  length: 40,
  async compute({ file }, signal) {
    const hash = createHash('sha1');
    for await (const chunk of createReadStream(file, { signal })) hash.update(chunk as Buffer);
    return hash.digest('hex');
  },
};
