// The system prompt of a chat: what the model is for, what it may rely on, and the voice of the site. It contains nothing
// that the caller may not know; the tools decide what the caller may do.
import { UNTRUSTED_RULE } from '../ai/untrusted.ts';

/** `instructions` are ours; the voice is the site's own, and answers may well repeat its phrases. */
export function chatPrompt({ siteName, today, voice }: { siteName: string; today: string; voice: string }): {
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
      'Give no links to other hosts and no images from them; they are taken out of your answer.',
    ].join('\n'),
    UNTRUSTED_RULE,
  ].join('\n\n');
  return { system: voice === '' ? instructions : `${instructions}\n\n${voice}`, instructions };
}
