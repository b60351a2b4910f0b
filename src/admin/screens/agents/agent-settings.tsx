// The settings of an agent, in a form; for people who may not change them, to read.
import { useId, useRef } from 'preact/hooks';
import { useShownProblem } from '../../ai/use-shown-problem.ts';
import type { Manifest } from '../../config/manifest.ts';
import { toLanguage } from '../../text/languages.ts';
import { t } from '../../text/translate.ts';
import { FieldNotes, TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import type { AgentForm } from './agent-form.ts';
import { type AgentStore, useAgentEdits } from './use-agent-edits.ts';

export interface AgentSettingsProps {
  /** As the service has it. */
  stored: AgentForm;
  store: AgentStore;
  manifest: Manifest;
  /** Undefined if the site has none. */
  model: string | undefined;
  isNew: boolean;
  isReadOnly: boolean;
}

export function AgentSettings({ stored, store, manifest, model, isNew, isReadOnly }: AgentSettingsProps) {
  const { form, isChanged, set, discard, save } = useAgentEdits(stored, store);
  const saveButton = useRef<HTMLButtonElement>(null);
  const { problem, isBusy, errorOf, run } = useSubmit();
  const formElement = useShownProblem(problem);
  const shared = { form, set, errorOf, isReadOnly };
  return (
    <form
      ref={formElement}
      class="agent-settings"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run(save);
      }}
    >
      {problem && (
        <div class="problem" role="alert">
          {problem}
        </div>
      )}
      <Text {...shared} name="name" label={t('agents.name')} />
      <Text {...shared} name="role" label={t('agents.role')} help={t('agents.roleHelp')} />
      <Instructions {...shared} />
      {model && <p class="help">{t('agents.model', { model })}</p>}
      <Collections {...shared} manifest={manifest} />
      <SelectField
        label={t('agents.autonomy')}
        value={form.autonomy}
        isReadOnly={isReadOnly}
        options={(['draft', 'full'] as const).map((one) => ({ value: one, label: t(`agents.autonomy.${one}`) }))}
        onChange={(autonomy) => set({ autonomy: autonomy as AgentForm['autonomy'] })}
      />
      {manifest.locales.length > 1 && (
        <SelectField
          label={t('agents.locale')}
          value={form.locale}
          isReadOnly={isReadOnly}
          options={[
            { value: '', label: t('agents.anyLocale') },
            ...manifest.locales.map((one) => ({ value: one, label: toLanguage(one) })),
          ]}
          onChange={(locale) => set({ locale })}
        />
      )}
      <Tick
        label={t('agents.active')}
        help={t('agents.activeHelp')}
        isOn={form.active}
        isReadOnly={isReadOnly}
        onChange={(active) => set({ active })}
      />
      <fieldset class="part">
        <legend>{t('agents.schedule')}</legend>
        <Tick
          label={t('agents.scheduled')}
          isOn={form.isScheduled}
          isReadOnly={isReadOnly}
          onChange={(isScheduled) => set({ isScheduled })}
        />
        <Text {...shared} name="cron" path="schedule.cron" label={t('agents.cron')} help={t('agents.cronHelp')} />
        <Text
          {...shared}
          name="timezone"
          path="schedule.timezone"
          label={t('agents.timezone')}
          help={t('agents.timezoneHelp')}
        />
      </fieldset>
      <fieldset class="part">
        <legend>{t('agents.budget')}</legend>
        <p class="help">{t('agents.budgetHelp')}</p>
        <Text {...shared} name="dailyUsd" path="budget.dailyUsd" label={t('agents.daily')} />
        <Text {...shared} name="monthlyUsd" path="budget.monthlyUsd" label={t('agents.monthly')} />
      </fieldset>
      {!isReadOnly && (
        <div class="buttons">
          <button type="submit" class="primary" ref={saveButton} aria-busy={isBusy}>
            {t(isNew ? 'agents.create' : 'agents.save')}
          </button>
          {isChanged && (
            <button
              type="button"
              onClick={() => {
                discard();
                // This button goes, and the focus must not go with it.
                saveButton.current?.focus();
              }}
            >
              {t('agents.discard')}
            </button>
          )}
        </div>
      )}
    </form>
  );
}

interface PartProps {
  form: AgentForm;
  set(part: Partial<AgentForm>): void;
  errorOf(path: string): string | undefined;
  isReadOnly: boolean;
}

type TextName = 'name' | 'role' | 'cron' | 'timezone' | 'dailyUsd' | 'monthlyUsd';

interface TextProps extends PartProps {
  name: TextName;
  label: string;
  /** In the body; the name if absent. */
  path?: string;
  help?: string;
}

function Text({ form, set, errorOf, isReadOnly, name, label, path = name, help }: TextProps) {
  return (
    <TextField
      {...{ label, name: `agent-${name}`, autocomplete: 'off', required: false }}
      value={form[name]}
      help={help}
      error={errorOf(path)}
      readOnly={isReadOnly}
      onInput={(text) => set({ [name]: text })}
    />
  );
}

function Instructions({ form, set, errorOf, isReadOnly }: PartProps) {
  const id = useId();
  const error = errorOf('systemPrompt');
  return (
    <div class="field">
      <label for={id}>{t('agents.instructions')}</label>
      <textarea
        id={id}
        rows={6}
        value={form.systemPrompt}
        readOnly={isReadOnly}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={`${id}-help ${error ? `${id}-error` : ''}`}
        onInput={({ currentTarget }) => set({ systemPrompt: currentTarget.value })}
      />
      <FieldNotes {...{ id, error }} help={t('agents.instructionsHelp')} />
    </div>
  );
}

function Collections({ form, set, errorOf, isReadOnly, manifest }: PartProps & { manifest: Manifest }) {
  const id = useId();
  const error = errorOf('collections');
  // One that the configuration has lost is shown, so that it can be taken away.
  const gone = form.collections.filter((name) => !manifest.collections.some((one) => one.name === name));
  const offered = [...manifest.collections, ...gone.map((name) => ({ name, label: name }))];
  return (
    <fieldset class="field part" aria-describedby={error ? `${id}-error` : undefined}>
      <legend>{t('agents.collections')}</legend>
      {offered.map(({ name, label }) => (
        <label class="tick" key={name}>
          <input
            type="checkbox"
            checked={form.collections.includes(name)}
            disabled={isReadOnly}
            onChange={({ currentTarget }) =>
              set({
                collections: currentTarget.checked
                  ? [...form.collections, name]
                  : form.collections.filter((one) => one !== name),
              })
            }
          />
          <bdi>{label}</bdi>
        </label>
      ))}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface TickProps {
  label: string;
  help?: string;
  isOn: boolean;
  isReadOnly: boolean;
  onChange(isOn: boolean): void;
}

function Tick({ label, help, isOn, isReadOnly, onChange }: TickProps) {
  const id = useId();
  return (
    <div class="field">
      <label class="tick">
        <input
          type="checkbox"
          checked={isOn}
          disabled={isReadOnly}
          aria-describedby={help ? `${id}-help` : undefined}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        {label}
      </label>
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}
