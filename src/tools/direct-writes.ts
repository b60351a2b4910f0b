// The writes of models on a site without a curation queue: what may become public is written, what may not is refused.
import type { ContentService, WriteOptions, WrittenDocument } from '../content/api.ts';
import type { AiWriteOptions, AiWriter, AiWrites, AiWritten } from '../curation/ai-writes.ts';
import { ServiceError } from '../lib/errors.ts';

export function createDirectWrites(content: Pick<ContentService, 'create' | 'update'>): AiWrites {
  return {
    create: async (collection, input, writer, options) =>
      toWritten(await content.create(collection, input, actorOf(writer), toOptions(options))),
    update: async (collection, slug, input, writer, options) =>
      toWritten(await content.update(collection, { slug }, input, actorOf(writer), toOptions(options))),
    async propose() {
      throw new ServiceError('unavailable', 'this site has no curation queue');
    },
  };
}

function actorOf({ actor, mayPublish }: AiWriter): AiWriter['actor'] {
  return mayPublish ? actor : { ...actor, draftsOnly: true };
}

function toOptions({ ifMatch, requestId }: AiWriteOptions = {}): WriteOptions {
  return {
    ...(requestId === undefined ? {} : { requestId }),
    ...(ifMatch === undefined ? {} : { ifMatch: (etag: string) => etag === ifMatch }),
  };
}

function toWritten({ body, etag, commit, skippedFields = [] }: WrittenDocument): AiWritten {
  return { body, etag, commit, skippedFields };
}
