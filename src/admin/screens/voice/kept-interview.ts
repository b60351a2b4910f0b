// The interview that is under way, kept in the tab: a reload in the middle loses no answer.

export interface InterviewMessage {
  role: 'user' | 'assistant';
  content: string;
}

const KEY = 'colophon-interview';

export function hasKeptInterview(): boolean {
  return sessionStorage.getItem(KEY) !== null;
}

export function readInterview(): InterviewMessage[] {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as InterviewMessage[];
}

export function keepInterview(messages: readonly InterviewMessage[]): void {
  sessionStorage.setItem(KEY, JSON.stringify(messages));
}

export function forgetInterview(): void {
  sessionStorage.removeItem(KEY);
}
