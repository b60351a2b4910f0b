// The fields of an item, each with what would become of it, and whether it is to be taken over.
import { useId } from 'preact/hooks';
import { toExact } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { ValueDifference } from '../../ui/value-difference.tsx';
import type { ItemField, QueueItem } from './item-fields.ts';

export interface FieldListProps {
  item: QueueItem;
  fields: readonly ItemField[];
  without: ReadonlySet<string>;
  /** Undefined if nothing can be decided any more. */
  onToggle: ((name: string) => void) | undefined;
}

export function FieldList({ item, fields, without, onToggle }: FieldListProps) {
  return (
    <div class="item-fields">
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          isChosen={!without.has(field.name)}
          wasLeftOut={item.leftOutFields.includes(field.name)}
          onToggle={onToggle && (() => onToggle(field.name))}
        />
      ))}
      <OtherChanges change={item.change} />
      {item.skippedFields.length > 0 && (
        <p class="note">
          <Icon name="lock" /> {t('curation.skipped', { fields: item.skippedFields.join(', ') })}
        </p>
      )}
    </div>
  );
}

interface OneFieldProps {
  field: ItemField;
  isChosen: boolean;
  wasLeftOut: boolean;
  onToggle: (() => void) | undefined;
}

function OneField({ field, isChosen, wasLeftOut, onToggle }: OneFieldProps) {
  const id = useId();
  const notes = [
    field.isLocked && t('curation.locked'),
    field.isEdited && t('curation.edited'),
    field.isChanged && t('curation.changed'),
    field.isSame && t('curation.same'),
    wasLeftOut && t('curation.leftOut'),
  ].filter((note) => note !== false);
  const isTaken = isChosen && !field.isLocked && !wasLeftOut;
  return (
    <section class={`item-field ${isTaken ? '' : 'not-taken'}`} aria-labelledby={id}>
      <h3>
        {onToggle ? (
          <label class="tick">
            <input
              type="checkbox"
              checked={isChosen && !field.isLocked}
              disabled={field.isLocked}
              aria-describedby={notes.length > 0 ? `${id}-notes` : undefined}
              onChange={onToggle}
            />
            <span id={id}>
              <bdi>{field.label}</bdi>
            </span>
          </label>
        ) : (
          <span id={id}>
            <bdi>{field.label}</bdi>
          </span>
        )}
      </h3>
      {notes.length > 0 && (
        <p class="help" id={`${id}-notes`}>
          {field.isLocked && <Icon name="lock" />} {notes.join(' ')}
        </p>
      )}
      <ValueDifference from={field.before} to={field.after} />
    </section>
  );
}

/** What becomes of the document besides its fields. */
function OtherChanges({ change }: { change: QueueItem['change'] }) {
  const rows = [
    change.status && t('curation.to.status', { status: t(`status.${change.status}`) }),
    change.slug && t('curation.to.slug', { slug: change.slug }),
    change.locale && t('curation.to.locale', { locale: change.locale }),
    change.translationOf && t('curation.to.translationOf', { slug: change.translationOf }),
    change.publishAt && t('curation.to.publishAt', { when: toExact(change.publishAt) }),
    change.publishAt === null && t('curation.to.noPublishAt'),
    change.unpublishAt && t('curation.to.unpublishAt', { when: toExact(change.unpublishAt) }),
    change.unpublishAt === null && t('curation.to.noUnpublishAt'),
  ].filter((row): row is string => typeof row === 'string');
  if (rows.length === 0) return null;
  return (
    <section class="item-field">
      <h3>{t('curation.besides')}</h3>
      <ul class="notes">
        {rows.map((row) => (
          <li key={row}>{row}</li>
        ))}
      </ul>
    </section>
  );
}
