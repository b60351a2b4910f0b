import { labelOfKey } from '../../config/key-label.ts';
import type { Manifest } from '../../config/manifest.ts';
import { Time } from '../../shell/time.tsx';
import { toDay } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { toEventText } from '../dashboard/event-text.ts';
import {
  type ActivityChange,
  type ActivityItem,
  type AuditLine,
  actionText,
  iconOf,
  pathOfChange,
  toolUseOf,
  valueChanges,
} from './entry.ts';

export interface ActivityListProps {
  items: readonly ActivityItem[];
  manifest: Manifest | undefined;
}

export function ActivityList({ items, manifest }: ActivityListProps) {
  return (
    <ol class="rows activity" aria-label={t('activity.title')}>
      {items.map((item, index) => {
        const day = toDay(item.at);
        const before = items[index - 1];
        return (
          <li key={item.key}>
            {(before === undefined || toDay(before.at) !== day) && <span class="activity-day">{day}</span>}
            <Icon name={iconOf(item)} />
            {item.kind === 'change' ? (
              <ChangeLine change={item.change} manifest={manifest} />
            ) : (
              <EntryLine entry={item.entry} />
            )}
          </li>
        );
      })}
    </ol>
  );
}

function ChangeLine({ change, manifest }: { change: ActivityChange; manifest: Manifest | undefined }) {
  const { collection, title, slug, event, fields, at, author, pushedBy, notShown } = change;
  const path = pathOfChange(change);
  const known = manifest?.collections.find(({ name }) => name === collection);
  const label = collection === 'media' ? t('media.title') : (known?.label ?? collection);
  const nameOf = (name: string): string => labelOfKey(name, known);
  const text = title || slug;
  return (
    <div>
      <p>
        <bdi class="who">{author?.name || t('dashboard.someone')}</bdi> {toEventText(event)}{' '}
        {path ? (
          <a href={path}>
            <bdi>{text}</bdi>
          </a>
        ) : (
          <bdi class="what">{text}</bdi>
        )}
      </p>
      <p class="help">
        <Time at={at} /> · <bdi>{label}</bdi>
        {fields.length > 0 && event !== 'document.created' && <bdi> · {fields.map(nameOf).join(', ')}</bdi>}
        {pushedBy && <bdi> · {t('activity.pushedBy', { name: pushedBy.name })}</bdi>}
      </p>
      {notShown && (
        <p class="warned">
          <Icon name="warning" />
          {t('activity.notShown', {
            fields: notShown.map(({ field }) => (field === '*' ? slug : nameOf(field))).join(', '),
          })}
        </p>
      )}
    </div>
  );
}

function EntryLine({ entry }: { entry: AuditLine }) {
  const { actor, user, action, at, changes } = entry;
  const text = actionText(entry);
  const use = toolUseOf(entry);
  return (
    <div>
      <p>
        <bdi class="who">{user?.name ?? actor.name}</bdi> {text ?? <code>{action}</code>}
      </p>
      <p class="help">
        <Time at={at} />
        {actor.tokenId && ` · ${t('activity.withToken')}`}
        {use && ` · ${t('activity.withMcp')}`}
        {use?.document && (
          <>
            {' · '}
            {use.path ? (
              <a href={use.path}>
                <bdi>{use.document}</bdi>
              </a>
            ) : (
              <bdi>{use.document}</bdi>
            )}
          </>
        )}
        {use?.isRefused && ` · ${t('activity.refused')}`}
      </p>
      {!use && changes.length > 0 && (
        <details>
          <summary>{t('activity.details', { count: changes.length })}</summary>
          <dl class="value-changes">
            {valueChanges(entry).map(({ key, before, after }) => (
              <div key={key}>
                <dt>
                  <code dir="ltr">{key}</code>
                </dt>
                <dd>
                  {before && <del>{before}</del>} {after && <ins>{after}</ins>}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  );
}
