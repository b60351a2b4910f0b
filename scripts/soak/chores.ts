// What others do beside the service while it runs: commits on the branch from plumbing, pushes and merges, housekeeping,
// clones. One chore at a time, as one person would.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../../test/support/process.ts';
import type { Random } from '../../test/support/random.ts';
import { COMMON_DOCUMENTS, COUNTERS } from './client.ts';
import type { Doc, Look, Push } from './history.ts';
import { SHARED } from './sender.ts';
import { type Lives, pause } from './service.ts';
import { git, headOf } from './witness.ts';

export interface Chores {
  readonly housekeeping: number;
  readonly clones: number;
  /** Since the last call; in a quiet moment. */
  take(): Promise<{ pushes: Push[]; looks: Look[]; complaints: string[] }>;
  /** Does one thing, chosen by chance. */
  doOne(): Promise<void>;
}

export interface ChoreParts {
  place: Place;
  lives: Lives;
  random: Random;
  /** An access token that may read and write. */
  token: string;
}

const GRACE = {
  GIT_AUTHOR_NAME: 'Grace',
  GIT_AUTHOR_EMAIL: 'grace@example.org',
  GIT_COMMITTER_NAME: 'Grace',
  GIT_COMMITTER_EMAIL: 'grace@example.org',
};

const HOUSEKEEPING = [
  ['gc', '--quiet'],
  ['repack', '-ad', '--quiet'],
  ['pack-refs', '--all'],
  ['repack', '-adf', '--quiet', '--write-bitmap-index'],
  ['multi-pack-index', 'write'],
  ['commit-graph', 'write', '--reachable'],
];

/** Of pushes through the service, each of which takes a while: under load somebody else is often faster. */
const SERVED_TRIES = 3;
/** Git loses a race for a lock, or finds a pack gone that somebody repacked; it must never find an object missing. */
const GRAVE = /bad object|not a valid|missing|corrupt|unable to read|broken/i;
const TRIES = 8;

