// Queries, bodies and answers of the history routes.
import { z } from 'zod';
import { STATUSES } from '../content/document.ts';
import { Account } from '../lib/account.ts';
import { Limit, Offset } from '../lib/query.ts';

const MAX_CHANGES = 1000;

const CommitInput = z.string().regex(/^[0-9a-f]{40}$/, 'must be a commit id of 40 hex digits');

export const PageQuery = z.object({
  limit: Limit.optional().meta({ type: 'integer', minimum: 1, description: 'all entries if absent, as in lists' }),
  offset: Offset.default(0).meta({ type: 'integer', minimum: 0 }),
});

export const DiffQuery = z.object({
  from: CommitInput.optional().meta({ description: 'the version before `to` if absent' }),
  to: CommitInput.optional().meta({ description: 'the newest version if absent' }),
});

/** Newest first is for people, who see no more at once. */
export const RECENT = { most: 200, default: 50 };

const NEWEST = 'with `order=desc`; a page may then have fewer changes, or none, and its `next` link goes on';
const RECENT_FILTERS = {
  collection: z
    .string()
    .max(200)
    .optional()
    .meta({ description: `only of this collection, or \`media\`: ${NEWEST}` }),
  user: z
    .string()
    .max(100)
    .optional()
    .meta({ description: `only of the user with this id: ${NEWEST}` }),
  from: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: `not before this moment: ${NEWEST}` }),
  to: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: `before this moment: ${NEWEST}` }),
};

export const ChangesQuery = z.object({
  order: z
    .enum(['asc', 'desc'])
    .optional()
    .meta({
      description: `\`desc\`: the newest first, with \`title\` and \`author\`; at most ${RECENT.most}, ${RECENT.default} if no limit is given`,
    }),
  before: z
    .string()
    .regex(/^[0-9a-f]{40}(?:\.\d{1,9})?$/, 'must be a commit id, or what the `next` link has')
    .optional()
    .meta({
      description:
        'with `order=desc`: only changes before this commit; the `next` link has the place to go on. 400 without `order=desc`',
    }),
  ...RECENT_FILTERS,
  since: CommitInput.optional().meta({
    description: 'the last commit seen; every change if absent. 400 with `order=desc`',
  }),
  limit: Limit.transform((limit) => Math.min(limit, MAX_CHANGES))
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      description: `every change if absent; at most ${MAX_CHANGES}, a larger limit is reduced to that; the changes of one commit always come together`,
    }),
});

export const RestoreDocumentBody = z.object({ commit: CommitInput }).meta({ id: 'RestoreBody' });

// Answers

const Commit = z.string().meta({ description: '40 hex digits' });
const PersonSchema = z.object({ name: z.string(), email: z.string() }).meta({ id: 'Author' });
const ActorSchema = z.enum(['user', 'ai', 'import', 'system']);
const DateTime = z.iso.datetime();

const PUSH = {
  via: z.literal('push').optional().meta({
    description: 'the commit was pushed through the service: its author and message are what the pusher wrote',
  }),
  pushedBy: z.object({ id: z.string().nullable(), name: z.string(), email: z.string() }).optional().meta({
    id: 'PushedBy',
    description:
      'with `via`: the owner of the access token; the account as it is now, or as it was if it no longer exists',
  }),
};
const UNLOCKED = {
  unlocked: z
    .array(z.string())
    .optional()
    .meta({ description: 'fields that the commit unlocked, if it is an external commit' }),
};

const NOT_SHOWN = {
  notShown: z
    .array(z.object({ path: z.string(), field: z.string(), commit: Commit }).meta({ id: 'NotShown' }))
    .optional()
    .meta({
      description:
        'what external commits had changed in the same place meanwhile and is not shown: the file, the field (`*` for the whole document), and the commit that has it',
    }),
};

export const HistorySchema = z
  .object({
    entries: z.array(
      z
        .object({
          commit: Commit,
          changeId: z.string().meta({ description: 'stays the same when a commit is replayed and gets another id' }),
          event: z.string(),
          actor: ActorSchema,
          author: PersonSchema,
          user: Account,
          date: DateTime,
          fields: z.array(z.string()),
          ...PUSH,
          ...UNLOCKED,
          ...NOT_SHOWN,
        })
        .meta({ id: 'HistoryEntry' }),
    ),
    total: z.int(),
  })
  .meta({ id: 'History' });

export const DiffSchema = z
  .object({
    from: Commit.nullable().meta({ description: 'null if `to` is the first version' }),
    to: Commit,
    fields: z.array(
      z.object({
        field: z.string(),
        before: z.unknown().optional().meta({ description: 'absent if the field did not exist' }),
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
        status: z.enum(STATUSES).optional().meta({ description: 'restoring a published document publishes it' }),
        publishAt: DateTime.optional(),
        deletedAt: DateTime,
        deletedBy: PersonSchema,
        user: Account,
        ...PUSH,
        commit: Commit.meta({ description: 'the deletion; restoring it brings the deleted document back' }),
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
          ...NOT_SHOWN,
          replaces: Commit.optional().meta({ description: 'the commit that this change was before it was replayed' }),
          title: z.string().optional().meta({ description: 'with `order=desc`' }),
          author: z
            .object({ id: z.string().nullable(), name: z.string() })
            .optional()
            .meta({ description: 'with `order=desc`; `id` is null if no account is behind the change' }),
        })
        .meta({ id: 'Change' }),
    ),
    head: Commit.nullable().meta({ description: 'the newest commit; null in an empty repository' }),
  })
  .meta({ id: 'Changes' });
