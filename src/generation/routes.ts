// Generation over HTTP: proposals, or with `apply` the document. A client that hangs up stops the provider's request.
import { z } from 'zod';
import type { Actor, Principal } from '../access/principal.ts';
import type { Ai } from '../ai/ai.ts';
import type { UsedToday } from '../ai/day-use.ts';
import { errors, writeHeaders, writeOptions } from '../content/routes-call.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import { forbidden, ServiceError } from '../lib/errors.ts';
import type { GenerationCall, GenerationResult, TextGeneration } from './generation.ts';
import { GenerateBody, GenerationShape, QueuedShape, RewriteBody, SeoBody, TranslateBody } from './input.ts';

/** The part of a request's site that these routes need. */
export interface GenerationSite {
  generation: TextGeneration;
  ai: Pick<Ai, 'model' | 'checkReady' | 'usedToday' | 'warnings'>;
  /** Aborted when the site closes. */
  closing: AbortSignal;
}

const ANSWERS = {
  200: { description: 'A proposal, or with `apply` the document', schema: GenerationShape },
  202: { description: 'Queued for a person, because the caller may not publish', schema: QueuedShape },
  ...errors({
    400: 'Invalid input',
    402: 'The budget of the day is used up; `Retry-After` says when it begins anew',
    404: 'Unknown collection or document',
    409: 'Every field is locked, or the collection is not translatable',
    412: 'Changed since, or while the model was asked',
    413: 'The text does not fit the model',
    502: 'The provider refused, is busy, or its answer does not fit',
    503: 'No provider is set up',
  }),
};

type RunningCall = Pick<Call<GenerationSite, unknown, unknown>, 'ctx' | 'site' | 'principal'>;

export interface GenerationRouteParts {
  /** The author of a change. */
  toActor(principal: Principal): Actor;
  /** Who the caller is by now; undefined if the credentials, or the right to the site, have gone. */
  principalNow(call: RunningCall): Principal | undefined;
}

const Spending = z.object({ used: z.number(), limit: z.number().nullable() });

const AiState = z
  .object({
    ready: z.boolean(),
    model: z.string().nullable(),
    problem: z.string().nullable().meta({ description: 'what to set, if it is not ready' }),
    budget: z
      .object({
        tokens: Spending,
        usd: Spending,
        siteUsd: Spending.meta({ description: 'of everybody together' }),
        beginsAnew: z.iso.datetime(),
      })
      .nullable()
      .meta({ description: 'what the caller has used today; null for callers without an account' }),
    warnings: z.array(z.string()).meta({ description: 'budgets that cannot be kept' }),
  })
  .meta({ id: 'AiState' });

function stateRoute(): Route<GenerationSite> {
  return route<GenerationSite>({
    method: 'get',
    path: '/api/cms/ai',
    summary: 'Whether the site has a model to work with, and what is missing',
    tag: 'AI',
    allow: 'content:read',
    answers: { 200: { description: 'The state; the provider itself is not asked', schema: AiState } },
    async handle({ site, principal: { userId } }) {
      const { warnings } = site.ai;
      const used = userId === null ? null : await site.ai.usedToday(userId);
      return {
        headers: { 'Cache-Control': 'no-store' },
        body: { ...toState(site.ai), budget: used && toBudget(used), warnings },
      };
    },
  });
}

type ShownState = z.output<typeof AiState>;

function toBudget({ user, siteUsd, limits, beginsAnew }: UsedToday): ShownState['budget'] {
  return {
    tokens: { used: user.tokens, limit: limits.userTokens },
    usd: { used: user.usd, limit: limits.userUsd },
    siteUsd: { used: siteUsd, limit: limits.siteUsd },
    beginsAnew,
  };
}

function toState({ model, checkReady }: GenerationSite['ai']): Pick<ShownState, 'ready' | 'model' | 'problem'> {
  try {
    checkReady();
    return { ready: true, model: model ?? null, problem: null };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'unavailable') throw error;
    return { ready: false, model: null, problem: error.message };
  }
}

export function generationRoutes(parts: GenerationRouteParts): Route<GenerationSite>[] {
  const one = <B extends z.ZodType>(
    name: keyof TextGeneration,
    summary: string,
    body: B,
    run: (generation: TextGeneration, input: z.output<B>, call: GenerationCall) => Promise<GenerationResult>,
  ): Route<GenerationSite> =>
    route<GenerationSite, z.ZodType<unknown>, B>({
      method: 'post',
      path: `/api/cms/ai/${name}`,
      summary,
      tag: 'AI',
      headers: name === 'translate' ? ['If-Match', 'If-None-Match', 'Idempotency-Key'] : ['If-Match'],
      allow: 'content:write',
      body,
      answers: ANSWERS,
      async handle(call) {
        const input = await call.body();
        const idempotency = name === 'translate' ? await call.idempotency() : undefined;
        return answer(
          await whileHeard(call, (signal) =>
            run(call.site.generation, input, toCall(call, parts, { signal, idempotency })),
          ),
        );
      },
    });
  return [
    stateRoute(),
    one('generate', 'A new document from a prompt', GenerateBody, (it, input, call) => it.generate(input, call)),
    one('rewrite', 'A field written anew', RewriteBody, (it, input, call) => it.rewrite(input, call)),
    one('seo', 'Titles and descriptions for search engines', SeoBody, (it, input, call) => it.seo(input, call)),
    one('translate', 'A translation of a document', TranslateBody, (it, input, call) => it.translate(input, call)),
  ];
}

function toCall(
  call: Call<GenerationSite, unknown, unknown>,
  { toActor, principalNow }: GenerationRouteParts,
  running: Pick<GenerationCall, 'signal' | 'idempotency'>,
): GenerationCall {
  const { principal, requestId, site } = call;
  const { model } = site.ai;
  const { ifMatch, ifNoneMatch } = writeOptions(call);
  return {
    ...running,
    payer: { userId: principal.userId },
    actor: {
      ...toActor(principal),
      kind: 'ai',
      isDecided: !principal.isAgent,
      ...(model === undefined ? {} : { aiModel: model }),
    },
    get mayPublish() {
      return principalNow(call)?.permissions.has('content:publish') === true;
    },
    recheck() {
      if (principalNow(call)?.permissions.has('content:write') !== true)
        throw forbidden('the right to write ended before the answer of the model came');
    },
    ...{ requestId, ifMatch },
    isNew: ifNoneMatch === true,
  };
}

/** Runs until the client hangs up or the site closes. */
async function whileHeard<T>(
  { ctx, site }: Call<GenerationSite, unknown, unknown>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort(new ServiceError('unavailable', 'the request ended before its answer'));
  ctx.res.once('close', leave);
  site.closing.addEventListener('abort', leave, { once: true });
  try {
    return await work(leaving.signal);
  } finally {
    ctx.res.off('close', leave);
    site.closing.removeEventListener('abort', leave);
  }
}

function answer(result: GenerationResult): Answer {
  const noStore = { 'Cache-Control': 'no-store' };
  if ('generated' in result) return { headers: noStore, body: result.generated };
  const { written, warnings } = result;
  if (written.queued !== undefined)
    return { status: 202, headers: noStore, body: { queued: written.queued, warnings } };
  const { body, skippedFields } = written;
  return {
    headers: { ...writeHeaders(written), ...(written.replayed ? { 'Idempotent-Replayed': 'true' } : {}) },
    body: {
      ...JSON.parse(String(body)),
      ...(skippedFields.length > 0 ? { skippedFields } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
    },
  };
}
