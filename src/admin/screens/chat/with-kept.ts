// The turns of a page beside those that the service keeps: another tab of the same person may have gone on with it. Pure.
import type { ChatMessage, ChatTurn } from './chat-turn.ts';

/** `kept` is what was said since the page began with the conversation. */
export function withKept(turns: readonly ChatTurn[], kept: readonly ChatMessage[]): readonly ChatTurn[] {
  const all: ChatTurn[] = [];
  let next = 0;
  for (const turn of toTurns(kept)) {
    const at = turns.findIndex(
      ({ state, question }, index) => index >= next && state === 'done' && question === turn.question,
    );
    if (at < 0) all.push(turn);
    else {
      // What is shown here says more than what is kept: what the tools did, and what came to nothing before.
      all.push(...turns.slice(next, at + 1));
      next = at + 1;
    }
  }
  return [...all, ...turns.slice(next)];
}

function toTurns(messages: readonly ChatMessage[]): ChatTurn[] {
  const turns: ChatTurn[] = [];
  for (const { role, content } of messages) {
    const last = turns.at(-1);
    if (role === 'user') {
      turns.push({ question: content, parts: [], state: 'done', reason: undefined, usage: undefined });
    } else if (last) turns[turns.length - 1] = { ...last, parts: [...last.parts, { kind: 'text', text: content }] };
  }
  return turns;
}
