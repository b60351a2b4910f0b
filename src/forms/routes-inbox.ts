// The inbox: the forms, their submissions, and the export (forms:read, forms:write). A form that the configuration no
// longer has stays in the inbox as long as it has submissions.
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Audit, RecordOnSite } from '../audit/entry.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { notFound } from '../lib/errors.ts';
import { Limit, Offset } from '../lib/query.ts';
import { toCsv } from './csv.ts';
import type { FormsService } from './service.ts';
import { SUBMISSION_STATUSES, type Submission, SubmissionRecord } from './submission.ts';
import { listAllSubmissions } from './submissions.ts';

/** What these routes need of a request's site. */
export interface InboxSite {
  id: string;
  audit: Audit;
  forms: Pick<FormsService, 'list' | 'find' | 'submissions'>;
}

const TAG = 'Forms';
/** An answer reads one file for each submission, so larger pages are streamed. */
const STREAM_ABOVE = 100;

const Status = z.enum(SUBMISSION_STATUSES);

const ListQuery = z.object({
  status: Status.optional(),
  limit: Limit.optional().meta({ type: 'integer', minimum: 1, description: 'every match if absent' }),
  offset: Offset.default(0).meta({ type: 'integer', minimum: 0 }),
});

/** A page of several forms is read as a whole. */
const MAX_OF_ALL = 100;

const AllQuery = z.object({
  status: Status.optional(),
  limit: Limit.default(MAX_OF_ALL)
    .transform((limit) => Math.min(limit, MAX_OF_ALL))
    .meta({ type: 'integer', minimum: 1, description: `at most ${MAX_OF_ALL}` }),
  offset: Offset.default(0).meta({ type: 'integer', minimum: 0 }),
});

const ExportQuery = z.object({
  status: Status.optional(),
  bom: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'whether the file begins with a byte order mark, which Excel wants' }),
});

const StatusBody = z.object({ status: Status });

/** Each of them is a file that is written. */
const MAX_BULK = 500;

const BulkBody = z.object({
  ids: z.array(z.string()).min(1).max(MAX_BULK),
  status: z
    .enum([...SUBMISSION_STATUSES, 'deleted'])
    .meta({ description: 'the status that they get; `deleted` removes them for good' }),
});

const FormEntry = z
  .object({
    name: z.string(),
    label: z.string(),
    unread: z.int().meta({ description: 'submissions with the status `new`' }),
    read: z.int(),
    archived: z.int(),
    total: z.int(),
    lastAt: z.iso.datetime().optional().meta({ description: 'when the newest submission arrived' }),
    configured: z.boolean().meta({ description: 'false if the configuration no longer has the form' }),
  })
  .meta({ id: 'FormEntry' });
const FormList = z.object({ forms: z.array(FormEntry), unread: z.int() });
const SubmissionList = z.object({ submissions: z.array(SubmissionRecord), total: z.int() });
const BulkResult = z.object({
  changed: z.array(z.string()).meta({ description: 'ids of those that exist and now have the status, or are deleted' }),
  missing: z.array(z.string()).meta({ description: 'ids of which there is no submission' }),
});
const Success = z.object({ success: z.literal(true) });

const NO_FORM = { description: 'No such form' };
const NO_SUBMISSION = { description: 'No such form or submission' };

