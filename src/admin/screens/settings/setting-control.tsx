// One setting: its label, its control, what it is for, and what is wrong with it.
import { type ComponentChildren, h } from 'preact';
import { t } from '../../text/translate.ts';
import { toCronText, USUAL_SCHEDULES } from './cron-text.ts';
import { SecretControl } from './secret-control.tsx';
import { secretsAtStake } from './settings-edits.ts';
import {
  kindOf,
  propertyAt,
  type SettingProperty,
  type SettingsOutline,
  type SettingValues,
  settingId,
  storedAt,
} from './settings-shape.ts';
import type { OpenSettings } from './use-settings.ts';

export interface SettingControlProps {
  path: string;
  shape: SettingsOutline;
  settings: OpenSettings;
  stored: SettingValues;
  mayWrite: boolean;
}

/** What every kind of control needs. */
export interface ControlParts {
  id: string;
  property: SettingProperty;
  /** As on the screen. */
  value: unknown;
  stored: unknown;
  isReadOnly: boolean;
  described: { 'aria-describedby'?: string; 'aria-invalid'?: 'true' };
  onChange(value: unknown): void;
}

export function SettingControl(props: SettingControlProps) {
  const { path, shape, settings, stored, mayWrite } = props;
  const property = propertyAt(shape, path);
  if (!property) return null;
  const id = settingId(path);
  const now = storedAt(stored, path);
  const edit = settings.edits[path];
  const value = edit ? edit.value : now;
  const kind = kindOf(property);
  const error = settings.problems.find((one) => one.path === path)?.message;
  const idle = edit ? undefined : stored.problems.find((one) => one.path === path)?.message;
  const atStake = secretsAtStake(path, settings.edits, stored, shape).map(
    (one) => propertyAt(shape, one)?.title ?? one,
  );
  const isReadOnly = !mayWrite || property.fixed !== undefined;
  const onChange = (next: unknown): void => settings.edit(path, next);
  const notes: [name: string, className: string, text: ComponentChildren][] = [
    ['help', 'help', helpOf(property, kind)],
    ['cron', 'help', kind === 'cron' && toCronText(String(value ?? ''))],
    ['fixed', 'help fixed', property.fixed && t('settings.fixed', { reason: property.fixed })],
    ['forgets', 'warned', atStake.length > 0 && t('settings.willForget', { names: atStake.join(', ') })],
    ['idle', 'warned', idle && toSentenceOf(idle, shape)],
    ['error', 'error', error && toSentenceOf(error, shape)],
  ];
  const shown = notes.filter(([, , text]) => text);
  const described = {
    ...(shown.length > 0 ? { 'aria-describedby': shown.map(([name]) => `${id}-${name}`).join(' ') } : {}),
    ...(error ? { 'aria-invalid': 'true' as const } : {}),
  };
  const parts: ControlParts = { id, property, value, stored: now, isReadOnly, described, onChange };
  const below = (
    <>
      {shown.map(([name, className, text]) => (
        <p key={name} class={className} id={`${id}-${name}`}>
          {text}
        </p>
      ))}
      {settings.conflicts.includes(path) && <Conflict {...{ path, property, settings }} theirs={now} />}
    </>
  );
  if (kind === 'group') return <GroupControl {...props} parts={parts} below={below} />;
  return (
    <div class={`field setting setting-${kind} ${edit ? 'is-changed' : ''}`}>
      {kind === 'switch' ? (
        <label class="tick" for={id}>
          <input
            {...{ id, ...described }}
            type="checkbox"
            checked={value === true}
            disabled={isReadOnly}
            onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          />
          {property.title}
        </label>
      ) : (
        <label for={id}>{property.title}</label>
      )}
      {kind === 'secret' ? <SecretControl {...parts} /> : kind !== 'switch' && <PlainControl {...parts} kind={kind} />}
      {below}
    </div>
  );
}

