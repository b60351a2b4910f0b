// The system prompt of a chat: what the model is for, what it may rely on, and the voice of the site. It contains nothing
// that the caller may not know; the tools decide what the caller may do.
import { UNTRUSTED_RULE } from '../ai/untrusted.ts';

export interface ChatPromptParts {
  siteName: string;
  today: string;
  voice: string;
  /** What became of calls that waited for the person. */
  outcomes: string;
}

/** `instructions` are ours; the voice is the site's own, and answers may well repeat its phrases. */
export function chatPrompt({ siteName, today, voice, outcomes }: ChatPromptParts): {
  system: string;
  instructions: string;
} {
  const instructions = [
    [
      `You are the assistant of the editors of the site "${siteName}". Today is ${today}.`,
      'Answer in the language of the person. Use the tools to look things up instead of guessing.',
      'Change, publish, schedule, delete or deploy something only if the person has asked for it in this conversation.',
      'New documents are drafts unless the person asks to publish them.',
      'Link to a document as [its title](/admin/content/<collection>/<slug>).',
      'If a tool refuses, say what it says, and do not try to get around it.',
      'If it answers needs_confirmation, nothing is done yet: the page asks the person. Say what waits, and go on.',
      'Give no links to other hosts and no images from them; they are taken out of your answer.',
    ].join('\n'),
    UNTRUSTED_RULE,
  ].join('\n\n');
  return { system: [instructions, outcomes, voice].filter((part) => part !== '').join('\n\n'), instructions };
}
