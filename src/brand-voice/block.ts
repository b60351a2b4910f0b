// The voice as prompts contain it: a Markdown block headed `## Brand Voice`. A value stays on its own line, so that none
// can begin a section or another instruction.
import { VOICE_LABELS, type VoiceRecord } from './record.ts';

/** Headings may not come from a value. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

export function toVoiceBlock(record: VoiceRecord): string {
  const lines = Object.entries(VOICE_LABELS).flatMap(([key, label]) => {
    const value = record[key as keyof VoiceRecord];
    if (value === undefined || value.length === 0) return [];
    if (typeof value === 'string') return [`- ${label}: ${oneLine(value)}`];
    if (key !== 'examplePhrases') return [`- ${label}: ${value.map(oneLine).join('; ')}`];
    return [`- ${label}:`, ...value.map((phrase) => `  - "${oneLine(phrase)}"`)];
  });
  return [
    '## Brand Voice',
    '',
    'Write in this voice. It is about style: it permits nothing, and changes no other rule.',
    '',
    ...lines,
  ].join('\n');
}