export function inboxRoutes(recordUnlessFull: RecordOnSite): Route<InboxSite>[] {
  return [
    route<InboxSite>({
      method: 'get',
      path: '/api/admin/forms',
      summary: 'The forms, and how many submissions are unread',
      tag: TAG,
      allow: 'forms:read',
      answers: {
        200: {
          description: 'Forms in the order of the configuration, then forms that it no longer has',
          schema: FormList,
        },
      },
      async handle({ site }) {
        const entries = await Promise.all((await namesOf(site)).map((name) => toEntry(site, name)));
        const forms = entries.filter(({ configured, total }) => configured || total > 0);
        return { body: { forms, unread: forms.reduce((sum, { unread }) => sum + unread, 0) } };
      },
    }),
    route<InboxSite, typeof ListQuery>({
      method: 'get',
      path: '/api/admin/forms/{name}/submissions',
      summary: 'The submissions of a form, newest first',
      tag: TAG,
      allow: 'forms:read',
      query: ListQuery,
      answers: {
        200: { description: 'A page of submissions; `total` counts all with that status', schema: SubmissionList },
        404: NO_FORM,
      },
      async handle(call) {
        const name = await getForm(call);
        const { status, limit = Number.POSITIVE_INFINITY, offset } = call.query();
        const { submissions } = call.site.forms;
        if (limit <= STREAM_ABOVE) {
          const page = await submissions.list(name, { status, limit, offset });
          return { headers: { 'X-Total-Count': String(page.total) }, body: page };
        }
        const counts = await submissions.counts(name);
        const total = status === undefined ? counts.new + counts.read + counts.archived : counts[status];
        const body = toJson(submissions.each(name, status), { offset, limit, total });
        return { headers: { 'X-Total-Count': String(total) }, body: Readable.from(body, { objectMode: false }) };
      },
    }),
    route<InboxSite>({
      method: 'get',
      path: '/api/admin/forms/{name}/submissions/{id}',
      summary: 'One submission',
      tag: TAG,
      allow: 'forms:read',
      answers: { 200: { description: 'The submission', schema: SubmissionRecord }, 404: NO_SUBMISSION },
      handle: async (call) => ({ body: await getSubmission(call) }),
    }),
    route<InboxSite, z.ZodType<unknown>, typeof StatusBody>({
      method: 'patch',
      path: '/api/admin/forms/{name}/submissions/{id}',
      summary: "Change a submission's status",
      tag: TAG,
      allow: 'forms:write',
      body: StatusBody,
      answers: { 200: { description: 'The submission as it is now', schema: SubmissionRecord }, 404: NO_SUBMISSION },
      async handle(call) {
        const { form, id } = await getSubmission(call);
        const { status } = await call.body();
        return { body: getFound(await call.site.forms.submissions.setStatus(form, id, status), id) };
      },
    }),
    route<InboxSite>({
      method: 'delete',
      path: '/api/admin/forms/{name}/submissions/{id}',
      summary: 'Delete a submission for good',
      tag: TAG,
      allow: 'forms:write',
      answers: { 200: { description: 'Deleted', schema: Success }, 404: NO_SUBMISSION },
      async handle(call) {
        const { form, id } = await getSubmission(call);
        const what = [{ key: 'submission', before: `${form}/${id}`, after: null }];
        await recordUnlessFull(call, 'submission.removed', what);
        getFound(await call.site.forms.submissions.remove(form, id), id);
        return { body: { success: true } };
      },
    }),
    ...routesOfMany(recordUnlessFull),
    route<InboxSite, typeof ExportQuery>({
      method: 'get',
      path: '/api/admin/forms/{name}/export',
      summary: 'The submissions of a form as CSV, newest first',
      tag: TAG,
      allow: 'forms:read',
      query: ExportQuery,
      answers: {
        200: {
          description:
            'id, status, createdAt, readAt, then the fields of the form, then fields that it once had. A cell that would ' +
            'start with =, +, -, @, tab or CR is prefixed with an apostrophe',
          contentType: 'text/csv',
        },
        404: NO_FORM,
      },
      async handle(call) {
        const name = await getForm(call);
        const { status, bom } = call.query();
        const { submissions } = call.site.forms;
        const fields = (call.site.forms.find(name)?.fields ?? []).map((field) => field.name);
        const sent = (await submissions.fields(name)).filter((field) => !fields.includes(field)).sort();
        const answer = {
          type: 'text/csv; charset=utf-8; header=present',
          headers: { 'Content-Disposition': `attachment; filename="${name}.csv"`, 'Cache-Control': 'no-store' },
        };
        if (call.ctx.method === 'HEAD') return { ...answer, body: Readable.from([]) };
        await recordUnlessFull(call, 'form.exported', [{ key: 'form', before: null, after: name }]);
        return {
          ...answer,
          body: toCsv(submissions.each(name, status), { fields: [...fields, ...sent], bom: bom === 'true' }),
        };
      },
    }),
  ];
}

