// The interview as server-sent events. A refusal in the middle is an event, because the status has left by then.
import type { Ai, AiMessage } from '../ai/ai.ts';
import { BEGIN_EVENT, type ServerEvent } from '../http/event-stream.ts';
import { forbidden, ServiceError } from '../lib/errors.ts';
import { interview } from './interview.ts';
import type { BrandVoice } from './service.ts';
import type { VoiceAuthor } from './versions.ts';

export interface InterviewStream {
  brandVoice: Pick<BrandVoice, 'save'>;
  ai: Ai;
  messages: readonly AiMessage[];
  author: VoiceAuthor;
  /** Asked again before the version is saved. */
  mayGoOn(): boolean;
}

export function interviewEvents({ brandVoice, ai, messages, author, mayGoOn }: InterviewStream) {
  const save: Parameters<typeof interview>[0]['save'] = async (record) => {
    if (!mayGoOn()) throw forbidden('the session has ended');
    return (await brandVoice.save(record, author)).version;
  };
  return async function* events(signal: AbortSignal): AsyncGenerator<ServerEvent> {
    let hasBegun = false;
    try {
      for await (const event of interview({ ai, payer: { userId: author.id }, save }, messages, signal)) {
        hasBegun = true;
        if (event.type === 'begin') yield BEGIN_EVENT;
        else if (event.type === 'text') yield { event: 'text', data: { text: event.text } };
        else if (event.type === 'saved') yield { event: 'saved', data: { version: event.version } };
        else yield { event: 'done', data: { usage: { ...event.used, costUsd: ai.costUsd(event.used) } } };
      }
    } catch (error) {
      if (signal.aborted) return;
      // A refusal before it began has a status.
      if (!hasBegun || !(error instanceof ServiceError)) throw error;
      yield { event: 'error', data: { message: error.message, code: error.code } };
    }
  };
}
