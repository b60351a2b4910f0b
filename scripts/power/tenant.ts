// The tenant of the disk: the service with its writers and a receiver of webhooks, and everything that they were
// promised, which must hold on whatever disk the service finds at its next start.
import { type Client, createClient } from '../../test/support/client.ts';
import { ADMIN, makePlace, type Service } from '../../test/support/process.ts';
import type { Random } from '../../test/support/random.ts';
import { makeReceiver } from '../../test/support/receiver.ts';
import { checkDeliveries, type Delivery } from '../soak/check-deliveries.ts';
import { pause } from '../soak/service.ts';
import { git, readLine } from '../soak/witness.ts';

export interface Tenant extends AsyncDisposable {
  /** Changes that were answered, and counted. */
  readonly answered: number;
  /** Starts the service on a disk. */
  moveIn(folder: string): Promise<void>;
  writeFor(ms: number): Promise<void>;
  /** Answers from now on promise nothing: the power is gone. */
  stopCounting(): void;
  die(): Promise<void>;
  /** Returns broken promises, as sentences. */
  check(): Promise<string[]>;
}

interface Written {
  /** Version of the last answered change. */
  version: number;
  /** Version of the last requested change. */
  asked: number;
}

const START_MS = 60_000;
const SETTLE_MS = 30_000;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/**
 * One function, because what was written, answered and counted is one state: writers add to it, and each check adopts
 * what the cut left.
 */
