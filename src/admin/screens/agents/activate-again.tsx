// An agent that stopped with the credentials of the person who activated it: how another person activates it again.
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { AGENTS, type Agent, toAgentBody, toAgentForm } from './agent-form.ts';

export function ActivateAgain({ agent: { name, warnings }, url }: { agent: Agent; url: string }) {
  const { request, messages, resources } = useAdmin();
  const { problem, isBusy, run } = useSubmit();

  /** Sends what the service has, so that unsaved changes of the form stay unsaved. */
  async function activate(): Promise<void> {
    const { data, etag } = await request<Agent>('GET', url);
    const headers: Record<string, string> = etag ? { 'If-Match': etag } : {};
    await request('PUT', url, { body: toAgentBody(toAgentForm(data)), headers });
    messages.notify(t('agents.activated', { name }));
    await resources.get(url).refresh();
    resources.refresh(AGENTS);
  }

  return (
    <Card title={t('agents.stoppedTitle')} icon="bot">
      <p role="status">{toSentence(warnings[0] ?? '')}.</p>
      <p class="help">{t('agents.stoppedHelp')}</p>
      {problem && (
        <div class="problem" role="alert">
          {problem}
        </div>
      )}
      <button type="button" class="primary" disabled={isBusy} onClick={() => void run(activate)}>
        {t('agents.activate')}
      </button>
    </Card>
  );
}
