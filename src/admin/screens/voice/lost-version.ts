// An interview whose last answer was lost on the way may have saved its version all the same: it is not made twice.
import type { Client } from '../../api/client.ts';
import { type FoundVersions, VOICE_VERSIONS, type VoiceVersion } from './voice-record.ts';

export interface BeforeTurn {
  /** Versions that there were. */
  known: ReadonlySet<string>;
  userId: string | undefined;
}

/** The newest version that this person has saved since. @throws as the request */
export async function findLostVersion(
  request: Client,
  { known, userId }: BeforeTurn,
): Promise<VoiceVersion | undefined> {
  const { data } = await request<FoundVersions>('GET', VOICE_VERSIONS);
  return data.versions.findLast(({ id, createdBy }) => !known.has(id) && createdBy.id === userId);
}