export async function createTenant({ random, writers }: { random: Random; writers: number }): Promise<Tenant> {
  const deliveries: Delivery[] = [];
  const receiver = await makeReceiver(({ headers, json }) => {
    receiver.received.length = 0;
    const { changeId, commit, id: documentId, collection, slug } = json.data;
    const id = String(headers['webhook-id']);
    deliveries.push({ id, event: json.event, changeId, commit, documentId, place: `${collection}/${slug}` });
    return 204;
  });
  const documents = new Map<string, Written>();
  const commits = new Set<string>();
  let place: ReturnType<typeof makePlace> | undefined;
  let service: Service | undefined;
  let cookie = '';
  let base = '';
  let isCounting = false;
  let isWriting = false;
  let writing: Promise<unknown> = Promise.resolve();

  async function write(n: number): Promise<void> {
    const client = createClient(service!.url, cookie);
    try {
      while (isWriting) {
        const slug = `w${n}-${random.whole(0, 9)}`;
        const found = documents.get(slug) ?? { version: 0, asked: 0 };
        documents.set(slug, found);
        const version = ++found.asked;
        const data = { title: String(version), body: `${version} `.repeat(random.whole(1, 3000)) };
        const isKnown = found.version > 0 || version > 1;
        let reply = isKnown ? await client.patch(`/api/cms/posts/${slug}`, { data }) : undefined;
        if (!reply || reply.status === 404) reply = await client.post('/api/cms/posts', { slug, data });
        if (!isCounting) return;
        if (reply.status !== 200) throw new Error(`${slug} was answered ${reply.status}: ${reply.text}`);
        found.version = version;
        commits.add(String(reply.headers['x-cms-commit']));
      }
    } catch (error) {
      // The power is gone, and the service with it.
      if (isCounting) throw error;
    } finally {
      client.close();
    }
  }

  async function setUp(running: Service): Promise<void> {
    const client = createClient(running.url);
    cookie = (await client.post('/api/auth/setup', ADMIN)).cookie ?? '';
    // The first commit, before the webhook exists: the log is checked from here on.
    const made = await createClient(running.url, cookie).post('/api/cms/posts', { slug: 'first', data: {} });
    if (made.status !== 200) throw new Error(made.text);
    const webhooks = [{ id: 'power', url: receiver.url, secret: SECRET, events: ['*'] }];
    const set = await createClient(running.url, cookie).post('/api/admin/site-config', {
      allowPrivateTargets: true,
      webhooks,
    });
    client.close();
    if (!cookie || set.status !== 200) throw new Error(`the service could not be set up: ${set.text}`);
  }

  async function untilFlushed(): Promise<void> {
    const client = createClient(service!.url);
    for (const until = performance.now() + SETTLE_MS; ; await pause(100)) {
      const { text } = await client.get('/metrics');
      if (/^colophon_unflushed_commits\{[^}]*\} 0$/m.test(text)) break;
      if (performance.now() > until) throw new Error('git did not get every answered change');
    }
    client.close();
  }

  /** The commits of the feed since the first one, page by page. */
  async function readFeed(client: Client): Promise<string[]> {
    const feed: string[] = [];
    for (;;) {
      const { json } = await client.get(`/api/cms/changes?since=${feed.at(-1) ?? base}&limit=500`);
      if (json.changes.length === 0) return feed;
      feed.push(...json.changes.map(({ commit }: { commit: string }) => commit));
    }
  }

  return {
    get answered() {
      return commits.size;
    },
    async moveIn(folder) {
      await place?.[Symbol.asyncDispose]();
      place = makePlace({ dataDir: `${folder}/data`, readyMs: START_MS });
      service = await place.start({ LOG_LEVEL: 'warn', CMS_RATE_LIMIT: '0' });
      if (cookie) return;
      await setUp(service);
      await untilFlushed();
      base = (await git(place.repository, ['rev-list', '--max-parents=0', 'main'])).trim();
    },
    async writeFor(ms) {
      isCounting = true;
      isWriting = true;
      writing = Promise.all(Array.from({ length: writers }, (_, n) => write(n)));
      await Promise.race([writing, pause(ms)]);
    },
    stopCounting() {
      isCounting = false;
      isWriting = false;
    },
    async die() {
      isCounting = false;
      isWriting = false;
      await service?.kill();
      await writing;
    },
    async check() {
      const problems: string[] = [];
      const client = createClient(service!.url, cookie);
      const { json } = await client.get('/api/cms/posts');
      const shown = new Map<string, number>(
        json.documents.map((doc: { slug: string; data: { title?: string } }) => [
          doc.slug,
          Number(doc.data.title ?? 0),
        ]),
      );
      for (const [slug, { version, asked }] of documents) {
        const found = shown.get(slug) ?? 0;
        if (found < version || found > asked)
          problems.push(`${slug} is at ${found}; ${version} was answered, ${asked} asked for`);
        // Unanswered changes that the cut left count from here on.
        documents.set(slug, { version: found, asked: Math.max(found, asked) });
      }
      await untilFlushed();
      const fsck = await git(place!.repository, ['fsck', '--strict', '--full']).catch(({ message }: Error) => message);
      if (/error|missing|corrupt|fatal/.test(fsck)) problems.push(`git fsck: ${fsck}`);
      const line = await readLine(place!.repository, base, []);
      const inLog = new Set([base, ...line.commits.map(({ id }) => id)]);
      for (const commit of commits) if (!inLog.has(commit)) problems.push(`commit ${commit} was answered and is gone`);
      const feed = await readFeed(client);
      const inFeed = feed.join();
      if (inFeed !== line.commits.map(({ id }) => id).join()) problems.push('the feed is not the log');
      const some = line.commits.at(random.whole(0, line.commits.length - 1));
      const slug = some?.changes[0]?.place.split('/')[1];
      if (slug !== undefined) {
        const { total } = (await client.get(`/api/cms/posts/${slug}/history?limit=1`)).json;
        const count = line.commits.filter(({ changes }) => changes.some((one) => one.place === `posts/${slug}`)).length;
        if (total !== count) problems.push(`${slug} has ${count} changes in the log and ${total} in its history`);
      }
      const ready = await client.get('/readyz');
      if (ready.status !== 200 || ready.json.problems?.length) problems.push(`not ready: ${ready.text}`);
      client.close();
      // A cut may lose a change that was delivered and never answered; the receiver keeps its deliveries.
      const epoch = { ...line, base, operations: [], pushes: [], looks: [], outages: [] };
      const look = () => checkDeliveries(epoch, deliveries);
      for (const until = performance.now() + SETTLE_MS; look().some((one) => one.isMissing); await pause(100)) {
        if (performance.now() > until) break;
      }
      problems.push(...look().map(({ message }) => message));
      return problems;
    },
    async [Symbol.asyncDispose]() {
      await place?.[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