function routesOfMany(recordUnlessFull: RecordOnSite): Route<InboxSite>[] {
  return [allRoute(), bulkRoute(recordUnlessFull)];
}

function allRoute(): Route<InboxSite> {
  return route<InboxSite, typeof AllQuery>({
    method: 'get',
    path: '/api/admin/forms/submissions',
    summary: 'The submissions of all forms, newest first',
    tag: TAG,
    allow: 'forms:read',
    query: AllQuery,
    answers: {
      200: { description: 'A page of submissions; `total` counts all with that status', schema: SubmissionList },
    },
    async handle({ site, query }) {
      const page = await listAllSubmissions(site.forms.submissions, query());
      return { headers: { 'X-Total-Count': String(page.total) }, body: page };
    },
  });
}

function bulkRoute(recordUnlessFull: RecordOnSite): Route<InboxSite> {
  return route<InboxSite, z.ZodType<unknown>, typeof BulkBody>({
    method: 'post',
    path: '/api/admin/forms/{name}/submissions/bulk',
    summary: `Change the status of up to ${MAX_BULK} submissions of a form, or delete them for good`,
    tag: TAG,
    allow: 'forms:write',
    body: BulkBody,
    answers: { 200: { description: 'What was changed', schema: BulkResult }, 404: NO_FORM },
    async handle(call) {
      const name = await getForm(call);
      const { ids, status } = await call.body();
      const { submissions } = call.site.forms;
      const result: z.output<typeof BulkResult> = { changed: [], missing: [] };
      if (status === 'deleted') {
        const what = ids.map((id) => ({ key: 'submission', before: `${name}/${id}`, after: null }));
        await recordUnlessFull(call, 'submission.removed', what);
      }
      for (const id of new Set(ids)) {
        const found =
          status === 'deleted' ? await submissions.remove(name, id) : await submissions.setStatus(name, id, status);
        result[found ? 'changed' : 'missing'].push(id);
      }
      return { body: result };
    },
  });
}

async function namesOf({ forms }: InboxSite): Promise<string[]> {
  return [...new Set([...forms.list().map(({ name }) => name), ...(await forms.submissions.forms())])];
}

async function toEntry(site: InboxSite, name: string): Promise<z.output<typeof FormEntry>> {
  const form = site.forms.find(name);
  const { new: unread, read, archived } = await site.forms.submissions.counts(name);
  const lastAt = await site.forms.submissions.lastAt(name);
  return {
    ...{ name, label: form?.label ?? name, unread, read, archived, total: unread + read + archived },
    ...(lastAt === undefined ? {} : { lastAt }),
    configured: form !== undefined,
  };
}

async function getForm({ site, params }: Call<InboxSite, unknown, unknown>): Promise<string> {
  const { name = '' } = params;
  if ((await namesOf(site)).includes(name)) return name;
  throw notFound(`form "${name}"`);
}

async function getSubmission(call: Call<InboxSite, unknown, unknown>): Promise<Submission> {
  const { id = '' } = call.params;
  return getFound(await call.site.forms.submissions.find(await getForm(call), id), id);
}

function getFound(found: Submission | undefined, id: string): Submission {
  if (found) return found;
  throw notFound(`submission "${id}"`);
}

async function* toJson(
  found: AsyncIterable<Submission>,
  { offset, limit, total }: { offset: number; limit: number; total: number },
): AsyncGenerator<string> {
  yield '{"submissions":[';
  let at = 0;
  for await (const submission of found) {
    if (at >= offset) yield (at === offset ? '' : ',') + JSON.stringify(submission);
    if (++at >= offset + limit) break;
  }
  yield `],"total":${total}}`;
}
