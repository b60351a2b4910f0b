// What other programs do to the repository while the service runs: commits made with plumbing, pushes and merges,
// housekeeping, clones. One chore at a time, as one person would.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCode } from '../../src/lib/error-code.ts';
import type { Place } from '../../test/support/process.ts';
import type { Random } from '../../test/support/random.ts';
import { COMMON_DOCUMENTS, COUNTERS } from './client.ts';
import { type Contribution, type Contributor, toContribution } from './contribute.ts';
import type { Doc, FailedClone, Look } from './history.ts';
import { SHARED } from './sender.ts';
import { type Lives, pause } from './service.ts';
import { git, headOf } from './witness.ts';

export interface Chores {
  readonly housekeeping: number;
  readonly clones: number;
  /** Returns what was seen since the last call. */
  drainLooks(): { looks: Look[]; failedClones: FailedClone[] };
  /** Does one chore, chosen at random. */
  doOne(): Promise<void>;
}

export interface ChoreParts {
  place: Place;
  lives: Lives;
  random: Random;
  contributor: Contributor;
  /** The repository's URL at the service. */
  served(): Promise<string>;
}

const HOUSEKEEPING = [
  ['gc', '--quiet'],
  ['repack', '-ad', '--quiet'],
  ['pack-refs', '--all'],
  ['repack', '-adf', '--quiet', '--write-bitmap-index'],
  ['multi-pack-index', 'write'],
  ['commit-graph', 'write', '--reachable'],
];

/** One function, because the chores share one clone, one earlier state of the branch, and what was seen of both. */
export function createChores({ place, lives, random, contributor, served }: ChoreParts): Chores {
  const { repository, folder } = place;
  const { contribute, commitOn, noteGrave, complain } = contributor;
  const clone = join(folder, 'grace.git');
  let looks: Look[] = [];
  let failedClones: FailedClone[] = [];
  let housekeeping = 0;
  let clones = 0;
  let count = 0;
  let hasClone = false;
  /** The branch at some earlier chore. */
  let earlier = '';

  /** A document of an external author: a new one, or one of the clients' with an added key. */
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

  /** A document that a client changes, renames and deletes as it likes. */
  async function someOwnDocument(at: string): Promise<string | undefined> {
    const text = await git(repository, ['ls-tree', '--name-only', at, 'content/posts/']);
    const places = [...text.matchAll(/^content\/(posts\/w.*)\.json$/gm)].map((match) => match[1]!);
    return places[random.whole(0, places.length - 1)];
  }

  const fetchHere = (): Promise<string> => headOf(repository);
  const moveBranch = (commit: string, onto: string) => git(repository, ['update-ref', 'refs/heads/main', commit, onto]);
  const editIn =
    (where: string) =>
    async (onto: string): Promise<Contribution> =>
      toContribution(where, await edit(onto));

  /** Plumbing in the repository itself. */
  async function commitBeside(): Promise<void> {
    await contribute({ where: repository, fetch: fetchHere, publish: moveBranch }, editIn(repository));
  }

  /** What `git pull` makes of a commit on an old state: a merge whose first parent is the external commit. */
  async function mergeBeside(): Promise<void> {
    const old = earlier;
    // Without a commit of the service in between there is nothing to merge.
    const parentsOf = async (onto: string, contribution: Contribution): Promise<string[]> =>
      old === '' || old === onto ? [onto] : [await commitOn(repository, old, [old], contribution), onto];
    await contribute({ where: repository, fetch: fetchHere, publish: moveBranch, parentsOf }, editIn(repository));
  }

  async function pushFromClone(): Promise<void> {
    const isServed = random.next() < 0.5;
    if (!hasClone) {
      await git(folder, ['clone', '--quiet', '--bare', '--no-local', repository, clone]);
      hasClone = true;
    }
    const fetch = async (): Promise<string> => {
      await git(clone, ['fetch', '--quiet', repository, '+refs/heads/main:refs/heads/main']);
      return headOf(clone);
    };
    const publish = async (commit: string): Promise<unknown> =>
      git(clone, ['push', '--quiet', isServed ? await served() : repository, `${commit}:refs/heads/main`]);
    await contribute({ where: clone, fetch, publish, isServed }, editIn(clone));
  }

  async function keepHouse(): Promise<void> {
    const command = HOUSEKEEPING[random.whole(0, HOUSEKEEPING.length - 1)]!;
    housekeeping++;
    await git(repository, command).catch(noteGrave);
  }

  /** Does what git does while it moves the branch, only longer: changes pile up in the write-ahead log. */
  async function holdBranch(): Promise<void> {
    const lock = join(repository, 'refs', 'heads', 'main.lock');
    try {
      writeFileSync(lock, '', { flag: 'wx' });
    } catch (error) {
      if (isCode(error, 'EEXIST')) return;
      throw error;
    }
    await lives.hinder(async () => {
      await pause(random.whole(50, 1500));
      rmSync(lock);
    });
  }

  async function look(): Promise<void> {
    const upSinceMs = lives.clearSinceMs;
    const startedAtMs = performance.now();
    const head = await headOf(repository);
    earlier = head;
    if (lives.clearSinceMs === upSinceMs) looks.push({ head, startedAtMs, upSinceMs });
  }

  async function cloneAll(): Promise<void> {
    const isServed = random.next() < 0.6;
    const to = mkdtempSync(join(folder, 'clone-'));
    const from = isServed ? await served() : repository;
    const upSinceMs = lives.clearSinceMs;
    const startedAtMs = performance.now();
    try {
      await git(folder, ['clone', '--quiet', '--bare', '--no-local', from, to]);
    } catch (error) {
      const { message } = error as Error;
      failedClones.push({ message, isServed, upSinceMs, stillUpSinceMs: lives.clearSinceMs });
      rmSync(to, { recursive: true, force: true });
      return;
    }
    try {
      const head = await headOf(to);
      if (lives.clearSinceMs === upSinceMs) looks.push({ head, startedAtMs, upSinceMs, isServed });
      await git(to, ['fsck', '--strict']);
      clones++;
    } catch (error) {
      complain((error as Error).message);
    } finally {
      rmSync(to, { recursive: true, force: true });
    }
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
    drainLooks() {
      const drained = { looks, failedClones };
      looks = [];
      failedClones = [];
      return drained;
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