export function createChores({ place, lives, random, token }: ChoreParts): Chores {
  const { repository, folder } = place;
  const clone = join(folder, 'grace.git');
  let pushes: Push[] = [];
  /** Pushes through the service that had no answer, or a refusal. */
  let open: Push[] = [];
  let looks: Look[] = [];
  let complaints: string[] = [];
  let housekeeping = 0;
  let clones = 0;
  let count = 0;
  let hasClone = false;
  let releasedAtMs = -Infinity;
  /** The branch as it was at some earlier chore. */
  let earlier = '';

  /** Their document: a new one, or one of the clients' with a key of theirs. */
  async function edit(at: string): Promise<{ path: string; text: string; place: string }> {
    const n = ++count;
    const choice = random.next();
    const place =
      choice < 0.35
        ? `${SHARED}/common-${n % COMMON_DOCUMENTS}`
        : choice < 0.45
          ? `${SHARED}/counter-${n % COUNTERS}`
          : choice < 0.75
            ? await someOwnDocument(at)
            : undefined;
    if (place) {
      const path = `content/${place}.json`;
      const doc = JSON.parse(await git(repository, ['show', `${at}:${path}`])) as Doc;
      const data = { ...doc.data, [`theirs${n % 5}`]: `pushed ${n}` };
      return { path, text: toText({ ...doc, data }), place };
    }
    const slug = `theirs-${n % 20}`;
    const at2026 = new Date(Date.UTC(2026, 0, 1) + n).toISOString();
    const id = `Theirs${String(n % 20).padStart(6, '0')}`;
    const dates = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: at2026 };
    const doc = { id, slug, collection: 'posts', status: 'draft', ...dates, data: { title: `Theirs ${n}` } };
    return { path: `content/posts/${slug}.json`, text: toText(doc), place: `posts/${slug}` };
  }

  /** One that a client changes, renames and deletes as it likes. */
  async function someOwnDocument(at: string): Promise<string | undefined> {
    const text = await git(repository, ['ls-tree', '--name-only', at, 'content/posts/']);
    const places = [...text.matchAll(/^content\/(posts\/w.*)\.json$/gm)].map((match) => match[1]!);
    return places[random.whole(0, places.length - 1)];
  }

  /** A commit of one file on `onto`; it may be made where only a clone has it. */
  async function commitOn(
    where: string,
    onto: string,
    parents: readonly string[],
    file: { path: string; text: string },
  ): Promise<{ commit: string; blob: string }> {
    const index = join(folder, `index-${count}`);
    const env = { ...GRACE, GIT_INDEX_FILE: index };
    const run = async (args: string[], input?: string): Promise<string> =>
      (await git(where, args, input === undefined ? { env } : { env, input })).trim();
    try {
      await run(['read-tree', onto]);
      const blob = await run(['hash-object', '-w', '--stdin'], file.text);
      await run(['update-index', '--add', '--cacheinfo', `100644,${blob},${file.path}`]);
      const tree = await run(['write-tree']);
      const commit = await run(['commit-tree', tree, ...parents.flatMap((id) => ['-p', id]), '-m', `Theirs ${count}`]);
      return { commit, blob };
    } finally {
      rmSync(index, { force: true });
    }
  }

  type Publish = (commit: string, onto: string) => Promise<unknown>;

  /** Until nobody was faster, as people do; what never got there is no push. */
  async function contribute(
    where: string,
    fetch: () => Promise<string>,
    parentsOf: (onto: string, file: { path: string; text: string }) => Promise<string[]>,
    publish: Publish,
    isServed = false,
  ): Promise<void> {
    for (let tries = isServed ? SERVED_TRIES : TRIES; tries > 0; tries--) {
      const onto = await fetch();
      const file = await edit(onto);
      const { commit, blob } = await commitOn(where, onto, await parentsOf(onto, file), file);
      const push = { commit, onto, place: file.place, blob, startedAtMs: performance.now(), isServed };
      try {
        await publish(commit, onto);
        pushes.push({ ...push, doneAtMs: performance.now() });
        return;
      } catch (error) {
        noteGrave(error as Error);
        if (isServed) open.push({ ...push, doneAtMs: Number.POSITIVE_INFINITY });
        await pause(random.whole(5, 60));
      }
    }
  }

  const fetchHere = (): Promise<string> => headOf(repository);
  const moveBranch: Publish = (commit, onto) => git(repository, ['update-ref', 'refs/heads/main', commit, onto]);

  /** Plumbing in the repository itself. */
  const commitBeside = (): Promise<void> => contribute(repository, fetchHere, async (onto) => [onto], moveBranch);

  /** What `git pull` makes of a commit on an old state: a merge whose first parent is theirs. */
  async function mergeBeside(): Promise<void> {
    const old = earlier;
    await contribute(
      repository,
      fetchHere,
      // Without anything of ours in between there is nothing to merge.
      async (onto, file) =>
        old === '' || old === onto ? [onto] : [(await commitOn(repository, old, [old], file)).commit, onto],
      moveBranch,
    );
  }

  async function pushFromClone(): Promise<void> {
    const isServed = random.next() < 0.5;
    if (!hasClone) {
      await git(folder, ['clone', '--quiet', '--bare', '--no-local', repository, clone]);
      hasClone = true;
    }
    await contribute(
      clone,
      async () => {
        await git(clone, ['fetch', '--quiet', repository, '+refs/heads/main:refs/heads/main']);
        return headOf(clone);
      },
      async (onto) => [onto],
      async (commit) => {
        const to = isServed ? await served() : repository;
        await git(clone, ['push', '--quiet', to, `${commit}:refs/heads/main`]);
      },
      isServed,
    );
  }

  /** The repository's address at the service. */
  async function served(): Promise<string> {
    return `${(await lives.serving()).replace('://', `://x:${token}@`)}/git/default.git`;
  }

  /** Of a push without an answer the branch knows. */
  async function settle(): Promise<void> {
    for (const push of open.splice(0)) {
      const isIn = await git(repository, ['merge-base', '--is-ancestor', push.commit, 'main']).then(
        () => true,
        () => false,
      );
      if (isIn) pushes.push(push);
    }
  }

  async function keepHouse(): Promise<void> {
    const command = HOUSEKEEPING[random.whole(0, HOUSEKEEPING.length - 1)]!;
    housekeeping++;
    await git(repository, command).catch(noteGrave);
  }

  /** As git does while it moves the branch, only longer: changes pile up in the write-ahead log. */
  async function holdBranch(): Promise<void> {
    const lock = join(repository, 'refs', 'heads', 'main.lock');
    try {
      writeFileSync(lock, '', { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
      throw error;
    }
    await pause(random.whole(50, 1500));
    rmSync(lock);
    releasedAtMs = performance.now();
  }

  /** Since when nothing was in the service's way. */
  const clearSince = (): number => Math.max(lives.upSinceMs, releasedAtMs);

  async function look(): Promise<void> {
    const { isServing } = lives;
    const upSinceMs = clearSince();
    const startedAtMs = performance.now();
    const head = await headOf(repository);
    earlier = head;
    if (isServing && lives.isServing && clearSince() === upSinceMs) looks.push({ head, startedAtMs, upSinceMs });
  }

  async function cloneAll(): Promise<void> {
    const isServed = random.next() < 0.6;
    const to = mkdtempSync(join(folder, 'clone-'));
    const from = isServed ? await served() : repository;
    const upSinceMs = clearSince();
    const startedAtMs = performance.now();
    try {
      await git(folder, ['clone', '--quiet', '--bare', '--no-local', from, to]);
      const head = await headOf(to);
      if (lives.isServing && clearSince() === upSinceMs) looks.push({ head, startedAtMs, upSinceMs, isServed });
      await git(to, ['fsck', '--strict']);
      clones++;
    } catch (error) {
      // A clone from a service that is killed meanwhile is none.
      if (!isServed || (lives.isServing && clearSince() === upSinceMs)) complaints.push((error as Error).message);
    } finally {
      rmSync(to, { recursive: true, force: true });
    }
  }

  function noteGrave({ message }: Error): void {
    if (GRAVE.test(message)) complaints.push(message);
  }

  const CHOICES: [weight: number, chore: () => Promise<void>][] = [
    [4, commitBeside],
    [2, mergeBeside],
    [3, pushFromClone],
    [2, keepHouse],
    [3, holdBranch],
    [6, look],
    [1, cloneAll],
  ];
  const total = CHOICES.reduce((sum, [weight]) => sum + weight, 0);

  return {
    get housekeeping() {
      return housekeeping;
    },
    get clones() {
      return clones;
    },
    async take() {
      await settle();
      const taken = { pushes, looks, complaints };
      pushes = [];
      open = [];
      looks = [];
      complaints = [];
      return taken;
    },
    async doOne() {
      let left = random.next() * total;
      for (const [weight, chore] of CHOICES) {
        left -= weight;
        if (left < 0) return chore();
      }
    },
  };
}

function toText(doc: unknown): string {
  return `${JSON.stringify(doc, null, 2)}\n`;
}
