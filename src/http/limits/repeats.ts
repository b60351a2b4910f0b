// A POST that is sent again because its answer was lost gets the first answer, and nothing happens twice. Kept in
// memory: a repeat comes within seconds. Writes of documents keep their keys in the log instead, over restarts.
import { Readable } from 'node:stream';
import { conflict, ServiceError } from '../../lib/errors.ts';
import type { Answer, Call, Route } from '../route.ts';
import { createKeptAnswers, type KeptAnswer, type KeptLimits } from './kept-answers.ts';

export type AnswerOnce<Site> = (
  route: Route<Site>,
  call: Pick<Call<Site, unknown, unknown>, 'idempotency' | 'principal'>,
  run: () => Answer | Promise<Answer>,
) => Promise<Answer>;

export interface RepeatOptions {
  clock?: () => number;
  limits?: Partial<KeptLimits>;
}

/** An answer is a few KB, and a repeat comes within seconds. */
const LIMITS: KeptLimits = { ownBytes: 2 << 20, allBytes: 32 << 20, ownAnswers: 200, allAnswers: 2000 };

/** Whether an `Idempotency-Key` is honoured here for a route that does not do so itself. */
export function isRepeatable<Site>(route: Route<Site>): boolean {
  const { method, path, allow, headers, repeatable } = route;
  if (method !== 'post' || allow === 'public' || !path.startsWith('/api/')) return false;
  if (headers?.includes('Idempotency-Key')) return false;
  // Bodies that the handler reads itself are too large to be compared.
  return repeatable ?? route.consumes === undefined;
}

export function createRepeats<Site>({ clock = () => performance.now(), limits }: RepeatOptions = {}): AnswerOnce<Site> {
  const answers = createKeptAnswers(clock, { ...LIMITS, ...limits });

  return async (route, call, run) => {
    const key = isRepeatable(route) ? await call.idempotency() : undefined;
    if (key === undefined) return run();
    const { scope, bodyDigest } = key;
    const earlier = answers.find(scope);
    if (earlier) {
      if (earlier.bodyDigest !== bodyDigest) {
        throw new ServiceError('idempotency_mismatch', 'Idempotency-Key was used with another body');
      }
      if (earlier.answer === undefined) {
        throw conflict('this was done already, and its answer is not kept any more; look at what became of it');
      }
      // One that is still running answers both; but a stream is read once.
      const answer = await earlier.answer;
      if (answer.body instanceof Readable) {
        throw new ServiceError(
          'in_progress',
          'this was sent before and is still being worked on; try again in a moment',
        );
      }
      return { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
    }
    const owner = call.principal.userId ?? call.principal.kind;
    const first: KeptAnswer = { owner, bodyDigest, answer: undefined };
    const running = (async () => run())();
    first.answer = running;
    answers.add(scope, first);
    try {
      const answer = await running;
      if (answer.body instanceof Readable) answer.body.once('close', () => answers.forget(scope, first));
      else if (isRefusal(answer)) answers.forget(scope, first);
      else answers.measure(scope, first, sizeOf(answer));
      return answer;
    } catch (error) {
      // What was refused may be allowed next time.
      answers.forget(scope, first);
      throw error;
    }
  };
}

/** About as many bytes as it takes in memory. */
function sizeOf({ body, headers }: Answer): number {
  const size = Buffer.isBuffer(body) ? body.length : 2 * (JSON.stringify(body)?.length ?? 0);
  return size + 2 * JSON.stringify(headers ?? {}).length;
}

function isRefusal({ status = 200 }: Answer): boolean {
  return status >= 400;
}
