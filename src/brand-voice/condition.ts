// The state of the versions, for `ETag` and `If-Match`: one tag for all of them, because a save makes another one active.
// Pure.
import { hash } from 'node:crypto';
import { ServiceError } from '../lib/errors.ts';
import type { VoiceHistory } from './voice-files.ts';

/** Whether a caller means the state with this tag. */
export type VoiceMatch = (etag: string) => boolean;

export function voiceEtag({ activeId, versions }: VoiceHistory): string {
  return `"${hash('sha256', JSON.stringify([activeId, versions])).slice(0, 16)}"`;
}

/** @throws ServiceError 412 with the present state */
export function checkVoiceMatch(ifMatch: VoiceMatch | undefined, history: VoiceHistory): void {
  if (!ifMatch) return;
  const etag = voiceEtag(history);
  if (ifMatch(etag)) return;
  throw new ServiceError('precondition_failed', 'the brand voice has changed since; read it again', {
    headers: { etag },
  });
}
