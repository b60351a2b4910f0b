// One soak client: chooses its next step at random and by what it knows. It has its own documents, shares others with
// all clients, and competes for some slugs.
import type { Random } from '../../test/support/random.ts';
import type { Operation } from './history.ts';
import { type Sender, SHARED } from './sender.ts';

export const COMMON_DOCUMENTS = 6;
export const COUNTERS = 3;
const ARENA_SLUGS = 10;
const MOST_OWN = 6;
const TRIES = 6;
const STATUSES = ['draft', 'published', 'archived'];

export interface SoakClient {
  /** Runs until `stop()`, and then until its last answer. */
  run(): { done: Promise<void>; stop(): void };
  close(): void;
}

/**
 * Slugs of a client begin with its number, so no other client uses them. One function, because each step is chosen by
 * what the client knows of its documents, and changes what it knows.
 */
export function createSoakClient(number: number, random: Random, sender: Sender): SoakClient {
  const own: string[] = [];
  const notes: string[] = [];
  const lockedFields = new Set<string>();
  let count = 0;
  let isStopped = false;

  const unique = (): string => `${number}x${++count}`;
  const pick = <T>(items: readonly T[]): T => items[random.whole(0, items.length - 1)]!;
  const isOk = ({ outcome }: Operation): boolean => outcome.kind === 'ok';
  const send = async (...args: Parameters<Sender['send']>): Promise<Operation> =>
    (await sender.send(...args)).operation;

  /** Two keys with one value, so that half a write would show. */
  function pair(prefix: string): Record<string, unknown> {
    const value = unique();
    const body = random.next() < 0.02 ? { body: `${value} `.repeat(random.whole(500, 8000)) } : {};
    return { [`${prefix}a`]: value, [`${prefix}b`]: value, ...body };
  }

  async function create(): Promise<void> {
    if (own.length >= MOST_OWN) return remove();
    const slug = `w${unique()}`;
    const status = random.next() < 0.3 ? { status: 'published' } : {};
    const data = { title: `Post ${slug}`, ...pair('k') };
    const { outcome } = await send({ kind: 'create', collection: 'posts', slug, data, ...status }, mayHangUp());
    if (outcome.kind === 'ok' || outcome.kind === 'unknown') own.push(slug);
  }

  async function remove(): Promise<void> {
    const [slug] = own.splice(random.whole(0, own.length - 1), 1);
    if (slug === undefined) return;
    const { outcome } = await send({ kind: 'delete', collection: 'posts', slug });
    const deletion = outcome.kind === 'ok' ? outcome.commit : undefined;
    const choice = random.next();
    if (choice < 0.3) {
      // The same slug for another document.
      const again = await send({ kind: 'create', collection: 'posts', slug, data: { title: 'Again', ...pair('k') } });
      if (isOk(again)) own.push(slug);
    } else if (choice < 0.7 && deletion !== undefined) {
      const back = await send({ kind: 'restore', collection: 'posts', slug, commit: deletion }, mayHangUp());
      if (isOk(back)) own.push(slug);
    }
  }

  async function patchOwn(): Promise<void> {
    if (own.length === 0) return create();
    const data = pair(`k${random.whole(0, 3)}`);
    await send({ kind: 'update', collection: 'posts', slug: pick(own), data }, mayHangUp());
  }

  async function patchCommon(): Promise<void> {
    const slug = `common-${random.whole(0, COMMON_DOCUMENTS - 1)}`;
    await send({ kind: 'update', collection: SHARED, slug, data: pair(`c${number}`) });
  }

  /** Counts up by one, from the state that it saw. */
  async function countUp(): Promise<void> {
    const slug = `counter-${random.whole(0, COUNTERS - 1)}`;
    for (let tries = 0; tries < TRIES && !isStopped; tries++) {
      const { operation, doc } = await sender.send({ kind: 'get', collection: SHARED, slug });
      const seen = operation.outcome.kind === 'ok' ? operation.outcome.seen?.[0] : undefined;
      if (!doc || seen?.blob === undefined) return;
      const data = { count: Number(doc.data.count ?? 0) + 1, by: unique() };
      const { outcome } = await send({ kind: 'update', collection: SHARED, slug, data, ifMatch: seen.blob });
      if (outcome.kind !== 'refused') return;
    }
  }

  async function rename(): Promise<void> {
    const at = random.whole(0, own.length - 1);
    const slug = own[at];
    if (slug === undefined) return create();
    const to = `w${unique()}`;
    const renamed = await send({ kind: 'update', collection: 'posts', slug, to, data: pair('r') }, mayHangUp());
    if (isOk(renamed)) own[at] = to;
    else if (renamed.outcome.kind === 'unknown') own.push(to);
    else if (renamed.outcome.kind === 'refused') own.splice(at, 1);
  }

  async function changeStatus(): Promise<void> {
    if (own.length === 0) return create();
    await send({ kind: 'update', collection: 'posts', slug: pick(own), status: pick(STATUSES) });
  }

  async function lock(): Promise<void> {
    const isCommon = random.next() < 0.4;
    if (!isCommon && own.length === 0) return create();
    const collection = isCommon ? SHARED : 'posts';
    const slug = isCommon ? `common-${random.whole(0, COMMON_DOCUMENTS - 1)}` : pick(own);
    // Each client has its own field in common documents, so that only this client decides whether it is locked.
    const field = isCommon ? `c${number}a` : 'title';
    const name = `${collection}/${slug}/${field}`;
    if (isCommon && !lockedFields.has(name)) await send({ kind: 'update', collection, slug, data: pair(`c${number}`) });
    const isUnlock = lockedFields.has(name) && random.next() < 0.6;
    const done = isUnlock
      ? await send({ kind: 'unlock', collection, slug, field })
      : await send({ kind: 'lock', collection, slug, field, reason: unique() });
    if (isOk(done)) lockedFields[isUnlock ? 'delete' : 'add'](name);
  }

  /** All clients compete for these slugs. */
  async function fight(): Promise<void> {
    const slug = `arena-${random.whole(0, ARENA_SLUGS - 1)}`;
    const collection = 'arena';
    const choice = random.next();
    if (choice < 0.4) await send({ kind: 'create', collection, slug, data: { title: slug, ...pair('k') } });
    else if (choice < 0.6) await send({ kind: 'delete', collection, slug });
    else if (choice < 0.75) {
      const to = `arena-${random.whole(0, ARENA_SLUGS - 1)}`;
      if (to !== slug) await send({ kind: 'update', collection, slug, to });
    } else if (choice < 0.9) await send({ kind: 'update', collection, slug, data: pair(`c${number % 4}`) });
    else await deleteAsSeen(collection, slug);
  }

  async function deleteAsSeen(collection: string, slug: string): Promise<void> {
    const { outcome } = await send({ kind: 'get', collection, slug });
    const blob = outcome.kind === 'ok' ? outcome.seen?.[0]?.blob : undefined;
    if (blob !== undefined) await send({ kind: 'delete', collection, slug, ifMatch: blob });
  }

  /** A creation that is sent again until there is an answer: it makes one document. */
  async function createOnce(): Promise<void> {
    const action = {
      kind: 'create' as const,
      collection: 'notes',
      data: { title: `Note ${random.next() < 0.3 ? 'of a client' : unique()}`, ...pair('k') },
      key: `key-${unique()}`,
    };
    for (;;) {
      const { operation, doc } = await sender.send(action, mayHangUp(0.3));
      const { outcome } = operation;
      const isOpen = outcome.kind === 'unknown' || outcome.kind === 'unsent';
      if (isOpen || (outcome.kind === 'refused' && [409, 503].includes(outcome.status))) continue;
      if (doc) notes.push(doc.slug);
      break;
    }
    if (notes.length > MOST_OWN) await send({ kind: 'delete', collection: 'notes', slug: notes.shift()! });
  }

  async function read(): Promise<void> {
    const choice = random.next();
    if (choice < 0.3 && own.length) await send({ kind: 'get', collection: 'posts', slug: pick(own) });
    else if (choice < 0.6)
      await send({ kind: 'get', collection: SHARED, slug: `common-${random.whole(0, COMMON_DOCUMENTS - 1)}` });
    else if (choice < 0.8)
      await send({ kind: 'get', collection: 'arena', slug: `arena-${random.whole(0, ARENA_SLUGS - 1)}` });
    else if (choice < 0.9) await send({ kind: 'list', collection: pick(['posts', 'arena', 'notes']), isWhole: false });
    else {
      const status = random.next() < 0.5 ? { status: pick(STATUSES) } : {};
      await send({ kind: 'list', collection: pick(['arena', 'arena', 'arena', 'posts']), isWhole: true, ...status });
    }
  }

  async function writeAndSearch(): Promise<void> {
    if (own.length === 0) return create();
    const slug = pick(own);
    const word = `zq${unique()}y`;
    const data = { title: `Found by ${word}`, ...pair('k') };
    const written = await send({ kind: 'update', collection: 'posts', slug, data });
    if (isOk(written)) await send({ kind: 'search', collection: 'posts', slug, word });
  }

  function mayHangUp(chance = 0.02): { hangUpAfterMs?: number } {
    return random.next() < chance ? { hangUpAfterMs: random.whole(0, 30) } : {};
  }

  const CHOICES: [weight: number, step: () => Promise<void>][] = [
    [10, create],
    [15, patchOwn],
    [15, patchCommon],
    [8, countUp],
    [5, rename],
    [5, changeStatus],
    [5, lock],
    [10, fight],
    [5, createOnce],
    [18, read],
    [4, writeAndSearch],
  ];
  const total = CHOICES.reduce((sum, [weight]) => sum + weight, 0);

  async function step(): Promise<void> {
    let left = random.next() * total;
    for (const [weight, act] of CHOICES) {
      left -= weight;
      if (left < 0) return act();
    }
  }

  return {
    run() {
      isStopped = false;
      const done = (async () => {
        while (!isStopped) await step();
      })();
      return { done, stop: () => void (isStopped = true) };
    },
    close: () => sender.close(),
  };
}

/** The initial documents that all clients share. */
export function sharedSlugs(): string[] {
  return [
    ...Array.from({ length: COMMON_DOCUMENTS }, (_, n) => `common-${n}`),
    ...Array.from({ length: COUNTERS }, (_, n) => `counter-${n}`),
  ];
}
