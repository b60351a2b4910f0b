// One agent: running it, its runs, and its settings.
import { useState } from 'preact/hooks';
import { NoProvider, useAiState } from '../../ai/no-provider.tsx';
import { isMissing } from '../../api/failure.ts';
import { toSentence } from '../../api/sentence.ts';
import type { Manifest } from '../../config/manifest.ts';
import { type Admin, useAdmin } from '../../shell/admin.ts';
import { Screen } from '../../shell/screen.tsx';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { AlertDialog } from '../../ui/dialog.tsx';
import { ActivateAgain } from './activate-again.tsx';
import { AGENTS, type Agent, NEW_AGENT, toAgentBody, toAgentForm } from './agent-form.ts';
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
  const [isGone, setGone] = useState(false);
  const parts = { agent, url, isGone, onGone: () => setGone(true) };

  return (
    <Screen heading={agent?.name ?? t('agents.new')}>
      <p>
        <a href="/admin/agents">{t('agents.back')}</a>
      </p>
      <NoProvider />
      <div class="agent">
        {agent && agent.stats.stoppedAt !== null && mayChange && <ActivateAgain {...{ agent, url }} />}
        {agent && <Work {...{ manifest, agent, url, onChanged }} />}
        {(mayChange || agent) && (
          <Card title={t('agents.settings')} icon="settings">
            <AgentSettings
              stored={agent ? toAgentForm(agent) : NEW_AGENT}
              store={toStore(admin, { ...parts, onMade: (id) => navigate(`/admin/agents/${id}`, true) })}
              {...{ manifest, model }}
              isNew={agent === undefined || isGone}
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
  /** Whether it is known that another person deleted it. */
  isGone: boolean;
  onGone(): void;
  onMade(id: string): void;
}

function toStore({ request, messages, resources }: Admin, { agent, url, ...parts }: StoreParts): AgentStore {
  const known = parts.isGone ? undefined : agent;
  return {
    keptAs: `agent:${agent?.id ?? 'new'}`,
    async read() {
      if (!known) return { form: agent ? toAgentForm(agent) : NEW_AGENT, etag: undefined };
      try {
        const { data, etag } = await request<Agent>('GET', url);
        return { form: toAgentForm(data), etag };
      } catch (error) {
        if (!isMissing(error)) throw error;
        parts.onGone();
        throw new Error(t('agents.gone'));
      }
    },
    async save(form, etag) {
      const headers: Record<string, string> = etag ? { 'If-Match': etag } : {};
      const body = toAgentBody(form);
      const { data } = await request<Agent>(known ? 'PUT' : 'POST', known ? url : AGENTS, { body, headers });
      messages.notify(t(known ? 'agents.saved' : 'agents.created', { name: data.name }));
      if (known) await resources.get(url).refresh();
      else parts.onMade(data.id);
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
            found={runs.state}
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
      await request('DELETE', url).catch((error) => {
        if (!isMissing(error)) throw error;
      });
      resources.refresh(AGENTS, (gone) => gone.startsWith(url));
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
