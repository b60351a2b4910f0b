// All versions, newest first: what each says other than the active one, and the way back to it.
import { useState } from 'preact/hooks';
import { isMoved } from '../../api/client.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useAct } from '../../shell/use-act.ts';
import { toExact } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/states.tsx';
import { VOICE, VOICE_VERSIONS, type VoiceVersion } from './voice-record.ts';
import { VoiceChanges } from './voice-view.tsx';

export interface VoiceVersionsProps {
  versions: readonly VoiceVersion[];
  active: VoiceVersion | undefined;
  mayChange: boolean;
  onChanged(): void;
}

export function VoiceVersions({ versions, active, mayChange, onChanged }: VoiceVersionsProps) {
  const [open, setOpen] = useState<string>();
  const activate = useActivate(onChanged);
  const newestFirst = [...versions].reverse();
  return (
    <Card title={t('voice.versions')} icon="history">
      <ol class="rows versions" aria-label={t('voice.versions')}>
        {newestFirst.map((version) => {
          const isActive = version.id === active?.id;
          const isOpen = open === version.id;
          return (
            <li key={version.id}>
              <span class="version-head">
                <span>
                  {t('voice.version', { when: toExact(version.createdAt) })}{' '}
                  <span class="help">{t('voice.byWhom', { who: version.createdBy.name })}</span>
                </span>
                {isActive && <span class="agent-status agent-completed">{t('voice.active')}</span>}
                {!isActive && (
                  <button type="button" aria-expanded={isOpen} onClick={() => setOpen(isOpen ? undefined : version.id)}>
                    {t(isOpen ? 'voice.hideCompare' : 'voice.compare')}
                  </button>
                )}
                {!isActive && mayChange && (
                  <button type="button" class="activate" data-once onClick={() => void activate(version, active)}>
                    {t('voice.activate')}
                  </button>
                )}
              </span>
              {isOpen && active && (
                <>
                  <p class="help">{t('voice.comparedTo')}</p>
                  <VoiceChanges from={active} to={version} />
                </>
              )}
            </li>
          );
        })}
      </ol>
      {versions.length === 0 && <Empty>{t('voice.noVersions')}</Empty>}
    </Card>
  );
}

/** Activates a version, with the way back to the one before; not if the versions are others than those on the screen. */
export function useActivate(onChanged: () => void) {
  const { request, messages, resources } = useAdmin();
  const act = useAct();
  return async function activate(
    version: VoiceVersion,
    before: VoiceVersion | undefined,
    etag = resources.get(VOICE_VERSIONS).etag,
  ): Promise<void> {
    await act(version.id, async () => {
      const url = `${VOICE}/versions/${encodeURIComponent(version.id)}`;
      const headers: Record<string, string> = etag ? { 'If-Match': etag } : {};
      const { etag: next } = await request('PATCH', url, { body: { action: 'activate' }, headers }).catch((error) => {
        throw isMoved(error) ? new Error(t('voice.notActivated')) : error;
      });
      const undo = before && (() => void activate(before, undefined, next));
      messages.notify(t('voice.activated', { when: toExact(version.createdAt) }), undo);
    });
    onChanged();
  };
}
