// POST /api/admin/import: documents of files, for `colophon import --url`.
import { z } from 'zod';
import type { Actor, Principal } from '../../access/principal.ts';
import { checkJsonType, parseJsonObject, readBytes } from '../../http/body.ts';
import { type Answer, type Call, type Route, route } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parseInput } from '../../lib/parse-input.ts';
import type { ImportAnswer } from '../api.ts';
import { MAX_ATOMIC_BYTES } from '../bulk/bulk.ts';
import { tooLarge } from '../bulk/restores.ts';
import { CreateDocumentBody } from '../input.ts';
import { type ContentSite, clean } from '../routes-call.ts';

/** All of them are decided in one turn if they are one commit. */
const MAX_DOCUMENTS = 1000;
/** As many as the bytes of a site's documents may have, at eight bytes each. */
const MAX_MEMBERS = MAX_ATOMIC_BYTES / 8;

const { slug, status, ...shape } = CreateDocumentBody.shape;

const ImportBody = z.strictObject({
  documents: z
    .array(
      z.object({
        collection: z.string().min(1).max(100),
        ...shape,
        slug: slug.unwrap(),
        status: status.unwrap().default('published'),
      }),
    )
    .min(1)
    .meta({ description: `${MAX_DOCUMENTS} at most, else 413` }),
  dryRun: z.boolean().optional().meta({ description: 'everything is decided, and nothing written' }),
  atomic: z.boolean().optional().meta({ description: 'one commit, or nothing if a document is refused' }),
});

const ProblemsSchema = z.array(z.object({ path: z.string(), message: z.string() }));
const ImportResult = z.object({
  outcome: z.enum(['created', 'updated', 'unchanged', 'refused', 'left']).meta({
    description: '`left`: with `atomic` another document is refused',
  }),
  warnings: ProblemsSchema.optional(),
  error: z.string().optional(),
  code: z.string().optional(),
  details: ProblemsSchema.optional(),
});
type ImportResult = z.output<typeof ImportResult>;

export function importRoutes(toActor: (principal: Principal) => Actor): Route<ContentSite>[] {
  return [
    route<ContentSite>({
      method: 'post',
      path: '/api/admin/import',
      summary: 'Import documents of files: what has changed in a file since its last import, and nothing else',
      tag: 'Content',
      allow: 'content:draft',
      consumes: { 'application/json': z.toJSONSchema(ImportBody, { io: 'input' }) as Record<string, unknown> },
      answers: {
        200: {
          description: 'The outcome of each document, in order',
          schema: z.object({ results: z.array(ImportResult) }),
        },
        400: { description: 'Invalid input' },
        413: { description: `More than ${MAX_DOCUMENTS} documents, or ${MAX_ATOMIC_BYTES >> 20} MiB` },
      },
      async handle(call): Promise<Answer> {
        const { content } = call.site;
        const { documents, dryRun = false, atomic = false } = await readBody(call);
        if (documents.length > MAX_DOCUMENTS) throw tooLarge();
        const offered = documents.map(({ collection, ...input }) => ({ collection, input: clean(input) }));
        const actor = toActor(call.principal);
        const mode = { dryRun, fillDefaults: true };
        if (atomic) return { body: { results: asOne(await content.importAll(offered, actor, mode), dryRun) } };
        const results: ImportResult[] = [];
        for (const { collection, input } of offered) {
          const answer = content.importDocument(collection, input, actor, mode);
          results.push(await answer.catch(toRefused));
        }
        return { body: { results } };
      },
    }),
  ];
}

async function readBody({ ctx, again }: Call<ContentSite, unknown, unknown>): Promise<z.output<typeof ImportBody>> {
  checkJsonType(ctx.req.headers['content-type']);
  const bytes = await readBytes(ctx.req, ctx.res, { limitBytes: MAX_ATOMIC_BYTES });
  again();
  return parseInput(ImportBody, parseJsonObject(bytes, { maxMembers: MAX_MEMBERS }));
}

function asOne(answers: readonly (ImportAnswer | ServiceError)[], isDry: boolean): ImportResult[] {
  const isLeft = !isDry && answers.some((one) => one instanceof ServiceError);
  return answers.map((one) => {
    if (one instanceof ServiceError) return toRefused(one);
    return isLeft ? { outcome: 'left' } : one;
  });
}

function toRefused(error: unknown): ImportResult {
  if (!(error instanceof ServiceError) || error.status >= 500) throw error;
  const { message, code, details } = error;
  return { outcome: 'refused', error: message, code, ...(details ? { details } : {}) };
}
