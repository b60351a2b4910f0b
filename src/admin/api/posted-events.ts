// The answer to a POST as server-sent events, which the browser's own EventSource cannot ask for: a turn of a chat, a run
// of an agent.
import { KEY, OfflineError, readBody, type Send, toLost } from './client.ts';
import { randomId } from './random-id.ts';
import type { ServiceEvent } from './service-event.ts';

/** Ends with the answer. @throws ApiError, OfflineError, and the signal's reason */
export type PostForEvents = (url: string, body: unknown, signal: AbortSignal) => AsyncGenerator<ServiceEvent>;

/** What was sent last and broke off, with its key: the service may still be at it, and refuses it until it has noticed. */
interface BrokenOff {
  wish: string;
  key: string;
}

export function createPostForEvents(send: Send): PostForEvents {
  let brokenOff: BrokenOff | undefined;

  return async function* postForEvents(url, body, signal) {
    const wish = `${url} ${JSON.stringify(body)}`;
    const sent = brokenOff?.wish === wish ? brokenOff : { wish, key: randomId() };
    try {
      const response = await send('POST', url, {
        body,
        signal,
        headers: { Accept: 'text/event-stream', [KEY]: sent.key },
      });
      if (response.ok && response.body) yield* readEvents(response.body);
      else await readBody(response);
      brokenOff = undefined;
    } catch (error) {
      const failure = toLost(error, signal);
      if (failure instanceof OfflineError) brokenOff = sent;
      throw failure;
    }
  };
}

/** The events of a body (HTML Living Standard, section 9.2), as far as the service sends them: one line of JSON each. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServiceEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = toEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    // A reader that leaves hangs up, which stops the model.
    void reader.cancel().catch(() => undefined);
  }
}

/** Undefined for a comment. */
function toEvent(block: string): ServiceEvent | undefined {
  const lines = block.split('\n');
  const read = (name: string) => lines.find((line) => line.startsWith(name))?.slice(name.length);
  const [event, data] = [read('event: '), read('data: ')];
  return event === undefined || data === undefined ? undefined : { event, data: JSON.parse(data) };
}
