// The people of the week: those who write through the API, and those who write in a clone of the git host.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '../../test/support/client.ts';
import { git } from '../../test/support/git.ts';
import type { Random } from '../../test/support/random.ts';
import { EDIT_KINDS, type EditKind, editText } from './edits.ts';
import type { Ledger } from './ledger.ts';

export interface Person {
  readonly name: string;
  /** One piece of work on one of the texts. */
  work(slug: string): Promise<void>;
  /** What happened to this person, such as conflicts. */
  readonly counts: Record<string, number>;
}

interface PersonParts {
  name: string;
  ledger: Ledger;
  random: Random;
}

const MOST_TRIES = 12;

/** Writes through the API with `If-Match`, reads again after a 412, and makes the same kind of edit again. */
export function createEditor({ name, ledger, random, client }: PersonParts & { client: Client }): Person {
  const counts = { edits: 0, titles: 0, stale: 0 };
  return {
    name,
    counts,
    async work(slug) {
      const kind = EDIT_KINDS[random.whole(0, EDIT_KINDS.length - 1)]!;
      const isTitle = random.next() < 0.15;
      const word = ledger.next();
      for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
        const read = await client.get(`/api/cms/posts/${slug}`);
        if (read.status !== 200) throw new Error(`${slug}: ${read.text}`);
        const { title, body } = read.json.data;
        const before: string = isTitle ? title : body;
        const after = isTitle ? `${before.replace(/ \(wk\w+\)$/, '')} (${word})` : editText(before, kind, word, random);
        if (after === undefined) return;
        // Writing takes a person a while, in which others write.
        await new Promise((resume) => setTimeout(resume, random.whole(0, 60)));
        const data = isTitle ? { title: after } : { body: after };
        const reply = await client.patch(`/api/cms/posts/${slug}`, { data }, { 'if-match': read.headers.etag ?? '' });
        if (reply.status === 412) {
          counts.stale++;
          continue;
        }
        if (reply.status !== 200) throw new Error(`${slug}: ${reply.status} ${reply.text}`);
        counts[isTitle ? 'titles' : 'edits']++;
        ledger.accept({ word, who: name, slug, kind: isTitle ? 'title' : kind }, before, after);
        return;
      }
      throw new Error(`${name} could not write ${slug}`);
    },
  };
}

/**
 * Edits one to three texts in a clone, commits, and pulls and pushes some time later, as a person on a train does. A
 * conflict is resolved by keeping both sides.
 */
export function createCommitter(parts: PersonParts & { clone: string; extension: string; slugs: string[] }): Person {
  const { name, ledger, random, clone, extension, slugs } = parts;
  const counts = { edits: 0, commits: 0, pushes: 0, beaten: 0, conflicts: 0 };
  const mine: { word: string; slug: string; kind: EditKind }[] = [];
  const run = (...args: string[]) =>
    git(clone, '-c', `user.name=${name}`, '-c', `user.email=${name}@example.org`, ...args);
  const fileOf = (slug: string): string => path.join('content', 'posts', `${slug}.${extension}`);
  const read = (slug: string): string => readFileSync(path.join(clone, fileOf(slug)), 'utf8');

  function edit(slug: string): boolean {
    const kind = EDIT_KINDS[random.whole(0, EDIT_KINDS.length - 1)]!;
    if (!existsSync(path.join(clone, fileOf(slug)))) return false;
    const text = read(slug);
    const word = ledger.next();
    const edited = editBody(text, extension, (body) => editText(body, kind, word, random));
    if (edited === undefined) return false;
    writeFileSync(path.join(clone, fileOf(slug)), edited);
    mine.push({ word, slug, kind });
    counts.edits++;
    return true;
  }

  async function resolveConflicts(): Promise<void> {
    for (;;) {
      const names = (await run('diff', '--name-only', '--diff-filter=U')).split('\n').filter(Boolean);
      if (names.length === 0) return;
      for (const file of names) {
        counts.conflicts++;
        const sides = await Promise.all([1, 2, 3].map((stage) => run('show', `:${stage}:${file}`)));
        const places = sides.map((side, at) => {
          const place = path.join(clone, '.git', `side-${at}`);
          writeFileSync(place, side);
          return place;
        });
        const [base, theirs, ours] = places as [string, string, string];
        const keep = extension === 'md' ? '--union' : '--ours';
        writeFileSync(path.join(clone, file), await run('merge-file', '-p', keep, theirs, base, ours));
        await run('add', file);
      }
      // Fails if the next commit conflicts too.
      await run('-c', 'core.editor=true', 'rebase', '--continue').catch(() => undefined);
    }
  }

  async function pushAll(): Promise<void> {
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      await run('pull', '--quiet', '--rebase').catch(resolveConflicts);
      const before = await run('rev-parse', 'origin/main');
      try {
        await run('push', '--quiet', 'origin', 'HEAD:main');
      } catch {
        counts.beaten++;
        continue;
      }
      counts.pushes++;
      for (const { word, slug, kind } of mine.splice(0)) {
        const old = await run('show', `${before.trim()}:${fileOf(slug)}`);
        ledger.accept({ word, who: name, slug, kind }, old, read(slug));
      }
      return;
    }
    throw new Error(`${name} could not push`);
  }

  return {
    name,
    counts,
    async work(slug) {
      const more = Array.from({ length: random.whole(0, 2) }, () => slugs[random.whole(0, slugs.length - 1)]!);
      const edited = [...new Set([slug, ...more])].filter(edit);
      if (edited.length > 0) {
        await run('commit', '--quiet', '--all', '--message', `Edit ${edited.join(', ')}`);
        counts.commits++;
      }
      if (mine.length > 0 && random.next() < 0.5) await pushAll();
    },
  };
}

/** Applies `change` to the body in the text of a document's file. */
function editBody(text: string, extension: string, change: (body: string) => string | undefined): string | undefined {
  if (extension === 'md') {
    const end = text.indexOf('\n---\n', 4) + 5;
    const body = change(text.slice(end));
    return body === undefined ? undefined : text.slice(0, end) + body;
  }
  const document = JSON.parse(text);
  const body = change(document.data.body);
  return body === undefined
    ? undefined
    : `${JSON.stringify({ ...document, data: { ...document.data, body } }, null, 2)}\n`;
}
