// The brand voice: its active version, the earlier ones, its translations, and the interview that makes a new one.
import { useState } from 'preact/hooks';
import { NO_PROVIDER_ID, NoProvider, useAiState } from '../../ai/no-provider.tsx';
import { roleOf } from '../../api/session.ts';
import { MANIFEST_URL, type Manifest } from '../../config/manifest.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { mayReadVoice } from '../../shell/destinations.ts';
import { NoAccess } from '../../shell/no-access.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useFresh } from '../../shell/use-fresh.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Interview } from './interview.tsx';
import { useKeptInterview } from './kept-interview.ts';
import { useKeptVoice } from './kept-voice.ts';
import { VoiceForm } from './voice-form.tsx';
import { VoiceLanguages } from './voice-languages.tsx';
import { activeOf, type FoundVersions, VOICE_VERSIONS } from './voice-record.ts';
import { VoiceVersions } from './voice-versions.tsx';
import { VoiceParts } from './voice-view.tsx';
import '../../text/en-ai.ts';
import '../../text/en-document.ts';

export default function VoiceScreen() {
  const { session } = useAdmin();
  if (!mayReadVoice(roleOf(session))) return <NoAccess right={t('voice.right')} />;
  return <Voice />;
}

type Doing = 'interview' | 'writing' | undefined;

function Voice() {
  const { session } = useAdmin();
  const { state, refresh } = useFresh<FoundVersions>(VOICE_VERSIONS);
  const manifest = useResource<Manifest>(MANIFEST_URL).state;
  const ai = useAiState();
  const isReady = ai?.ready === true;
  const mayChange = roleOf(session) === 'admin';
  const [interview, written] = [useKeptInterview(), useKeptVoice()];
  const [doing, setDoing] = useState<Doing>(() => {
    if (!mayChange) return undefined;
    if (interview.read() !== null) return 'interview';
    return written.read() === null ? undefined : 'writing';
  });

  function end(): void {
    setDoing(undefined);
    refresh();
    document.querySelector<HTMLElement>('main h1')?.focus();
  }

  return (
    <Screen heading={t('voice.title')}>
      <NoProvider />
      <p class="narrow">{t('voice.text')}</p>
      <Loaded state={state} onRetry={refresh}>
        {(found) => {
          const { versions } = found;
          const active = activeOf(found);
          if (doing === 'interview') return <Interview {...{ active, versions }} onChanged={refresh} onClose={end} />;
          if (doing === 'writing') return <VoiceForm active={active} onClose={end} />;
          return (
            <div class="voice">
              {mayChange && (
                <p class="buttons">
                  <button
                    type="button"
                    class="primary"
                    aria-disabled={!isReady}
                    aria-describedby={ai && !isReady ? NO_PROVIDER_ID : undefined}
                    onClick={() => isReady && setDoing('interview')}
                  >
                    {t('voice.start')}
                  </button>
                  <button type="button" onClick={() => setDoing('writing')}>
                    {t(active ? 'voice.edit' : 'voice.write')}
                  </button>
                </p>
              )}
              {!active && (
                <div class="nothing">
                  <Icon name="megaphone" />
                  <p>{t(mayChange ? (isReady ? 'voice.none' : 'voice.noneHere') : 'voice.noneReader')}</p>
                </div>
              )}
              {active && (
                <Card title={t('voice.active')} icon="megaphone">
                  <VoiceParts voice={active} />
                </Card>
              )}
              <VoiceVersions {...{ versions, active, mayChange }} onChanged={refresh} />
              {active && manifest.kind === 'ready' && (
                <VoiceLanguages key={active.id} {...{ active, mayChange }} manifest={manifest.data} />
              )}
            </div>
          );
        }}
      </Loaded>
    </Screen>
  );
}
