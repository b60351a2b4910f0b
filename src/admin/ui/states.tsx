// What a screen shows while it has nothing to show: loading, failed, without access, unknown.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import type { ResourceState } from '../api/resources.ts';
import { toPlainSentence } from '../api/sentence.ts';
import { t } from '../text/translate.ts';

/** A skeleton for the blink of an eye would only flicker. */
const SKELETON_AFTER_MS = 150;

export function Loading({ lines = 3 }: { lines?: number }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setSlow, SKELETON_AFTER_MS, true);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="skeleton" aria-busy="true">
      {isSlow && <span class="hidden">{t('app.loading')}</span>}
      {isSlow && Array.from({ length: lines }, (_, line) => <span key={line} class="bone" />)}
    </div>
  );
}

export function Failed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div class="failed-state" role="alert">
      <p>{toPlainSentence(error)}</p>
      {requestId && <p class="help">{t('state.request', { id: requestId })}</p>}
      <button type="button" onClick={onRetry}>
        {t('state.again')}
      </button>
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

export function Loaded<T>({
  state,
  onRetry,
  children,
}: {
  state: ResourceState<T>;
  onRetry(): void;
  children(data: T): ComponentChildren;
}) {
  if (state.kind === 'loading') return <Loading />;
  if (state.kind === 'failed') return <Failed error={state.error} onRetry={onRetry} />;
  return <>{children(state.data)}</>;
}
