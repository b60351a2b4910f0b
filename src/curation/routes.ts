// The curation queue over HTTP.
import { z } from 'zod';
import type { Actor, Principal } from '../access/principal.ts';
import { DataInput, WarningsSchema } from '../content/input.ts';
import { toVersionMatch } from '../http/conditional.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import { Limit, Offset } from '../lib/query.ts';
import { CurationItem, ITEM_STATUSES } from './item.ts';
import type { Curation, ItemEditor } from './service.ts';
import { CurationStats } from './stats.ts';
import { VersionsConflict } from './versions-conflict.ts';

/** The part of a request's site that these routes need. */
export interface CurationSite {
  curation: Curation;
}

const TAG = 'Curation';
const DEFAULT_PAGE = 50;
const MAX_PAGE = 500;
const MAX_FEEDBACK_CHARS = 5000;

const Query = z.object({
  status: z
    .enum([...ITEM_STATUSES, 'all'])
    .optional()
    .meta({ description: 'ready and in_review if absent' }),
  agent: z.string().min(1).max(200).optional(),
  stats: z.enum(['true', 'false']).optional(),
  limit: Limit.default(DEFAULT_PAGE).transform((limit) => Math.min(limit, MAX_PAGE)),
  offset: Offset.default(0),
});
const Base = DataInput.optional().meta({
  description: 'what the document had in these fields when the editor looked; as it is now, if absent',
});
const EditBody = z.strictObject({
  fields: DataInput.optional(),
  status: z.literal('in_review').optional(),
  base: Base,
});
const ApproveBody = z.strictObject({
  asDraft: z.boolean().optional(),
  alternative: z.int().min(0).optional(),
  fields: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(500)
    .optional()
    .meta({ description: 'the fields to take over; the others stay as they are in the document. All if absent' }),
  edit: z
    .strictObject({ fields: DataInput, base: Base })
    .optional()
    .meta({ description: "an edit of the item's own data, carried out with the approval or not at all" }),
});
const RejectBody = z.strictObject({ feedback: z.string().max(MAX_FEEDBACK_CHARS).optional() });

const ItemList = z.object({ items: z.array(CurationItem), total: z.int(), stats: CurationStats.optional() });
const Values = z.record(z.string(), z.unknown());
const ConflictAnswer = z.object({
  error: z.string(),
  code: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  versions: z.object({ current: Values.nullable(), proposed: Values, base: Values }).optional(),
});

const NO_ITEM = { description: 'No such item' };
const DECIDED = { description: 'It is decided already' };
const MOVED = { description: 'The item has changed since; `ETag` is the present version' };
const HEADERS = { 'Cache-Control': 'no-store' };

type ItemCall = Pick<Call<CurationSite, unknown, unknown>, 'principal' | 'header'>;

