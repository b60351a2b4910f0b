// A git host that our crashes do not affect: what was pushed there stays. Speaks as much of git's HTTP protocol as the
// service needs, in memory, so that a sync with it consists of the disk's events and nothing else.
import { Readable } from 'node:stream';
import type { GitHttpRequest, GitHttpResponse } from 'isomorphic-git';
import type { Oid } from '../../../src/store/git/objects.ts';
import { compareHistories, listNewObjects } from '../../../src/store/remote/histories.ts';
import type { createRemoteHttp } from '../../../src/store/remote/http.ts';
import { receivePack } from '../../../src/store/remote/pack-in.ts';
import { NO_COMMIT, toPkt } from '../../../src/store/remote/wire.ts';
import { createOdb } from '../../../src/store/repository/odb.ts';
import { createMemoryDisk, type MemoryDisk } from '../memory-disk.ts';
import { makeExternalCommit } from './external-commit.ts';
import { encodeExternalPack } from './external-pack.ts';
import type { Files } from './stage.ts';

/** A moment of a host: objects are only ever added, so all moments share them. */
export interface HostState {
  disk: MemoryDisk;
  head: Oid | null;
}

export interface Host {
  readonly state: HostState;
  /** Used instead of HTTP. */
  readonly connect: typeof createRemoteHttp;
  /** Makes an external commit on top of the branch, or of another commit. */
  commit(files: Files, on?: Oid | null): Promise<Oid>;
}

export const HOST_URL = 'https://host.example/site.git';
export const HOST_REPOSITORY = '/host.git';
const PACKS = `${HOST_REPOSITORY}/objects/pack`;
const REF = 'refs/heads/main';
const FLUSH = '0000';

/** `onMoved`: called after a push has moved the host's branch. */
export function createHost(start: HostState | undefined, onMoved: (state: HostState) => void): Host {
  const disk = start?.disk ?? createMemoryDisk();
  disk.makeFolder(PACKS);
  const odb = createOdb(disk, HOST_REPOSITORY);
  let head = start?.head ?? null;

  async function keep(pack: AsyncIterable<Buffer>): Promise<void> {
    const received = await receivePack(disk, PACKS, pack);
    if (received) disk.remove(`${PACKS}/${received.name}.keep`);
    odb.refresh();
  }

  function advertise(service: string, capabilities: string): string {
    const line = head ? `${head} ${REF}` : `${NO_COMMIT} capabilities^{}`;
    return toPkt(`# service=${service}\n`) + FLUSH + toPkt(`${line}\0${capabilities}\n`) + FLUSH;
  }

  function upload(request: string): Buffer[] {
    const [, want = ''] = /want ([0-9a-f]{40})/.exec(request) ?? [];
    const known = [...request.matchAll(/have ([0-9a-f]{40})/g)].map(([, oid]) => oid!).find((oid) => odb.has(oid));
    const { ahead } = compareHistories(odb, want, known ?? null);
    const objects = [...listNewObjects(odb, ahead.toReversed())].map(({ oid, type }) => ({
      oid,
      type,
      body: odb.get(oid, type),
    }));
    const { pack } = encodeExternalPack(objects);
    const bands: Buffer[] = [Buffer.from(toPkt('NAK\n'))];
    for (let at = 0; at < pack.length; at += 60_000) {
      const piece = pack.subarray(at, at + 60_000);
      bands.push(Buffer.from((piece.length + 5).toString(16).padStart(4, '0')), Buffer.from([1]), piece);
    }
    return [...bands, Buffer.from(FLUSH)];
  }

  async function receive(request: Buffer): Promise<string> {
    const length = Number.parseInt(request.toString('latin1', 0, 4), 16);
    const [from, to] = request.toString('latin1', 4, length).split(' ') as [Oid, Oid];
    await keep(Readable.from([request.subarray(length + FLUSH.length)]));
    if (from !== (head ?? NO_COMMIT)) return toPkt('unpack ok\n') + toPkt(`ng ${REF} fetch first\n`) + FLUSH;
    head = to;
    onMoved({ disk, head });
    return toPkt('unpack ok\n') + toPkt(`ok ${REF}\n`) + FLUSH;
  }

  async function answer({ url, body }: GitHttpRequest): Promise<Buffer[]> {
    if (url.endsWith('service=git-upload-pack')) return [Buffer.from(advertise('git-upload-pack', 'ofs-delta'))];
    if (url.endsWith('service=git-receive-pack')) {
      return [Buffer.from(advertise('git-receive-pack', 'report-status ofs-delta no-thin'))];
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
    const request = Buffer.concat(chunks);
    return url.endsWith('/git-upload-pack')
      ? upload(request.toString('latin1'))
      : [Buffer.from(await receive(request))];
  }

  return {
    get state() {
      return { disk, head };
    },
    connect: () => ({
      url: HOST_URL,
      redact: (text) => text,
      async request(asked): Promise<GitHttpResponse> {
        const chunks = await answer(asked);
        const { pathname, searchParams } = new URL(asked.url);
        const what = searchParams.get('service') ?? pathname.split('/').at(-1);
        return {
          url: asked.url,
          method: asked.method ?? 'GET',
          statusCode: 200,
          statusMessage: 'OK',
          headers: { 'content-type': `application/x-${what}-${searchParams.size ? 'advertisement' : 'result'}` },
          body: Readable.from(chunks) as unknown as AsyncIterableIterator<Uint8Array>,
        };
      },
    }),
    async commit(files, on = head) {
      const { commit, objects } = makeExternalCommit(odb, on, files);
      await keep(Readable.from([encodeExternalPack(objects).pack]));
      head = commit;
      return commit;
    },
  };
}
