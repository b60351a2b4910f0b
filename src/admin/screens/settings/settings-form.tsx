// The settings of one section, and the button that saves those of all of them.
import { useRef } from 'preact/hooks';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import { SettingControl } from './setting-control.tsx';
import {
  propertyAt,
  type SettingProblem,
  type SettingsOutline,
  type SettingValues,
  type ShapeGroup,
  sectionOf,
  settingId,
  storedAt,
  toSectionPath,
} from './settings-shape.ts';
import type { OpenSettings } from './use-settings.ts';

export interface SettingsFormProps {
  shape: SettingsOutline;
  settings: OpenSettings;
  stored: SettingValues;
  section: string;
  mayWrite: boolean;
}

/** What hides a field opens first. */
const FOCUS_AFTER_MS = 80;

export function SettingsForm(props: SettingsFormProps) {
  const { shape, settings, section, mayWrite } = props;
  const navigate = useNavigate();
  const saveButton = useRef<HTMLButtonElement>(null);
  const groups = shape.sections.find(({ name }) => name === section)?.groups ?? [];
  const count = Object.keys(settings.edits).length;
  // Those in other sections are only found through here.
  const elsewhere = settings.conflicts.filter((path) => sectionOf(shape, path) !== section);

  function follow({ path, section: where }: SettingProblem): void {
    if (where !== section) navigate(toSectionPath(where));
    setTimeout(focusSetting, FOCUS_AFTER_MS, path);
  }

  if (groups.length === 0 && count === 0) return null;
  return (
    <form
      class="setting-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void settings.save();
      }}
    >
      {settings.problems.length > 0 && (
        <div class="problem" role="alert">
          <p>{t('settings.problems', { count: settings.problems.length })}</p>
          <ul>
            {settings.problems.map((problem) => (
              <li key={problem.path}>
                <a
                  href={`#${settingId(problem.path)}`}
                  onClick={(event) => {
                    event.preventDefault();
                    follow(problem);
                  }}
                >
                  {problem.text}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
      {elsewhere.length > 0 && (
        <div class="problem" role="alert">
          <p>{t('settings.conflictsElsewhere')}</p>
          <ul>
            {elsewhere.map((path) => (
              <li key={path}>
                <a href={toSectionPath(sectionOf(shape, path))}>{propertyAt(shape, path)?.title ?? path}</a>
              </li>
            ))}
          </ul>
        </div>
      )}
      {groups.map((group) => (
        <Group key={group.title ?? ''} group={group} {...props} />
      ))}
      {mayWrite && (
        <div class="save-bar">
          <button type="submit" class="primary" ref={saveButton} aria-busy={settings.isBusy}>
            {t('settings.save')}
          </button>
          {count > 0 && (
            <button
              type="button"
              onClick={() => {
                settings.discard();
                // This button goes, and the focus must not go with it.
                saveButton.current?.focus();
              }}
            >
              {t('settings.discard')}
            </button>
          )}
          <span class="help" role="status" aria-label={t('settings.state')}>
            {count > 0 ? t('settings.unsaved', { count }) : ''}
          </span>
        </div>
      )}
    </form>
  );
}

function focusSetting(path: string): void {
  const element = document.getElementById(settingId(path));
  element?.scrollIntoView({ block: 'center' });
  element?.focus();
}

function Group({ group, ...props }: SettingsFormProps & { group: ShapeGroup }) {
  const { shape, settings, stored, mayWrite } = props;
  const controls = group.settings.map((name) => (
    <SettingControl key={name} path={name} {...{ shape, settings, stored, mayWrite }} />
  ));
  if (!group.title) return <>{controls}</>;
  const provider = settings.edits.deployProvider?.value ?? storedAt(stored, 'deployProvider');
  const isChosen = group.providers === undefined || group.providers.includes(String(provider ?? ''));
  const hasProblem = settings.problems.some(({ path }) => group.settings.includes(path));
  return (
    <details class="setting-group" open={isChosen || hasProblem}>
      <summary>
        {group.title}
        {isChosen && <span class="mark">{t('settings.chosen')}</span>}
      </summary>
      {controls}
    </details>
  );
}
