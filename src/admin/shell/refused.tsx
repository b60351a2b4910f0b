// Across every screen: that changes are refused now, and why, as the service says it.
import { useEffect, useId } from 'preact/hooks';
import { toSentence } from '../api/sentence.ts';
import { type SiteStatus, STATUS_URL } from '../api/status.ts';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';
import { useAdmin, useResource } from './admin.ts';

/** While changes are refused, it is asked sooner whether they still are. */
const LOOK_MS = { well: 60_000, refused: 5000 };

/** Characters of a reason that stands open. */
const SHORT = 160;

export function Refused() {
  const { session } = useAdmin();
  // Who only reads is not refused anything.
  const concerns = ['content:draft', 'media:write', 'org:settings:write', 'sites:write'];
  return session.may('content:read') && concerns.some(session.may) ? <KnownRefused /> : null;
}

function KnownRefused() {
  const { session } = useAdmin();
  const { state, refresh } = useResource<SiteStatus>(STATUS_URL);
  const id = useId();
  const refusal = state.kind === 'ready' ? state.data.refusal : null;
  useEffect(() => {
    const look = (): void => void (document.visibilityState === 'visible' && refresh());
    const timer = setInterval(look, refusal === null ? LOOK_MS.well : LOOK_MS.refused);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [refusal === null]);
  if (refusal === null) return null;
  return (
    <div class="refused" role="alert" aria-labelledby={id}>
      <Icon name="warning" />
      <div>
        <p>
          <strong id={id}>{t('refused.title')}</strong> {t('refused.text')}
        </p>
        <Reason text={toSentence(new Error(refusal))} />
        {session.may('sites:read') && (
          <p class="help">
            <a href="/admin/activity">{t('refused.more')}</a>
          </p>
        )}
      </div>
    </div>
  );
}

/** A long one is for those who run the service, and would push the screen away. */
function Reason({ text }: { text: string }) {
  if (text.length <= SHORT) return <p class="help">{text}.</p>;
  return (
    <details>
      <summary class="help">{t('refused.why')}</summary>
      <p class="help">
        <bdi>{text}</bdi>
      </p>
    </details>
  );
}
