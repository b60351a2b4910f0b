// The voice in the other languages of the site: shown on demand, because one that is missing is translated for it.
import { useState } from 'preact/hooks';
import type { Schema } from '../../api/answer.ts';
import { toSentence } from '../../api/sentence.ts';
import type { Manifest } from '../../config/manifest.ts';
import { useAdmin } from '../../shell/admin.ts';
import { toLanguage } from '../../text/languages.ts';
import { toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import type { VoiceVersion } from './voice-record.ts';
import { VoiceParts } from './voice-view.tsx';

export interface VoiceLanguagesProps {
  active: VoiceVersion;
  mayChange: boolean;
  manifest: Manifest;
}

export function VoiceLanguages({ active, mayChange, manifest }: VoiceLanguagesProps) {
  const own = active.language ?? manifest.defaultLocale ?? undefined;
  const others = manifest.locales.filter((locale) => locale.toLowerCase() !== own?.toLowerCase());
  if (others.length === 0) return null;
  return (
    <Card title={t('voice.locales')} icon="globe">
      <p>{t('voice.localesText')}</p>
      <ul class="rows">
        {others.map((locale) => (
          <Language key={locale} {...{ locale, mayChange }} />
        ))}
      </ul>
    </Card>
  );
}

type Translation = Schema<'BrandVoiceTranslation'>;

function Language({ locale, mayChange }: { locale: string; mayChange: boolean }) {
  const { request, messages, now } = useAdmin();
  const [shown, setShown] = useState<Translation>();
  const [isBusy, setBusy] = useState(false);
  const language = toLanguage(locale);

  async function run(work: () => Promise<Translation>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    try {
      setShown(await work());
    } catch (error) {
      messages.fail(toSentence(error));
    } finally {
      setBusy(false);
    }
  }

  const show = async (): Promise<Translation> => {
    const { data } = await request<Translation>('GET', `/api/cms/brand-voice?locale=${encodeURIComponent(locale)}`);
    return data;
  };
  const translate = async (): Promise<Translation> => {
    const { data } = await request<Translation>('POST', '/api/cms/brand-voice/translate', { body: { locale } });
    messages.notify(t('voice.translated', { language }));
    return data;
  };

  return (
    <li>
      <span class="version-head" aria-busy={isBusy}>
        <span>{language}</span>
        {isBusy && <span class="thinking">{t('voice.translating')}</span>}
        <button
          type="button"
          aria-expanded={shown !== undefined}
          onClick={() => (shown ? setShown(undefined) : void run(show))}
        >
          {t(shown ? 'voice.hide' : 'voice.show', { language })}
        </button>
        {mayChange && (
          <button type="button" class="activate" onClick={() => void run(translate)}>
            {t('voice.translateOne', { language })}
          </button>
        )}
      </span>
      {shown && (
        <>
          <p class="help">{t('voice.translatedAt', { when: toRelative(shown.translatedAt, now().getTime()) })}</p>
          <VoiceParts voice={shown} />
        </>
      )}
    </li>
  );
}
