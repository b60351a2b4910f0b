// Questions that were sent and not answered, kept in the tab: the service keeps a turn once it ends or asks the person. Pure.
import type { ChatMessage } from './chat-turn.ts';

export function parseUnanswered(text: string | null): string[] {
  return text === null ? [] : (JSON.parse(text) as string[]);
}

/** An empty text for none. */
export function toKeptText(questions: readonly string[]): string {
  return questions.length === 0 ? '' : JSON.stringify(questions);
}

/** Sent again, it is the same question. */
export function withQuestion(questions: readonly string[], question: string): string[] {
  return questions.at(-1) === question ? [...questions] : [...questions, question];
}

export function withoutQuestion(questions: readonly string[], question: string): string[] {
  const at = questions.lastIndexOf(question);
  return questions.filter((_, index) => index !== at);
}

/** What the service has kept after all, while no answer came here, is not asked a second time. */
export function toUnsent(questions: readonly string[], typed: string | null, kept: readonly ChatMessage[]): string {
  const said = kept.filter(({ role }) => role === 'user').map(({ content }) => content);
  const left = said.slice(-questions.length).reduce(withoutQuestion, questions);
  return [...left, typed].filter(Boolean).join('\n\n');
}
