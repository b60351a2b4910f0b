// Agents: what each of them is for, what it has used, and one of them with its runs.
import { useRoute } from 'preact-iso/router';
import { NoProvider } from '../../ai/no-provider.tsx';
import { isMissing } from '../../api/failure.ts';
import { MANIFEST_URL, type Manifest } from '../../config/manifest.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { FailedScreen } from '../../shell/failed-screen.tsx';
import { LoadingScreen } from '../../shell/loading-screen.tsx';
import { NoAccess } from '../../shell/no-access.tsx';
import { NotFound, Screen } from '../../shell/screen.tsx';
import { useFresh } from '../../shell/use-fresh.ts';
import { toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/states.tsx';
import { AGENTS, type Agent } from './agent-form.ts';
import { AgentScreen } from './agent-screen.tsx';
import { Spending } from './spending.tsx';
import '../../text/en-ai.ts';

export default function AgentsScreen() {
  const { session } = useAdmin();
  const { id } = useRoute().params;
  if (!session.may('org:settings:read')) return <NoAccess right={t('right.org:settings:read')} />;
  if (id === undefined || id === '') return <AgentList />;
  return <OneAgent key={id} id={id} />;
}

function AgentList() {
  const { session } = useAdmin();
  const { state, refresh } = useFresh<{ agents: readonly Agent[] }>(AGENTS);
  const mayMake = session.may('org:settings:write');
  return (
    <Screen heading={t('agents.title')}>
      <NoProvider />
      <p class="narrow">{t('agents.text')}</p>
      {mayMake && (
        <p>
          <a class="button primary" href="/admin/agents/new">
            <Icon name="plus" />
            {t('agents.new')}
          </a>
        </p>
      )}
      <Loaded state={state} onRetry={refresh}>
        {({ agents }) => (
          <>
            <ul class="agent-list" aria-label={t('agents.list')}>
              {agents.map((agent) => (
                <AgentCard key={agent.id} agent={agent} />
              ))}
            </ul>
            {agents.length === 0 && (
              <div class="nothing">
                <Icon name="bot" />
                <p>{t(mayMake ? 'agents.none' : 'agents.noneReader')}</p>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function AgentCard({ agent }: { agent: Agent }) {
  const { now } = useAdmin();
  const { id, name, role, active, autonomy, stats } = agent;
  return (
    <li class="card agent-card">
      <h2>
        <Icon name="bot" />
        <a href={`/admin/agents/${id}`}>
          <bdi>{name}</bdi>
        </a>
      </h2>
      <p>
        <bdi>{role}</bdi>
      </p>
      <p class="help">
        {stats.lastRunAt === null
          ? t('agents.neverRan')
          : t('agents.ran', { when: toRelative(stats.lastRunAt, now().getTime()) })}
        {!active && <span class="tag">{t('agents.inactive')}</span>}
        {active && stats.stoppedAt !== null && <span class="tag">{t('agents.stopped')}</span>}
        {autonomy === 'full' && <span class="tag">{t('agents.full')}</span>}
      </p>
      <Spending agent={agent} />
    </li>
  );
}

function OneAgent({ id }: { id: string }) {
  const { session } = useAdmin();
  const isNew = id === 'new';
  const manifest = useResource<Manifest>(MANIFEST_URL);
  const url = `${AGENTS}/${encodeURIComponent(id)}`;
  const agent = useFresh<Agent>(isNew ? undefined : url);
  if (manifest.state.kind === 'failed') return <FailedScreen error={manifest.state.error} onRetry={manifest.refresh} />;
  if (agent.state.kind === 'failed') {
    const { error } = agent.state;
    if (isMissing(error)) return <NotFound />;
    return <FailedScreen error={error} onRetry={agent.refresh} />;
  }
  if (isNew && !session.may('org:settings:write')) return <NoAccess right={t('right.org:settings:write')} />;
  if (manifest.state.kind === 'loading' || (!isNew && agent.state.kind === 'loading')) {
    return <LoadingScreen heading={t(isNew ? 'agents.new' : 'agents.title')} />;
  }
  return (
    <AgentScreen
      manifest={manifest.state.data}
      agent={agent.state.kind === 'ready' ? agent.state.data : undefined}
      url={isNew ? AGENTS : url}
      onChanged={agent.refresh}
    />
  );
}
