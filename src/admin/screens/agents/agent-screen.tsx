// One agent: running it, its runs, and its settings.
import { useState } from 'preact/hooks';
import { NoProvider, useAiState } from '../../ai/no-provider.tsx';
import { toSentence } from '../../api/sentence.ts';
import type { Manifest } from '../../config/manifest.ts';
import { type Admin, useAdmin } from '../../shell/admin.ts';
import { Screen } from '../../shell/screen.tsx';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { AlertDialog } from '../../ui/dialog.tsx';
import { type Agent, NEW_AGENT, toAgentBody, toAgentForm } from './agent-form.ts';
import { AgentSettings } from './agent-settings.tsx';
import { RunPanel } from './run-panel.tsx';
import { Runs, useRuns } from './runs.tsx';
import { Spending } from './spending.tsx';
import type { AgentStore } from './use-agent-edits.ts';

export interface AgentScreenProps {
  manifest: Manifest;
  /** Undefined for a new one. */
  agent: Agent | undefined;
  /** The agent in the API, or all of them. */
  url: string;
  onChanged(): void;
}

export function AgentScreen({ manifest, agent, url, onChanged }: AgentScreenProps) {
  const admin = useAdmin();
  const { session } = admin;
  const navigate = useNavigate();
  const mayChange = session.may('org:settings:write');
  const model = useAiState()?.model ?? undefined;

  return (
    <Screen heading={agent?.name ?? t('agents.new')}>
      <p>
        <a href="/admin/agents">{t('agents.back')}</a>
      </p>
      <NoProvider />
      <div class="agent">
        {agent && <Work {...{ manifest, agent, url, onChanged }} />}
        {(mayChange || agent) && (
          <Card title={t('agents.settings')} icon="settings">
            <AgentSettings
              stored={agent ? toAgentForm(agent) : NEW_AGENT}
              store={toStore(admin, { agent, url, onMade: (id) => navigate(`/admin/agents/${id}`, true) })}
              {...{ manifest, model }}
              isNew={agent === undefined}
              isReadOnly={!mayChange}
            />
          </Card>
        )}
        {agent && mayChange && <DeleteAgent {...{ agent, url }} />}
      </div>
    </Screen>
  );
}

interface StoreParts extends Pick<AgentScreenProps, 'agent' | 'url'> {
  onMade(id: string): void;
}

function toStore({ request, messages, resources }: Admin, { agent, url, onMade }: StoreParts): AgentStore {
  return {
    keptAs: `agent:${agent?.id ?? 'new'}`,
    async read() {
      if (!agent) return { form: NEW_AGENT, etag: undefined };
      const { data, etag } = await request<Agent>('GET', url);
      return { form: toAgentForm(data), etag };
    },
    async save(form, etag) {
      const headers: Record<string, string> = etag ? { 'If-Match': etag } : {};
      const { data } = await request<Agent>(agent ? 'PUT' : 'POST', url, { body: toAgentBody(form), headers });
      messages.notify(t(agent ? 'agents.saved' : 'agents.created', { name: data.name }));
      if (agent) await resources.get(url).refresh();
      else onMade(data.id);
    },
  };
}

interface WorkProps {
  manifest: Manifest;
  agent: Agent;
  url: string;
  onChanged(): void;
}

function Work({ manifest, agent, url, onChanged }: WorkProps) {
  const { session } = useAdmin();
  const mayRun = session.may('content:write');
  const runs = useRuns(mayRun ? url : undefined);
  return (
    <>
      {mayRun && (
        <Card title={t('agents.runTitle')} icon="bot">
          <RunPanel
            {...{ manifest, agent, url }}
            runs={runs.state.kind === 'ready' ? runs.state.data.runs : undefined}
            onEnded={() => {
              runs.refresh();
              onChanged();
            }}
          />
        </Card>
      )}
      <Card title={t('agents.runs')} icon="history">
        <Spending agent={agent} />
        {mayRun && <Runs {...runs} url={url} />}
      </Card>
    </>
  );
}

function DeleteAgent({ agent: { name }, url }: { agent: Agent; url: string }) {
  const { request, messages, resources } = useAdmin();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);

  async function remove(): Promise<void> {
    setAsking(false);
    try {
      await request('DELETE', url);
      resources.refresh('/api/cms/agents', (gone) => gone.startsWith(url));
      messages.notify(t('agents.deleted', { name }));
      navigate('/admin/agents', true);
    } catch (error) {
      messages.fail(toSentence(error));
    }
  }

  return (
    <p>
      <button type="button" onClick={() => setAsking(true)}>
        {t('agents.delete')}
      </button>
      {isAsking && (
        <AlertDialog
          title={t('agents.delete')}
          verb={t('agents.delete')}
          cancel={t('app.cancel')}
          onConfirm={() => void remove()}
          onClose={() => setAsking(false)}
        >
          <p>{t('agents.deleteText', { name })}</p>
        </AlertDialog>
      )}
    </p>
  );
}
