// Queries, bodies and answers of the history routes.
import { z } from 'zod';
import { Account } from '../lib/account.ts';
import { Limit, Offset } from '../lib/query.ts';

const MAX_CHANGES = 1000;

const CommitInput = z.string().regex(/^[0-9a-f]{40}$/, 'must be a commit id of 40 hex digits');

export const PageQuery = z.object({
  limit: Limit.optional().meta({ type: 'integer', minimum: 1, description: 'all of them where absent, as in lists' }),
  offset: Offset.default(0).meta({ type: 'integer', minimum: 0 }),
});

export const DiffQuery = z.object({
  from: CommitInput.optional().meta({ description: 'the version before `to` where absent' }),
  to: CommitInput.optional().meta({ description: 'the newest version where absent' }),
});

export const ChangesQuery = z.object({
  since: CommitInput.optional().meta({ description: 'the last commit seen; every change where absent' }),
  limit: Limit.transform((limit) => Math.min(limit, MAX_CHANGES))
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      description: `every change where absent; over ${MAX_CHANGES} counts as ${MAX_CHANGES}; the changes of one commit always come together`,
    }),
});

export const RestoreDocumentBody = z.object({ commit: CommitInput }).meta({ id: 'RestoreBody' });

// What the routes answer.

const Commit = z.string().meta({ description: '40 hex digits' });
const PersonSchema = z.object({ name: z.string(), email: z.string() }).meta({ id: 'Author' });
const ActorSchema = z.enum(['user', 'ai', 'import', 'system']);
const DateTime = z.iso.datetime();

const PUSH = {
  via: z
    .literal('push')
    .optional()
    .meta({ description: 'the commit was pushed through the service: author and text are what its pusher wrote' }),
  pushedBy: z.object({ id: z.string().nullable(), name: z.string(), email: z.string() }).optional().meta({
    id: 'PushedBy',
    description: 'with `via`: whose access token it was; the account as it is now, or as it was if it is gone',
  }),
};
const UNLOCKED = {
  unlocked: z
    .array(z.string())
    .optional()
    .meta({ description: 'fields that the commit took the lock from, if it is not one of the service' }),
};

export const HistorySchema = z
  .object({
    entries: z.array(
      z
        .object({
          commit: Commit,
          changeId: z.string().meta({ description: 'stays when a commit is replayed and gets another id' }),
          event: z.string(),
          actor: ActorSchema,
          author: PersonSchema,
          user: Account,
          date: DateTime,
          fields: z.array(z.string()),
          ...PUSH,
          ...UNLOCKED,
        })
        .meta({ id: 'HistoryEntry' }),
    ),
    total: z.int(),
  })
  .meta({ id: 'History' });

export const DiffSchema = z
  .object({
    from: Commit.nullable().meta({ description: 'null where `to` is the first version' }),
    to: Commit,
    fields: z.array(
      z.object({
        field: z.string(),
        before: z.unknown().optional().meta({ description: 'absent where there was no such field' }),
        after: z.unknown().optional(),
      }),
    ),
  })
  .meta({ id: 'DocumentDiff' });

export const TrashSchema = z
  .object({
    documents: z.array(
      z.object({
        id: z.string(),
        collection: z.string(),
        slug: z.string(),
        title: z.string(),
        deletedAt: DateTime,
        deletedBy: PersonSchema,
        user: Account,
        ...PUSH,
        commit: Commit.meta({ description: 'the deletion; restoring it brings back what it deleted' }),
      }),
    ),
    total: z.int(),
  })
  .meta({ id: 'Trash' });

export const ChangesSchema = z
  .object({
    changes: z.array(
      z
        .object({
          commit: Commit,
          changeId: z.string(),
          event: z.string(),
          collection: z.string(),
          slug: z.string(),
          id: z.string(),
          at: DateTime,
          actor: ActorSchema,
          user: Account,
          fields: z.array(z.string()),
          ...PUSH,
          ...UNLOCKED,
          replaces: Commit.optional().meta({ description: 'the commit that this change was before it was replayed' }),
        })
        .meta({ id: 'Change' }),
    ),
    head: Commit.nullable().meta({ description: 'the newest commit; null in an empty repository' }),
  })
  .meta({ id: 'Changes' });
