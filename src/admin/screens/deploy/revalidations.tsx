// What the site's frontend was notified of, and sending everything again.

import { useEffect, useState } from 'preact/hooks';
import type { Answer } from '../../api/answer.ts';
import { ApiError } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import { toDocumentPath } from '../../config/document-path.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { Time } from '../../shell/time.tsx';
import { useLive } from '../../shell/use-live.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';

type Sent = Answer<'/api/admin/revalidations'>['revalidations'][number];

const REVALIDATIONS_URL = '/api/admin/revalidations';

export function Revalidations() {
  const { session } = useAdmin();
  const { state, refresh } = useResource<{ revalidations: readonly Sent[] }>(REVALIDATIONS_URL);
  useEffect(refresh, []);
  // Not by the resource itself, since attempts come in crowds.
  useLive(['revalidation'], refresh);
  return (
    <Card title={t('revalidations.title')} icon="replace">
      <p class="help">{t('revalidations.text')}</p>
      <Loaded state={state} onRetry={refresh}>
        {({ revalidations }) => (
          <>
            <SentTable revalidations={revalidations} />
            {revalidations.length === 0 && <Empty>{t('revalidations.empty')}</Empty>}
          </>
        )}
      </Loaded>
      {session.may('deploy:trigger') && <SendAgain />}
    </Card>
  );
}

function SendAgain() {
  const { request, messages } = useAdmin();
  const [isBusy, setBusy] = useState(false);

  async function send(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    try {
      const { data } = await request<{ documents: number }>('POST', `${REVALIDATIONS_URL}/resend`);
      messages.notify(t('revalidations.resent', { count: data.documents }));
    } catch (error) {
      messages.fail(toReason(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div class="buttons">
      <button type="button" aria-disabled={isBusy} onClick={() => void send()}>
        {t('revalidations.resend')}
      </button>
    </div>
  );
}

/** Settings are named as they are written, and each that is missing. */
function toReason(error: unknown): string {
  const missing = error instanceof ApiError ? error.details : [];
  if (missing.length === 0) return toSentence(error);
  return t('revalidations.unset', { reasons: missing.map(({ path, message }) => `${path} ${message}`).join('; ') });
}

function SentTable({ revalidations }: { revalidations: readonly Sent[] }) {
  return (
    <table class="runs" aria-label={t('revalidations.title')}>
      <thead>
        <tr>
          <th scope="col">{t('revalidations.document')}</th>
          <th scope="col" class="wide">
            {t('revalidations.paths')}
          </th>
          <th scope="col">{t('revalidations.answer')}</th>
          <th scope="col" class="wide">
            {t('revalidations.duration')}
          </th>
        </tr>
      </thead>
      <tbody>
        {revalidations.map((one) => (
          <tr key={one.id}>
            <th scope="row">
              <DocumentName {...one} />
              <span class="help">
                {t(`revalidations.action.${one.action}`)}
                {', '}
                <Time at={one.at} />
              </span>
            </th>
            <td class="wide">
              {one.paths.map((path) => (
                <code key={path}>{path}</code>
              ))}
            </td>
            <td>
              <span class={`run-status run-${one.ok ? 'success' : 'failure'}`}>
                {!one.ok && <Icon name="warning" />}
                {one.status ?? t('revalidations.noAnswer')}
              </span>
              {one.error && <span class="help run-error">{toSentence(one.error)}</span>}
            </td>
            <td class="wide">{one.durationMs !== null && t('revalidations.ms', { count: one.durationMs })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What is deleted, or is a file, has no form to go to. */
function DocumentName({ collection, slug, action }: Sent) {
  const name = `${collection}/${slug}`;
  if (collection === 'media' || action === 'deleted') return <bdi>{name}</bdi>;
  return (
    <a href={toDocumentPath(collection, slug)}>
      <bdi>{name}</bdi>
    </a>
  );
}
