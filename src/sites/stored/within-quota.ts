// The doors through which bytes of a site come to the disk, each behind its quota. What only removes is let through.
import type { Backups } from '../../backups/service.ts';
import type { Builds } from '../../build/build.ts';
import type { FormsService } from '../../forms/service.ts';
import type { MediaService } from '../../media/service.ts';
import type { Draft, Log } from '../../store/log/log.ts';
import type { StoredBytes } from './stored-bytes.ts';

/** Documents, the files of media, imports, and whatever else makes a commit. */
export function logWithinQuota(log: Log, stored: StoredBytes): Log {
  return {
    ...log,
    append(draft) {
      const bytes = writtenBytes(draft);
      if (bytes > 0) stored.check(bytes);
      const appended = log.append(draft);
      stored.add(bytes);
      return appended;
    },
  };
}

function writtenBytes({ files }: Draft): number {
  return files.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
}

/** Uploads, also those of Git LFS. */
export function mediaWithinQuota(media: MediaService, stored: StoredBytes): MediaService {
  return {
    ...media,
    async receive() {
      stored.check(0);
      return media.receive();
    },
    async upload(file, ...rest) {
      const giveBack = stored.take(file.sizeBytes);
      const written = await orGiveBack(giveBack, media.upload(file, ...rest));
      if (written.commit === null) giveBack();
      return written;
    },
    async keepBytes(file) {
      await orGiveBack(stored.take(file.sizeBytes), media.keepBytes(file));
    },
  };
}

async function orGiveBack<T>(giveBack: () => void, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** For work that stores what nobody knows before: a measurement follows it. */
async function thenMeasure<T>(stored: StoredBytes, work: () => Promise<T>): Promise<T> {
  stored.check(0);
  try {
    return await work();
  } finally {
    stored.changed();
  }
}

export function formsWithinQuota(forms: FormsService, stored: StoredBytes): FormsService {
  return {
    ...forms,
    submit: (...sent) => thenMeasure(stored, () => forms.submit(...sent)),
  };
}

export function backupsWithinQuota(backups: Backups, stored: StoredBytes): Backups {
  return {
    ...backups,
    async create(...how) {
      stored.check(0);
      const snapshot = await backups.create(...how);
      stored.add(snapshot.sizeBytes);
      stored.changed();
      return snapshot;
    },
  };
}

export function buildsWithinQuota(builds: Builds, stored: StoredBytes): Builds {
  return {
    check: builds.check,
    build: (request) => thenMeasure(stored, () => builds.build(request)),
  };
}
