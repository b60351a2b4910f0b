// One site that two sides write at random: ours through the service, theirs as commits on its branch, while git locks
// the branch now and then, the service is killed, and a client reads the change feed. Records what each side may rely
// on, and compares documents, git and feed with it. The seed repeats the choices but not the timing.
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { SYSTEM } from '../../../src/access/actor.ts';
import { type Cms, createCms } from '../../../src/cms.ts';
import type { Document } from '../../../src/content/document.ts';
import { isCode } from '../../../src/lib/error-code.ts';
import { createRandom } from '../../support/random.ts';
import { commitBeside, git, untilTakenIn } from '../../support/store-world.ts';
import { CONFIG } from '../../support/world.ts';
import { createFeedReader } from '../feed-reader.ts';

export interface BothSides extends AsyncDisposable {
  /** What was done so far, one line each. */
  readonly done: readonly string[];
  /** One action of either side; throws if a reader does not see what was answered. */
  step(): Promise<void>;
  /**
   * Waits until everything is settled; throws if documents, git and feed differ, or if a change of either side is lost.
   */
  settle(): Promise<void>;
  /** Ends the service as an operator does, and starts it again. */
  restart(): Promise<void>;
}

/** An existing document with the last values written to it: each side has keys that the other one leaves alone. */
interface Expected {
  slug: string;
  ours: Map<string, string>;
  theirs: Map<string, string>;
}

/** So few, and with so few keys, that both sides mostly change the same one. */
const DOCUMENTS = 2;
const LONGEST_PAUSE_MS = 60;

/**
 * One function, because both sides act on the same documents and the same expectations, in an order that chance
 * chooses.
 */
