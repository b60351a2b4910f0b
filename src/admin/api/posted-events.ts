// The answer to a POST as server-sent events, which the browser's own EventSource cannot ask for: a turn of a chat, a run
// of an agent.
import { OfflineError, readBody, type Send } from './client.ts';
import type { ServiceEvent } from './service-event.ts';

/** Ends with the answer. @throws ApiError, OfflineError, and the signal's reason */
export type PostForEvents = (url: string, body: unknown, signal: AbortSignal) => AsyncGenerator<ServiceEvent>;

export function createPostForEvents(send: Send): PostForEvents {
  return async function* postForEvents(url, body, signal) {
    const response = await send('POST', url, { body, signal, headers: { Accept: 'text/event-stream' } });
    if (!response.ok || !response.body) {
      await readBody(response);
      return;
    }
    try {
      yield* readEvents(response.body);
    } catch (error) {
      // The connection broke in the middle.
      if (signal.aborted || !(error instanceof TypeError)) throw error;
      throw new OfflineError(error);
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
