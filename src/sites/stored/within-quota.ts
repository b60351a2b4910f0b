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
      stored.check(file.sizeBytes);
      const written = await media.upload(file, ...rest);
      if (written.commit !== null) stored.add(file.sizeBytes);
      return written;
    },
    async keepBytes(file) {
      stored.check(file.sizeBytes);
      await media.keepBytes(file);
      stored.add(file.sizeBytes);
    },
  };
}

export function formsWithinQuota(forms: FormsService, stored: StoredBytes): FormsService {
  return {
    ...forms,
    async submit(...sent) {
      stored.check(0);
      return forms.submit(...sent);
    },
  };
}

export function backupsWithinQuota(backups: Backups, stored: StoredBytes): Backups {
  return {
    ...backups,
    async create(...how) {
      stored.check(0);
      return backups.create(...how);
    },
  };
}

export function buildsWithinQuota(builds: Builds, stored: StoredBytes): Builds {
  return {
    check: builds.check,
    async build(request) {
      stored.check(0);
      return builds.build(request);
    },
  };
}