function PlainControl({ id, property, value, isReadOnly, described, onChange, kind }: ControlParts & { kind: string }) {
  if (kind === 'choice' || kind === 'three-way') {
    const choices = kind === 'choice' ? property.enum : ['', 'true', 'false'];
    const toValue = (text: string): unknown => (kind === 'choice' ? text : text === '' ? null : text === 'true');
    return (
      <select
        {...{ id, ...described }}
        value={String(value ?? '')}
        disabled={isReadOnly}
        onChange={({ currentTarget }) => onChange(toValue(currentTarget.value))}
      >
        {choices?.map((one) => (
          <option key={one} value={one}>
            {property.names?.[one] ?? one}
          </option>
        ))}
      </select>
    );
  }
  if (kind === 'number') {
    return (
      <div class="with-unit">
        <input
          {...{ id, ...described }}
          type="number"
          min={property.minimum}
          max={property.maximum}
          step={1}
          readOnly={isReadOnly}
          value={typeof value === 'number' ? value : ''}
          onInput={({ currentTarget }) => {
            const number = currentTarget.valueAsNumber;
            onChange(Number.isNaN(number) ? null : number);
          }}
        />
        {property.unit && <span class="help">{property.unit}</span>}
      </div>
    );
  }
  const suggestions = suggestionsOf(kind);
  return (
    <>
      {h('input', {
        ...{ id, ...described, name: id },
        type: 'text',
        ...(kind === 'address' ? { inputMode: 'url' } : {}),
        ...(kind === 'text' ? {} : { dir: 'ltr' }),
        ...(suggestions ? { list: `${id}-list` } : {}),
        autocomplete: 'off',
        spellcheck: false,
        readOnly: isReadOnly,
        maxLength: property.maxLength,
        placeholder: typeof property.default === 'string' ? property.default : '',
        value: typeof value === 'string' ? value : '',
        onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange(currentTarget.value),
      })}
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option key={one} value={one}>
              {kind === 'cron' ? toCronText(one) : undefined}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}

function suggestionsOf(kind: string): readonly string[] | undefined {
  if (kind === 'time-zone') return ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return kind === 'cron' ? USUAL_SCHEDULES : undefined;
}

function helpOf({ description = '', default: usual }: SettingProperty, kind: string): string {
  const hasUsual = typeof usual === 'string' && usual !== '' && (kind === 'address' || kind === 'text');
  return [description, hasUsual ? t('settings.usual', { value: usual }) : ''].filter(Boolean).join(' ');
}

/** The service names settings by their keys. */
function toSentenceOf(message: string, { properties }: SettingsOutline): string {
  const text = message.replace(/\b[a-z]+[A-Z]\w*/g, (key) => properties[key]?.title ?? key);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface ConflictProps {
  path: string;
  property: SettingProperty;
  settings: OpenSettings;
  theirs: unknown;
}

function Conflict({ path, property, settings, theirs }: ConflictProps) {
  const choose = (act: () => void) => () => {
    act();
    document.getElementById(settingId(path))?.focus();
  };
  return (
    <div class="note setting-conflict" role="alert">
      <p>{t('settings.theirs', { value: toShownValue(property, theirs) })}</p>
      <div class="buttons">
        <button type="button" onClick={choose(() => settings.keepMine(path))}>
          {t('settings.keepMine')}
        </button>
        <button type="button" onClick={choose(() => settings.edit(path, theirs))}>
          {t('settings.takeTheirs')}
        </button>
      </div>
    </div>
  );
}

function toShownValue({ names }: SettingProperty, value: unknown): string {
  const name = names?.[String(value ?? '')];
  if (name !== undefined) return name;
  if (typeof value === 'boolean') return t(value ? 'settings.on' : 'settings.off');
  if (typeof value === 'object' && value !== null) return t('settings.another');
  return value === '' || value === null ? t('settings.empty') : String(value);
}

interface GroupControlProps extends SettingControlProps {
  parts: ControlParts;
  below: ComponentChildren;
}

/** SettingValues that are there together or not at all. */
function GroupControl({ parts, below, ...props }: GroupControlProps) {
  const { id, property, value, stored, isReadOnly, described, onChange } = parts;
  const isThere = value !== null && value !== undefined;
  return (
    <fieldset class="setting-group plain-set">
      <legend class="hidden">{property.title}</legend>
      <label class="tick" for={id}>
        <input
          {...{ id, ...described }}
          type="checkbox"
          checked={isThere}
          disabled={isReadOnly}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? (stored ?? {}) : null)}
        />
        {property.title}
      </label>
      {below}
      {isThere &&
        Object.keys(property.properties ?? {}).map((part) => (
          <SettingControl key={part} {...props} path={`${props.path}.${part}`} />
        ))}
    </fieldset>
  );
}
