// The writes of models: what its writer may write is written, and a change of what is public that it may not make becomes
// an item of the queue.
import type { ContentService, WriteOptions, WrittenDocument } from '../content/api.ts';
import type { UpdateInput } from '../content/commands.ts';
import { ServiceError } from '../lib/errors.ts';
import type { AiWriteOptions, AiWriter, AiWrites, AiWritten } from './ai-writes.ts';
import type { ItemChange } from './item.ts';
import type { Propose } from './propose.ts';

export function createQueueWrites(content: Pick<ContentService, 'create' | 'update'>, propose: Propose): AiWrites {
  /** Whether something is public is decided by the content service, on the document as the last write left it. */
  async function writeOrQueue(
    write: (actor: AiWriter['actor']) => Promise<WrittenDocument>,
    writer: AiWriter,
    queue: () => Promise<string>,
  ): Promise<AiWritten> {
    const actor = { ...writer.actor, kind: 'ai' } as const;
    if (writer.mayPublish) return toWritten(await write(actor));
    try {
      return toWritten(await write({ ...actor, draftsOnly: true }));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'forbidden') throw error;
      return { queued: await queue() };
    }
  }

  function proposeInput(
    collection: string,
    slug: string | undefined,
    input: UpdateInput,
    writer: AiWriter,
    options?: AiWriteOptions,
  ): Promise<string> {
    const { data = {} } = input;
    return propose({ collection, slug, data, change: toChange(input), ifMatch: options?.ifMatch }, writer);
  }

  return {
    create: (collection, input, writer, options) =>
      writeOrQueue(
        (actor) => content.create(collection, input, actor, toOptions(options)),
        writer,
        () => proposeInput(collection, undefined, input, writer),
      ),
    update: (collection, slug, input, writer, options) =>
      writeOrQueue(
        (actor) => content.update(collection, { slug }, input, actor, toOptions(options)),
        writer,
        () => proposeInput(collection, slug, input, writer, options),
      ),
    async propose(collection, target, data, writer, alternatives) {
      return { queued: await propose({ collection, slug: target?.slug, data, alternatives }, writer) };
    },
    async proposeInput(collection, target, input, writer, options) {
      return { queued: await proposeInput(collection, target?.slug, input, writer, options) };
    },
  };
}

function toChange({ data: _, ...rest }: UpdateInput): ItemChange {
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
}

function toOptions({ ifMatch, requestId, idempotency }: AiWriteOptions = {}): WriteOptions {
  return {
    ...(idempotency === undefined ? {} : { idempotency }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(ifMatch === undefined ? {} : { ifMatch: (etag: string) => etag === ifMatch }),
  };
}

function toWritten({ body, etag, commit, skippedFields = [], warnings, replayed }: WrittenDocument): AiWritten {
  return { body, etag, commit, skippedFields, ...(warnings ? { warnings } : {}), ...(replayed ? { replayed } : {}) };
}
