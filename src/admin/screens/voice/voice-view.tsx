import { t } from '../../text/translate.ts';
import { ValueDifference } from '../../ui/value-difference.tsx';
import { listFilled, type VoiceValues } from './voice-record.ts';

/** What a voice says, part by part. */
export function VoiceParts({ voice }: { voice: Partial<VoiceValues> }) {
  return (
    <dl class="voice-parts">
      {listFilled(voice).map((part) => {
        const value = voice[part];
        return (
          <div key={part}>
            <dt>{t(`voice.field.${part}`)}</dt>
            <dd>
              {Array.isArray(value) ? (
                <ul>
                  {value.map((item, at) => (
                    <li key={`${at}`}>
                      <bdi>{item}</bdi>
                    </li>
                  ))}
                </ul>
              ) : (
                <bdi>{value}</bdi>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** What differs between two voices. */
export function VoiceChanges({ from, to }: Record<'from' | 'to', Partial<VoiceValues>>) {
  const changed = listFilled(from, to).filter((part) => String(from[part] ?? '') !== String(to[part] ?? ''));
  if (changed.length === 0) return <p class="help">{t('voice.same')}</p>;
  return (
    <dl class="changes">
      {changed.map((part) => (
        <div key={part}>
          <dt>{t(`voice.field.${part}`)}</dt>
          <dd>
            <ValueDifference from={from[part]} to={to[part]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
