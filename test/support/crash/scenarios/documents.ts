// Documents as the service writes them, with their trailers, so that views, feed and history can be made of what is
// left (views.ts): created, changed, renamed and deleted, with and without external commits between them.
import { commitOutside } from '../outsider.ts';
import type { Stage } from '../stage.ts';
import { textOf } from './text.ts';

const AT = '2026-01-02T03:04:05.000Z';

export const pathOf = (slug: string): string => `content/posts/${slug}.json`;
const idOf = (name: string): string => `Doc${name.padStart(9, '0')}`;

function fileOf(name: string, slug: string, title: string): string {
  const head = { id: idOf(name), slug, collection: 'posts', status: 'draft', createdAt: AT, updatedAt: AT };
  return `${JSON.stringify({ ...head, data: { title } }, null, 2)}\n`;
}

function submit(stage: Stage, event: string, name: string, files: Record<string, string | null>): Promise<void> {
  const trailers = [`Event: document.${event}`, `Document-Id: ${idOf(name)}`, 'Fields: title', 'Actor: user'];
  return stage.submit(files, { subject: `posts/${name}: ${event}`, trailers });
}

const change = (stage: Stage, ...args: [string, string, Record<string, string | null>]): Promise<void> =>
  stage.time.until(submit(stage, ...args));

export async function documents(stage: Stage): Promise<void> {
  stage.open();
  const text = (): string => textOf(stage, 1, 300);
  await change(stage, 'created', 'a', { [pathOf('a')]: fileOf('a', 'a', text()) });
  await change(stage, 'created', 'b', { [pathOf('b')]: fileOf('b', 'b', text()) });
  await stage.flush();
  const answers = ['c', 'd'].map((name) =>
    submit(stage, 'created', name, { [pathOf(name)]: fileOf(name, name, text()) }),
  );
  await stage.time.until(Promise.all(answers));
  await change(stage, 'updated', 'a', { [pathOf('a')]: fileOf('a', 'a', text()) });
  await change(stage, 'renamed', 'b', { [pathOf('b')]: null, [pathOf('b-new')]: fileOf('b', 'b-new', text()) });
  if (stage.random.whole(0, 1)) await stage.flush();
  await change(stage, 'deleted', 'c', { [pathOf('c')]: null });
  await change(stage, 'created', 'e', { [pathOf('c')]: fileOf('e', 'c', text()) });
  await stage.flush();
}

/** Our commits are replayed on an external one, and get other ids. */
export async function documentsOfTwo(stage: Stage): Promise<void> {
  stage.open();
  await change(stage, 'created', 'a', { [pathOf('a')]: fileOf('a', 'a', textOf(stage, 1, 300)) });
  await stage.flush();
  for (let n = 0; n < 2; n++) {
    await change(stage, 'updated', 'a', { [pathOf('a')]: fileOf('a', 'a', `ours ${n}`) });
    commitOutside(stage, { [pathOf(`theirs-${n}`)]: fileOf(`t${n}`, `theirs-${n}`, textOf(stage, 1, 200)) });
    await change(stage, 'created', `o${n}`, { [pathOf(`o-${n}`)]: fileOf(`o${n}`, `o-${n}`, 'on top') });
    if (stage.random.whole(0, 1)) await stage.flush();
  }
  stage.kill();
  commitOutside(stage, { [pathOf('down')]: fileOf('down', 'down', 'while nobody serves') });
  stage.open();
  await change(stage, 'updated', 'a', { [pathOf('a')]: fileOf('a', 'a', 'last') });
  await stage.flush();
}
