// How external commits get onto the branch: made with plumbing, published again until no one was faster, and recorded
// with what the branch must then have. A push without an answer is settled by the branch itself.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../../test/support/process.ts';
import type { Random } from '../../test/support/random.ts';
import type { Push } from './history.ts';
import { pause } from './service.ts';
import { git } from './witness.ts';

/** What a commit changes: its files as documents, and how the index of its parent becomes its own. */
export interface Contribution {
  files: readonly { place: string; blob: string }[];
  stage(run: (args: string[], input?: string) => Promise<string>): Promise<void>;
}

export interface Route {
  /** The repository in which the commit is made. */
  where: string;
  /** The commit that the branch is at now; the repository `where` has it. */
  fetch(): Promise<string>;
  publish(commit: string, onto: string): Promise<unknown>;
  /** The parents of the commit; `onto` if absent. */
  parentsOf?(onto: string, contribution: Contribution): Promise<string[]>;
  /** Published through the service, which may answer later, or never. */
  isServed?: boolean;
}

export interface Contributor {
  /** Publishes until no one was faster, as people do. Returns false if others were always faster. */
  contribute(route: Route, makeOn: (onto: string) => Promise<Contribution>): Promise<boolean>;
  commitOn(where: string, onto: string, parents: readonly string[], contribution: Contribution): Promise<string>;
  /** Keeps an error of git if it reports that objects are missing or broken. */
  noteGrave(error: Error): void;
  complain(message: string): void;
  /** Returns everything since the last call; called in a quiet moment. */
  drain(): Promise<{ pushes: Push[]; complaints: string[] }>;
}

const GRACE = {
  GIT_AUTHOR_NAME: 'Grace',
  GIT_AUTHOR_EMAIL: 'grace@example.org',
  GIT_COMMITTER_NAME: 'Grace',
  GIT_COMMITTER_EMAIL: 'grace@example.org',
};

/** Attempts through the service, each of which takes a while: under load others are often faster. */
const SERVED_TRIES = 3;
/** Git may lose a race for a lock, or find that a pack was replaced; it must never miss an object. */
const GRAVE = /bad object|not a valid|missing|corrupt|unable to read|broken/i;
const TRIES = 8;

export function createContributor({ folder, repository }: Place, random: Random): Contributor {
  let pushes: Push[] = [];
  /** Pushes through the service that had no answer, or a refusal. */
  const open: Push[] = [];
  let complaints: string[] = [];
  let count = 0;

  const complain = (message: string): void => void complaints.push(message);
  const noteGrave = ({ message }: Error): void => {
    if (GRAVE.test(message)) complain(message);
  };

  async function commitOn(
    where: string,
    onto: string,
    parents: readonly string[],
    { stage }: Contribution,
  ): Promise<string> {
    const n = ++count;
    const index = join(folder, `index-${n}`);
    const env = { ...GRACE, GIT_INDEX_FILE: index };
    const run = async (args: string[], input?: string): Promise<string> =>
      (await git(where, args, input === undefined ? { env } : { env, input })).trim();
    try {
      await run(['read-tree', onto]);
      await stage(run);
      const tree = await run(['write-tree']);
      return await run(['commit-tree', tree, ...parents.flatMap((id) => ['-p', id]), '-m', `Theirs ${n}`]);
    } finally {
      rmSync(index, { force: true });
    }
  }

  return {
    commitOn,
    noteGrave,
    complain,
    async contribute({ where, fetch, publish, parentsOf, isServed = false }, makeOn) {
      for (let tries = isServed ? SERVED_TRIES : TRIES; tries > 0; tries--) {
        const onto = await fetch();
        const contribution = await makeOn(onto);
        const parents = (await parentsOf?.(onto, contribution)) ?? [onto];
        const commit = await commitOn(where, onto, parents, contribution);
        const push = { commit, onto, files: contribution.files, startedAtMs: performance.now(), isServed };
        try {
          await publish(commit, onto);
          pushes.push({ ...push, doneAtMs: performance.now() });
          return true;
        } catch (error) {
          noteGrave(error as Error);
          if (isServed) open.push({ ...push, doneAtMs: Number.POSITIVE_INFINITY });
          await pause(random.whole(5, 60));
        }
      }
      return false;
    },
    async drain() {
      for (const push of open.splice(0)) {
        const isIn = await git(repository, ['merge-base', '--is-ancestor', push.commit, 'main']).then(
          () => true,
          () => false,
        );
        if (isIn) pushes.push(push);
      }
      const drained = { pushes, complaints };
      pushes = [];
      complaints = [];
      return drained;
    },
  };
}

/** One file, written in the repository in which the commit is made. */
export async function toContribution(
  where: string,
  { path, text, place }: { path: string; text: string; place: string },
): Promise<Contribution> {
  const blob = (await git(where, ['hash-object', '-w', '--stdin'], { input: text })).trim();
  return {
    files: [{ place, blob }],
    stage: async (run) => {
      await run(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`]);
    },
  };
}