/** `toActor` returns who decides. */
export function curationRoutes(toActor: (principal: Principal) => Actor): Route<CurationSite>[] {
  const editorOf = ({ principal, header }: ItemCall): ItemEditor => ({
    ...{ principal, actor: toActor(principal) },
    ifMatch: toVersionMatch(header('If-Match')),
  });
  const item = { description: 'The item as it is now', schema: CurationItem };
  const approved = { ...item, schema: z.intersection(CurationItem, z.object({ warnings: WarningsSchema })) };
  return [
    route<CurationSite, typeof Query>({
      method: 'get',
      path: '/api/cms/curation',
      summary: 'What models propose and people decide, newest first',
      tag: TAG,
      allow: 'content:read',
      query: Query,
      answers: { 200: { description: 'A page of items; `total` counts all matches', schema: ItemList } },
      async handle(call) {
        const { stats, ...query } = call.query();
        const { curation } = call.site;
        const found = await curation.list(query);
        const body = stats === 'true' ? { ...found, stats: await curation.stats() } : found;
        return { headers: { ...HEADERS, 'X-Total-Count': String(found.total) }, body };
      },
    }),
    route<CurationSite>({
      method: 'get',
      path: '/api/cms/curation/{id}',
      summary: 'One item of the curation queue',
      tag: TAG,
      allow: 'content:read',
      answers: { 200: { description: 'The item', schema: CurationItem }, 404: NO_ITEM },
      handle: async ({ site, params }) => shown(site, await site.curation.get(params.id!)),
    }),
    route<CurationSite, z.ZodType<unknown>, typeof EditBody>({
      method: 'patch',
      path: '/api/cms/curation/{id}',
      summary: 'Edit an item before it is decided, or mark it as in review',
      tag: TAG,
      headers: ['If-Match'],
      allow: 'content:write',
      body: EditBody,
      answers: { 200: item, 400: { description: 'A field is not valid' }, 404: NO_ITEM, 409: DECIDED, 412: MOVED },
      async handle(call) {
        await call.site.curation.get(call.params.id!);
        const edit = await call.body();
        return shown(call.site, await call.site.curation.edit(call.params.id!, edit, editorOf(call)));
      },
    }),
    route<CurationSite, z.ZodType<unknown>, typeof ApproveBody>({
      method: 'post',
      path: '/api/cms/curation/{id}/approve',
      summary:
        'Write what an item proposes: published (content:publish), or with asDraft as a draft (content:write); 403 before 404',
      tag: TAG,
      headers: ['If-Match'],
      allow: 'content:read',
      body: ApproveBody,
      bodyOptional: true,
      answers: {
        200: approved,
        400: { description: 'The document would not be valid, or no such alternative' },
        404: NO_ITEM,
        409: {
          description:
            'It is decided already; all of its fields are locked; or the document has changed since in the same fields, which `versions` shows',
          schema: ConflictAnswer,
        },
        412: MOVED,
      },
      async handle(call) {
        const { id = '' } = call.params;
        const by = editorOf(call);
        call.site.curation.checkApprover(by);
        // 403 comes before 404, and the body says which of the two rights is needed.
        const { permissions } = by.principal;
        if (permissions.has('content:publish') && permissions.has('content:write')) await call.site.curation.get(id);
        const choice = await call.body();
        return withVersions(async () => shown(call.site, await call.site.curation.approve(id, choice, by)));
      },
    }),
    route<CurationSite, z.ZodType<unknown>, typeof RejectBody>({
      method: 'post',
      path: '/api/cms/curation/{id}/reject',
      summary: 'Reject an item; the agent that proposed it gets the feedback with its next run',
      tag: TAG,
      headers: ['If-Match'],
      allow: 'content:write',
      body: RejectBody,
      bodyOptional: true,
      answers: { 200: item, 404: NO_ITEM, 409: DECIDED, 412: MOVED },
      async handle(call) {
        await call.site.curation.get(call.params.id!);
        const choice = await call.body();
        return shown(call.site, await call.site.curation.reject(call.params.id!, choice, editorOf(call)));
      },
    }),
    route<CurationSite>({
      method: 'post',
      path: '/api/cms/curation/{id}/reopen',
      summary: 'Take a rejection back: the item waits again, without its feedback',
      tag: TAG,
      headers: ['If-Match'],
      allow: 'content:write',
      answers: { 200: item, 404: NO_ITEM, 409: { description: 'It is not rejected' }, 412: MOVED },
      handle: async (call) => shown(call.site, await call.site.curation.reopen(call.params.id!, editorOf(call))),
    }),
  ];
}

function shown({ curation }: CurationSite, item: CurationItem): Answer {
  return { headers: HEADERS, etag: curation.etagOf(item), body: item };
}

/** A conflict is answered with both versions, which a refusal by itself has no place for. */
async function withVersions(answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof VersionsConflict)) throw error;
    const { message, code, details, versions } = error;
    return { status: 409, headers: HEADERS, body: { error: message, code, details, versions } };
  }
}
