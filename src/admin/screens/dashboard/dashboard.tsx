// What changed, what goes live next, unfinished work, and whether everything is well.
import { useRef } from 'preact/hooks';
import { toDocumentPath } from '../../config/document-path.ts';
import { DeployCard } from '../../publishing/deploy-card.tsx';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { Screen } from '../../shell/screen.tsx';
import { Time } from '../../shell/time.tsx';
import { useEachMinute } from '../../shell/use-each-minute.ts';
import { useKeys } from '../../shell/use-keys.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Overdue } from '../calendar/overdue.tsx';
import type { PlannedAnswer } from '../calendar/planned.ts';
import { Drafts } from './drafts.tsx';
import { type RecentChange, toEventText } from './event-text.ts';
import { FirstSteps } from './first-steps.tsx';
import { Health } from './health-card.tsx';

const CHANGES = '/api/cms/changes?order=desc&limit=12';
/** Each leads into the card of its number. */
const CARD_KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

export default function Dashboard() {
  const { session } = useAdmin();
  const cards = useRef<HTMLDivElement>(null);
  const open = (index: number): void => {
    const card = cards.current?.querySelectorAll<HTMLElement>('.card')[index];
    (card?.querySelector<HTMLElement>('a, button') ?? card?.querySelector('h2'))?.focus();
  };
  useKeys(Object.fromEntries(CARD_KEYS.map((key, index) => [key, () => open(index)])));
  return (
    <Screen heading={t('dashboard.title')}>
      <div class="cards" ref={cards}>
        {session.may('content:read') && <Beginning />}
        {session.may('content:read') && <RecentChanges />}
        {session.may('content:read') && <Scheduled />}
        <Drafts />
        {session.may('deploy:read') && <DeployCard />}
        {session.may('content:read') && <Health />}
      </div>
    </Screen>
  );
}

interface DocumentLinkProps {
  collection?: string | undefined;
  slug?: string | undefined;
  title?: string | null | undefined;
  event: string;
}

/** What is gone, or is no document, has no address. */
function DocumentLink({ collection, slug, title, event }: DocumentLinkProps) {
  const text = title || slug;
  if (!collection || !slug || collection === 'media' || event === 'document.deleted') {
    return (
      <span class="row-title">
        <bdi>{text}</bdi>
      </span>
    );
  }
  return (
    <a class="row-title" href={toDocumentPath(collection, slug)}>
      <bdi>{text}</bdi>
    </a>
  );
}

function Beginning() {
  const { state } = useResource<{ changes: readonly RecentChange[] }>(CHANGES);
  return state.kind === 'ready' && state.data.changes.length === 0 ? <FirstSteps /> : null;
}

function RecentChanges() {
  const { state, refresh } = useResource<{ changes: readonly RecentChange[] }>(CHANGES);
  return (
    <Card title={t('dashboard.changes')} icon="history">
      <Loaded state={state} onRetry={refresh}>
        {({ changes }) =>
          changes.length === 0 ? (
            <Empty>{t('dashboard.noChanges')}</Empty>
          ) : (
            <ul class="rows">
              {changes.map((change) => (
                <li key={`${change.commit}${change.collection}${change.id}`}>
                  <DocumentLink {...change} />
                  <span class="help">
                    <bdi>{change.author?.name || t('dashboard.someone')}</bdi> {toEventText(change.event)} ·{' '}
                    <Time at={change.at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Further path="/admin/activity" text={t('dashboard.allChanges')} />
    </Card>
  );
}

/** To the screen that has all of it. */
function Further({ path, text }: { path: string; text: string }) {
  return (
    <p class="help further">
      <a href={path}>{text}</a>
    </p>
  );
}

const SHOWN = 8;

function Scheduled() {
  // What is past due is in it too, and comes first by its time.
  const { state, refresh } = useResource<PlannedAnswer>('/api/cms/scheduled');
  useEachMinute(refresh);
  return (
    <Card title={t('dashboard.scheduled')} icon="calendar">
      <Loaded state={state} onRetry={refresh}>
        {({ events }) => {
          const planned = events.filter(({ kind }) => kind === 'publish' || kind === 'unpublish');
          return planned.length === 0 ? (
            <Empty>{t('dashboard.noScheduled')}</Empty>
          ) : (
            <ul class="rows">
              {planned.slice(0, SHOWN).map((event) => (
                <li key={`${event.kind} ${event.collection} ${event.slug}`}>
                  <DocumentLink {...event} event="" />
                  <span class="help">
                    {t(event.kind === 'publish' ? 'dashboard.publishes' : 'dashboard.unpublishes')} ·{' '}
                    <Time at={event.at} />
                  </span>
                  {event.overdue && <Overdue event={event} />}
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
      <Further path="/admin/calendar" text={t('dashboard.allScheduled')} />
    </Card>
  );
}