export async function makeBothSides(seed: number): Promise<BothSides> {
  const random = createRandom(seed);
  const root = mkdtempSync(join(tmpdir(), 'colophon-both-sides-'));
  const expected = new Map<string, Expected>();
  const done: string[] = [];
  const fatal: unknown[] = [];
  let count = 0;
  let kills = 0;
  let dataDir = join(root, 'data');
  let cms = await open();
  const feed = createFeedReader(() => cms.site.history);

  function open(): Promise<Cms> {
    return createCms(CONFIG, { dataDir, onFatal: (error) => void fatal.push(error) });
  }

  const repository = (): string => join(dataDir, 'sites', 'default', 'content.git');
  const lockFile = (): string => join(repository(), 'refs', 'heads', 'main.lock');
  let isLocked = false;
  /** Takes the lock as git does; the service has it for some milliseconds now and then. */
  function lock(): void {
    while (!isLocked) {
      try {
        writeFileSync(lockFile(), '', { flag: 'wx' });
        isLocked = true;
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
      }
    }
  }
  function unlock(): void {
    if (isLocked) rmSync(lockFile());
    isLocked = false;
  }

  function oneOf<T>(all: readonly T[]): T {
    return all[random.whole(0, all.length - 1)]!;
  }

  async function create(slug: string): Promise<void> {
    done.push(`create ${slug}`);
    const { id } = await cms.content.create('posts', { slug, data: { title: slug } });
    expected.set(id, { slug, ours: new Map(), theirs: new Map() });
  }

  async function update({ slug, ours }: Expected): Promise<void> {
    const [key, value] = [`ours${random.whole(0, 2)}`, `${++count}`];
    done.push(`update ${slug} ${key}=${value}`);
    await cms.content.update('posts', slug, { data: { [key]: value } });
    ours.set(key, value);
  }

  async function rename(one: Expected): Promise<void> {
    const slug = `renamed-${++count}`;
    done.push(`rename ${one.slug} ${slug}`);
    await cms.content.update('posts', one.slug, { slug });
    one.slug = slug;
  }

  /** By itself or by another document; their changes that land below the deletion come back with it, or go with it. */
  async function replace(id: string, { slug }: Expected): Promise<void> {
    done.push(`delete ${slug}`);
    const { commit } = await cms.site.content.remove('posts', { slug }, SYSTEM);
    const choice = random.next();
    if (choice < 0.4) return restore(slug, commit!);
    expected.delete(id);
    await create(choice < 0.7 ? slug : `new-${++count}`);
  }

  async function restore(slug: string, commit: string): Promise<void> {
    done.push(`restore ${slug}`);
    const command = await cms.site.history.restorable('posts', slug, commit);
    await cms.site.content.restore('posts', command, SYSTEM);
  }

  /** As git does while it moves a branch, and as it leaves the lock if it is killed then. */
  function lockBranch(): void {
    done.push('lock');
    lock();
  }

  function unlockBranch(): void {
    done.push('unlock');
    unlock();
  }

  /** The service does this four times a second; here it may happen between any two steps. */
  function look(): void {
    done.push('look');
    cms.site.store.log.poll();
  }

  /** Our change is on its way to the disk when theirs comes below it. */
  async function updateMeanwhile(): Promise<void> {
    const writing = update(oneOf([...expected.values()]));
    push();
    look();
    await writing;
  }

  function readFeed(): Promise<void> {
    done.push('read the feed');
    return feed.read();
  }

  /** Tries again, as git asks people to, if our change came first. */
  function pushChange(theirs: string): Document {
    for (;;) {
      const from = git(repository(), 'rev-parse', 'main').trim();
      const { path, blob } = oneOf(listFiles());
      const doc = JSON.parse(git(repository(), 'cat-file', 'blob', blob)) as Document;
      try {
        commitBeside(repository(), { [path]: JSON.stringify({ ...doc, data: { ...doc.data, theirs } }) }, { from });
        done.push(`push ${path} theirs=${theirs}`);
        return doc;
      } catch (error) {
        if (git(repository(), 'rev-parse', 'main').trim() === from && !existsSync(lockFile())) throw error;
      }
    }
  }

  /** In one turn of the event loop. */
  function push(): void {
    const wasLocked = isLocked;
    unlock();
    const theirs = `${++count}`;
    const doc = pushChange(theirs);
    expected.get(doc.id)?.theirs.set('theirs', theirs);
    if (wasLocked) lock();
  }

  /** Copies the files as a kill would leave them; the running process keeps the originals until it is closed. */
  async function kill(): Promise<void> {
    done.push('kill');
    const left = join(root, `data-${++kills}`);
    copyStanding(join(dataDir, 'sites'), join(left, 'sites'));
    const wasLocked = isLocked;
    unlock();
    await cms.close();
    rmSync(dataDir, { recursive: true });
    dataDir = left;
    isLocked = wasLocked;
    cms = await open();
    await checkShown('ours');
    await checkShown('theirs');
  }

  const choices: [weight: number, run: () => unknown][] = [
    [28, () => update(oneOf([...expected.values()]))],
    [3, () => rename(oneOf([...expected.values()]))],
    [2, () => replace(...oneOf([...expected]))],
    [14, lockBranch],
    [3, unlockBranch],
    [22, push],
    [16, look],
    [8, updateMeanwhile],
    [12, kill],
    [4, readFeed],
  ];
  const allWeights = choices.reduce((sum, [weight]) => sum + weight, 0);

  function listFiles(): { path: string; blob: string }[] {
    const text = git(repository(), 'ls-tree', '-r', '--format=%(objectname) %(path)', 'main', 'content/posts');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ path: line.slice(41), blob: line.slice(0, 40) }));
  }

  async function checkShown(side: 'ours' | 'theirs'): Promise<void> {
    for (const [id, one] of expected) {
      const doc = await cms.content.findBySlug('posts', one.slug);
      assert.is(doc?.id, id, `${one.slug} is missing, or another document`);
      for (const [key, value] of one[side]) assert.is(doc?.data[key], value, `${one.slug} ${key}`);
    }
  }

  async function checkFiles(): Promise<void> {
    const files = listFiles();
    const { documents } = await cms.content.findMany('posts', {});
    assert.equal(
      files.map(({ path }) => path).sort(),
      documents.map(({ slug }) => `content/posts/${slug}.json`).sort(),
    );
    for (const { path, blob } of files) {
      const { _fieldMeta, ...file } = JSON.parse(git(repository(), 'cat-file', 'blob', blob));
      assert.equal(
        documents.find(({ id }) => id === file.id),
        file,
        `${path} is not what is shown`,
      );
      assert.is(cms.site.content.find('posts', { slug: file.slug })?.etag, `"${blob}"`, `entity tag of ${path}`);
    }
  }

  /** By Change-Id, as in the feed; by commit if there is no Change-Id. */
  function listCommits(): [changeId: string, commit: string][] {
    const format = '--format=%H %(trailers:key=Change-Id,valueonly,separator=)';
    return git(repository(), 'log', '--reverse', '--first-parent', format, 'main')
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(41) || line.slice(0, 40), line.slice(0, 40)]);
  }

  for (let n = 0; n < DOCUMENTS; n++) await create(`post-${n}`);
  return {
    done,
    async step() {
      let left = random.next() * allWeights;
      await choices.find(([weight]) => (left -= weight) < 0)![1]();
      if (random.next() < 0.3) await later(random.whole(0, LONGEST_PAUSE_MS));
      await checkShown('ours');
    },
    async settle() {
      done.push('settle');
      unlock();
      await untilTakenIn(cms.site.store);
      await checkShown('ours');
      await checkShown('theirs');
      await checkFiles();
      await feed.read();
      const commits = listCommits();
      assert.is(new Set(commits.map(([changeId]) => changeId)).size, commits.length, 'a change exists twice');
      assert.equal(Object.fromEntries(feed.commits), Object.fromEntries(commits), 'the feed differs from the log');
      assert.equal(fatal, []);
    },
    async restart() {
      done.push('restart');
      await cms.close();
      cms = await open();
    },
    async [Symbol.asyncDispose]() {
      unlock();
      await cms.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/**
 * A thread of the service may be renaming a pack right now, or moving the branch to a pack that exists; the code that
 * removes the log is not running.
 */
function copyStanding(from: string, to: string): void {
  for (;;) {
    try {
      cpSync(from, to, { recursive: true });
      return;
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
      rmSync(to, { recursive: true });
    }
  }
}
