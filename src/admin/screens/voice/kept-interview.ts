// The interview that is under way, kept in the tab: a reload in the middle loses no answer.
import { type Kept, useKept } from '../../shell/use-kept.ts';

export interface InterviewMessage {
  role: 'user' | 'assistant';
  content: string;
}

export function useKeptInterview(): Kept {
  return useKept('interview');
}

export function readInterview(kept: Kept): InterviewMessage[] {
  return JSON.parse(kept.read() ?? '[]') as InterviewMessage[];
}
