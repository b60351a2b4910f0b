// What a voice consists of, as it is shown and typed. Pure.
import type { Schema } from '../../api/answer.ts';

export type VoiceVersion = Schema<'BrandVoiceVersion'>;
/** All versions, oldest first. */
export interface FoundVersions {
  versions: readonly VoiceVersion[];
  activeId: string | null;
}

export const VOICE = '/api/cms/brand-voice';
export const VOICE_VERSIONS = `${VOICE}?versions=1`;

export function activeOf({ versions, activeId }: FoundVersions): VoiceVersion | undefined {
  return versions.find(({ id }) => id === activeId);
}

export type VoiceValues = Omit<VoiceVersion, 'id' | 'createdAt' | 'createdBy' | 'updatedAt'>;

export const TEXTS = ['name', 'industry', 'description', 'language', 'targetAudience', 'primaryTone'] as const;
export const LISTS = [
  'brandPersonality',
  'contentGoals',
  'contentPillars',
  'avoidTopics',
  'seoKeywords',
  'examplePhrases',
] as const;
export const PARTS = [...TEXTS, ...LISTS] as const;

export type TextPart = (typeof TEXTS)[number];
export type ListPart = (typeof LISTS)[number];
export type VoicePart = TextPart | ListPart;

/** As typed: a list has an item a line. */
export type TypedVoice = Record<VoicePart, string>;

export function toTypedVoice(voice: Partial<VoiceValues>): TypedVoice {
  const texts = TEXTS.map((part) => [part, voice[part] ?? '']);
  const lists = LISTS.map((part) => [part, (voice[part] ?? []).join('\n')]);
  return Object.fromEntries([...texts, ...lists]) as TypedVoice;
}

/** What is empty is left out, as in a version. */
export function toVoiceBody(typed: TypedVoice): VoiceValues {
  const texts = TEXTS.map((part) => [part, typed[part].trim()] as const).filter(([, text]) => text !== '');
  const lists = LISTS.map((part) => [part, toItems(typed[part])] as const).filter(([, items]) => items.length > 0);
  return Object.fromEntries([...texts, ...lists]);
}

function toItems(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The parts that say something in one of them. */
export function listFilled(...voices: readonly Partial<VoiceValues>[]): VoicePart[] {
  return PARTS.filter((part) => voices.some((voice) => (voice[part]?.length ?? 0) > 0));
}
