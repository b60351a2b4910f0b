// The trees of a commit that another program pushed, read from the pack that the host sent. The pack lives as long as
// the reading: the next deploy asks again or knows better.
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createBreathe } from '../../lib/queues/slices.ts';
import { nodeDisk } from '../../store/disk/disk.ts';
import { type Oid, parseCommit } from '../../store/git/objects.ts';
import { parseTree, TREE_MODE } from '../../store/git/tree.ts';
import { RemoteError } from '../../store/remote/error.ts';
import { receivePack } from '../../store/remote/pack-in.ts';
import { createOdb } from '../../store/repository/odb.ts';
import type { BranchTip } from './branch-tip.ts';
import { readGrowth } from './commit-message.ts';
import type { FolderTree } from './site-trees.ts';

/** The trees of a site of a hundred thousand files are some ten megabytes. */
const MOST_BYTES = 128 << 20;
const SUBMODULE_MODE = '160000';

export async function readFetchedTrees(
  cacheFolder: string,
  commit: Oid,
  pack: AsyncIterable<Buffer>,
): Promise<BranchTip> {
  const repository = path.join(cacheFolder, 'fetched');
  const packs = path.join(repository, 'objects', 'pack');
  await rm(repository, { recursive: true, force: true });
  await mkdir(packs, { recursive: true, mode: 0o700 });
  const odb = createOdb(nodeDisk, repository);
  try {
    await receivePack(nodeDisk, packs, bounded(pack));
    odb.refresh();
    const { tree, message } = parseCommit(odb.get(commit, 'commit'));
    const has = new Set<Oid>();
    const folders = new Map<string, FolderTree>();
    const breathe = createBreathe();
    const waiting = [{ at: '', oid: tree }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const body = odb.get(next.oid, 'tree');
      has.add(next.oid);
      folders.set(next.at, { oid: next.oid, body });
      for (const { name, mode, oid } of parseTree(body)) {
        const at = next.at === '' ? name : `${next.at}/${name}`;
        if (mode === TREE_MODE) waiting.push({ at, oid });
        else if (mode !== SUBMODULE_MODE) has.add(oid);
      }
      await breathe();
    }
    return { commit, root: tree, has, folders, growth: readGrowth(message) };
  } finally {
    odb.close();
    await rm(repository, { recursive: true, force: true });
  }
}

async function* bounded(pack: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const chunk of pack) {
    count += chunk.length;
    if (count > MOST_BYTES) throw new RemoteError('refused', 'the trees of the branch are too large');
    yield chunk;
  }
}
