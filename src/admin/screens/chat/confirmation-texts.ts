// A call that waits, in words. Pure.
import { type TextKey, t } from '../../text/translate.ts';
import type { Confirmation } from './chat-turn.ts';

const QUESTIONS: Readonly<Record<string, TextKey>> = {
  delete: 'chat.ask.delete',
  publish: 'chat.ask.publish',
  unpublish: 'chat.ask.unpublish',
  schedule: 'chat.ask.schedule',
  restore: 'chat.ask.restore',
  update: 'chat.ask.update',
  approve: 'chat.ask.approve',
  reject: 'chat.ask.reject',
  deploy: 'chat.ask.deploy',
  upload: 'chat.ask.upload',
};

/** The question. An effect that this admin does not know is named by its tool. */
export function toAsked({ effect, tool, document, input }: Confirmation): string {
  const { collection = '', slug, title = String(input?.name ?? '') } = document ?? {};
  const path = slug ? `${collection}/${slug}` : collection;
  return t(QUESTIONS[effect] ?? 'chat.ask.other', { title, path, tool });
}

/** What to say once it is answered. */
export function toDone(confirmation: Confirmation, isConfirmed: boolean): string {
  return t(isConfirmed ? 'chat.confirmed' : 'chat.refused', { question: toAsked(confirmation).replace(/\?$/, '') });
}

/** The address at which the person can look at it; undefined if there is nothing to see yet. */
export function toOpenUrl(
  { effect, document, input }: Confirmation,
  toDocumentPath: (collection: string, slug: string) => string,
): string | undefined {
  if (effect === 'approve' || effect === 'reject') return `/admin/curation/${encodeURIComponent(String(input?.id))}`;
  return document?.slug ? toDocumentPath(document.collection, document.slug) : undefined;
}
