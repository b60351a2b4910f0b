// `fetch` for a host's API that answers within a time and a size, in JSON, and never leads elsewhere: a redirect is an
// answer, because the token must not follow it.

/** The answer is there and is not what an API gives. */
export class NotReadable extends Error {}
/** It would have to be asked elsewhere. */
export class Redirected extends NotReadable {}

const MAX_BYTES = 4 << 20;
/** Statuses without a body, which `Response` refuses to give one. */
const EMPTY = new Set([204, 205, 304]);

export function boundedFetch(fetchNow: typeof fetch, timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const answer = await fetchNow(input, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    const { status, headers } = answer;
    if (status >= 300 && status < 400 && status !== 304) throw new Redirected('it leads elsewhere');
    const body = EMPTY.has(status) ? null : await readAtMost(answer);
    const isJson = /\bjson\b/i.test(headers.get('content-type') ?? '');
    if (answer.ok && !isJson) throw new NotReadable('it is not JSON');
    const shown = new Headers(headers);
    // The body is decoded already.
    shown.delete('content-encoding');
    shown.delete('content-length');
    return new Response(body, { status, headers: shown });
  };
}

async function readAtMost({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of body ?? []) {
    sizeBytes += piece.length;
    if (sizeBytes > MAX_BYTES) throw new NotReadable('it is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
