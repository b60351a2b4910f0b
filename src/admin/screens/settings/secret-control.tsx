// A value that can be set and not be read: an empty field that says whether it is set. A new value replaces the old one.
import { useRef } from 'preact/hooks';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import type { ControlParts } from './setting-control.tsx';
import { isSet } from './settings-edits.ts';

export function SecretControl({ id, property, value, stored, isReadOnly, described, onChange }: ControlParts) {
  const isEdited = value !== stored;
  const isRemoved = isEdited && value === null;
  const isMade = isEdited && typeof value === 'object' && value !== null;
  const isThere = property.isMasked ? typeof stored === 'string' && stored !== '' : isSet(stored);
  const state = isRemoved
    ? t('secret.willGo')
    : isMade
      ? t('secret.willBeMade')
      : isThere
        ? toStateText(stored)
        : t('secret.unset');
  const stateId = `${id}-state`;
  const input = useRef<HTMLInputElement>(null);
  /** The button that was pressed goes, and the focus must not go with it. */
  const choose = (next: unknown): void => {
    onChange(next);
    input.current?.focus();
  };
  return (
    <>
      <input
        ref={input}
        id={id}
        {...described}
        aria-describedby={[stateId, described['aria-describedby']].filter(Boolean).join(' ')}
        {...{ type: (property.isMasked ? 'text' : 'password') as 'text' }}
        dir="ltr"
        autocomplete="off"
        spellcheck={false}
        readOnly={isReadOnly || isMade || isRemoved}
        value={isEdited && typeof value === 'string' ? value : ''}
        onInput={({ currentTarget }) => onChange(currentTarget.value === '' ? stored : currentTarget.value)}
      />
      <div class="secret-state">
        <span class="help" id={stateId}>
          {state}
        </span>
        {!isReadOnly && (
          <span class="secret-actions">
            {isEdited && (
              <button type="button" class="plain" onClick={() => choose(stored)}>
                {t('secret.keep', { name: property.title })}
              </button>
            )}
            {isThere && !isEdited && (
              <button type="button" class="plain" onClick={() => choose(null)}>
                {t('secret.remove', { name: property.title })}
              </button>
            )}
            {property.canBeMade && !isEdited && (
              <button type="button" class="plain" onClick={() => choose({ generate: true })}>
                <Icon name="replace" />
                {t('secret.make', { name: property.title })}
              </button>
            )}
          </span>
        )}
      </div>
    </>
  );
}

function toStateText(stored: unknown): string {
  if (!isSet(stored)) return t('secret.masked', { value: String(stored) });
  return stored.last4 === '' ? t('secret.set') : t('secret.endsIn', { last4: stored.last4 });
}
