// A POST that is sent again because its answer was lost gets the first answer, and nothing happens twice. Kept in
// memory: a repeat comes within seconds. Writes of documents keep their keys in the log instead, over restarts.
import { Readable } from 'node:stream';
import { ServiceError } from '../../lib/errors.ts';
import type { Answer, Call, Route } from '../route.ts';

interface FirstRequest {
  bodyDigest: string;
  answer: Promise<Answer>;
}

export type AnswerOnce<Site> = (
  route: Route<Site>,
  call: Pick<Call<Site, unknown, unknown>, 'idempotency'>,
  run: () => Answer | Promise<Answer>,
) => Promise<Answer>;

export interface RepeatOptions {
  clock?: () => number;
  /** Answers in each of two maps; beyond twice as many, the oldest are forgotten. */
  maxAnswers?: number;
}

/** An answer is kept for this long at least, and twice as long at most: some show a secret. */
const KEPT_MS = 5 * 60_000;
const MAX_ANSWERS = 500;

/** Whether an `Idempotency-Key` is honoured here for a route that does not do so itself. */
export function isRepeatable<Site>(route: Route<Site>): boolean {
  const { method, path, allow, headers, repeatable } = route;
  if (method !== 'post' || allow === 'public' || !path.startsWith('/api/')) return false;
  if (headers?.includes('Idempotency-Key')) return false;
  // Bodies that the handler reads itself are too large to be compared.
  return repeatable ?? route.consumes === undefined;
}

export function createRepeats<Site>({
  clock = () => performance.now(),
  maxAnswers = MAX_ANSWERS,
}: RepeatOptions = {}): AnswerOnce<Site> {
  let recent = new Map<string, FirstRequest>();
  let older = new Map<string, FirstRequest>();
  let turnedAt = clock();

  function remember(scope: string, first: FirstRequest): void {
    if (clock() - turnedAt >= KEPT_MS || recent.size >= maxAnswers) {
      older = clock() - turnedAt >= 2 * KEPT_MS ? new Map() : recent;
      recent = new Map();
      turnedAt = clock();
    }
    recent.set(scope, first);
  }

  function forget(scope: string, first: FirstRequest): void {
    for (const kept of [recent, older]) if (kept.get(scope) === first) kept.delete(scope);
  }

  function find(scope: string): FirstRequest | undefined {
    const age = clock() - turnedAt;
    if (age >= 2 * KEPT_MS) return undefined;
    return recent.get(scope) ?? (age >= KEPT_MS ? undefined : older.get(scope));
  }

  return async (route, call, run) => {
    const key = isRepeatable(route) ? await call.idempotency() : undefined;
    if (key === undefined) return run();
    const { scope, bodyDigest } = key;
    const earlier = find(scope);
    if (earlier) {
      if (earlier.bodyDigest !== bodyDigest) {
        throw new ServiceError('idempotency_mismatch', 'Idempotency-Key was used with another body');
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
    const first = { bodyDigest, answer: (async () => run())() };
    remember(scope, first);
    try {
      const answer = await first.answer;
      if (answer.body instanceof Readable) answer.body.once('close', () => forget(scope, first));
      else if (isRefusal(answer)) forget(scope, first);
      return answer;
    } catch (error) {
      // What was refused may be allowed next time.
      forget(scope, first);
      throw error;
    }
  };
}

function isRefusal({ status = 200 }: Answer): boolean {
  return status >= 400;
}
