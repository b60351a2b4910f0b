// The fields of a user, for a new one and for a change.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../../text/translate.ts';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ROLES, type TeamRole, type UserFields } from './team-user.ts';

export interface UserFormProps {
  fields: UserFields;
  onChange(fields: UserFields): void;
  /** The sites that the person who manages may give. */
  sites: readonly string[];
  /** Whether that person may access every site. */
  hasAllSites: boolean;
  /** True keeps role and sites as they are. */
  isLastAdmin?: boolean;
  errorOf(path: string): string | undefined;
  problem: string | undefined;
  isBusy: boolean;
  verb: string;
  onSubmit(): void;
  onClose(): void;
  children?: ComponentChildren;
}

export function UserForm(props: UserFormProps) {
  const { fields, onChange, errorOf, problem, isBusy, verb } = props;
  const id = useId();
  const set = (part: Partial<UserFields>): void => onChange({ ...fields, ...part });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      {problem && (
        <div class="problem" role="alert">
          {problem}
        </div>
      )}
      <TextField
        label={t('setup.name')}
        {...{ name: 'name', autocomplete: 'off', value: fields.name, error: errorOf('name') }}
        onInput={(name) => set({ name })}
      />
      <TextField
        label={t('login.email')}
        {...{ name: 'email', type: 'email', autocomplete: 'off', value: fields.email, error: errorOf('email') }}
        onInput={(email) => set({ email })}
      />
      <SelectField
        label={t('team.role')}
        value={fields.role}
        options={ROLES.map((role) => ({ value: role, label: t(`role.${role}`) }))}
        help={props.isLastAdmin ? t('team.lastAdminText') : t(`role.${fields.role}.text`)}
        isReadOnly={props.isLastAdmin ?? false}
        onChange={(role) => set({ role: role as TeamRole })}
      />
      {props.sites.length > 1 && !props.isLastAdmin && <Sites {...props} />}
      {props.children}
      <div class="buttons">
        <button type="submit" class="primary" aria-busy={isBusy}>
          {verb}
        </button>
        <button type="button" onClick={props.onClose}>
          {t('app.cancel')}
        </button>
      </div>
    </form>
  );
}

function Sites({ fields, onChange, sites, hasAllSites, errorOf }: UserFormProps) {
  const chosen = fields.sites;
  const error = errorOf('sites');
  const toggle = (site: string, isOn: boolean): void => {
    const before = chosen === '*' ? [] : chosen;
    onChange({ ...fields, sites: isOn ? [...before, site] : before.filter((one) => one !== site) });
  };
  return (
    <fieldset class="field plain-set">
      <legend>{t('account.sites')}</legend>
      {hasAllSites && (
        <label class="tick">
          <input
            type="checkbox"
            checked={chosen === '*'}
            onChange={({ currentTarget }) => onChange({ ...fields, sites: currentTarget.checked ? '*' : [] })}
          />
          {t('team.allSitesNow')}
        </label>
      )}
      {chosen !== '*' &&
        sites.map((site) => (
          <label class="tick" key={site}>
            <input
              type="checkbox"
              checked={chosen.includes(site)}
              onChange={({ currentTarget }) => toggle(site, currentTarget.checked)}
            />
            {site}
          </label>
        ))}
      {error && <p class="error">{error}</p>}
    </fieldset>
  );
}
