// The versions of the voice: one of them is active. A change may say which state of them it is based on.
import { notFound } from '../lib/errors.ts';
import { checkVersion, toDigest, type VersionMatch } from '../lib/version-tag.ts';
import { checkSaysSomething, toRecord, type VoiceRecord, type VoiceVersion } from './record.ts';
import type { VoiceFiles, VoiceHistory } from './voice-files.ts';

export interface VoiceAuthor {
  id: string | null;
  name: string;
}

/** A version, and the tag of all versions at that moment. */
export interface TaggedVersion {
  version: VoiceVersion;
  etag: string;
}

export interface VoiceVersions {
  /** The active version. @throws ServiceError 404 if none is saved */
  get(): Promise<TaggedVersion>;
  /** @throws ServiceError 404 */
  version(id: string): Promise<VoiceVersion>;
  versions(): Promise<{ versions: VoiceVersion[]; activeId: string | null; etag: string }>;
  /** A new version, active at once. @throws ServiceError 412 if the versions are not those that `ifMatch` means */
  save(record: VoiceRecord, by: VoiceAuthor, ifMatch?: VersionMatch): Promise<TaggedVersion>;
  /** @throws as `save`, and 404 */
  activate(id: string, ifMatch?: VersionMatch): Promise<TaggedVersion>;
  /** Changes the given parts of a version; an empty text or list removes one. @throws as `activate` */
  edit(id: string, change: VoiceRecord, ifMatch?: VersionMatch): Promise<TaggedVersion>;
}

const WHAT = 'the brand voice';
/** Beyond it the oldest version that is not active makes room. */
const MAX_VERSIONS = 1000;

export function createVoiceVersions(
  files: Pick<VoiceFiles, 'history' | 'change'>,
  { now, newId }: { now(): Date; newId(): string },
): VoiceVersions {
  function changeVersion(
    id: string,
    ifMatch: VersionMatch | undefined,
    change: (history: VoiceHistory, version: VoiceVersion) => VoiceHistory,
  ): Promise<TaggedVersion> {
    return files.change((history) => {
      const version = history.versions.find((one) => one.id === id);
      if (!version) throw notFound(`version "${id}"`);
      checkVersion(ifMatch, voiceEtag(history), WHAT);
      const next = change(history, version);
      return [next, { version: next.versions.find((one) => one.id === id)!, etag: voiceEtag(next) }] as const;
    });
  }

  return {
    async get() {
      const history = await files.history();
      const version = history.versions.find(({ id }) => id === history.activeId);
      if (!version) throw notFound('brand voice');
      return { version, etag: voiceEtag(history) };
    },
    async version(id) {
      const found = (await files.history()).versions.find((one) => one.id === id);
      if (!found) throw notFound(`version "${id}"`);
      return found;
    },
    async versions() {
      const history = await files.history();
      const { versions, activeId } = history;
      return { versions, activeId, etag: voiceEtag(history) };
    },
    save: (record, by, ifMatch) =>
      files.change((history) => {
        const { versions, activeId } = history;
        const at = now().toISOString();
        const version = { id: newId(), createdAt: at, createdBy: by, updatedAt: at, ...checkSaysSomething(record) };
        checkVersion(ifMatch, voiceEtag(history), WHAT);
        const kept = versions.length < MAX_VERSIONS ? versions : withoutOldest(versions, activeId);
        const next = { activeId: version.id, stamp: newId(), versions: [...kept, version] };
        return [next, { version, etag: voiceEtag(next) }];
      }),
    activate: (id, ifMatch) =>
      changeVersion(id, ifMatch, (history) =>
        history.activeId === id ? history : { ...history, activeId: id, stamp: newId() },
      ),
    edit: (id, change, ifMatch) =>
      changeVersion(id, ifMatch, (history, version) => {
        const { createdAt, createdBy } = version;
        const record = checkSaysSomething({ ...toRecord(version), ...change });
        const edited = { id, createdAt, createdBy, updatedAt: now().toISOString(), ...record };
        return {
          ...history,
          stamp: history.activeId === id ? newId() : history.stamp,
          versions: history.versions.map((one) => (one.id === id ? edited : one)),
        };
      }),
  };
}

function withoutOldest(versions: readonly VoiceVersion[], activeId: string | null): VoiceVersion[] {
  const oldest = versions.find(({ id }) => id !== activeId);
  return versions.filter((version) => version !== oldest);
}

/** One for all of them, because a save makes another one active. */
function voiceEtag({ activeId, versions }: Pick<VoiceHistory, 'activeId' | 'versions'>): string {
  return `"${toDigest([activeId, versions])}"`;
}
