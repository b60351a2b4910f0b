// The settings of the site, by sections. The service says which there are, and what their names and controls are.
import { useRoute } from 'preact-iso/router';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { NoAccess } from '../../shell/no-access.tsx';
import { NotFound, Screen } from '../../shell/screen.tsx';
import '../../text/en-settings.ts';
import { t } from '../../text/translate.ts';
import { Loaded } from '../../ui/states.tsx';
import { FileSection } from './file-section.tsx';
import { GeneratedDialog } from './generated-dialog.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { LinkCheck } from './links/link-check.tsx';
import { SectionNav } from './section-nav.tsx';
import { SettingsForm } from './settings-form.tsx';
import { type SettingsOutline, SHAPE_URL, sectionOf, toSectionPath } from './settings-shape.ts';
import { useSettings } from './use-settings.ts';
import { Webhooks } from './webhooks/webhooks.tsx';

const LINKS = 'links';
const WEBHOOKS = 'webhooks';
const FILE = 'configuration';
const SETTINGS = '/admin/settings';

export default function SettingsScreen() {
  const { session } = useAdmin();
  const { params } = useRoute();
  if (!session.may('org:settings:read')) return <NoAccess right={t('right.org:settings:read')} />;
  return <KnownSettings section={params.section ?? 'general'} />;
}

function KnownSettings({ section }: { section: string }) {
  const { state, refresh } = useResource<SettingsOutline>(SHAPE_URL);
  if (state.kind === 'ready' && !namesOf(state.data).includes(section)) return <NotFound />;
  return (
    <Screen heading={t('settings.title')}>
      <Loaded state={state} onRetry={refresh}>
        {(shape) => <Sections {...{ shape, section }} />}
      </Loaded>
    </Screen>
  );
}

function namesOf({ sections }: SettingsOutline): string[] {
  return [...sections.map(({ name }) => name), WEBHOOKS, FILE];
}

function Sections({ shape, section }: { shape: SettingsOutline; section: string }) {
  const { session } = useAdmin();
  const settings = useSettings(shape);
  const mayWrite = session.may('org:settings:write');
  const changed = Object.keys(settings.edits).map((path) => sectionOf(shape, path));
  const entries = [
    ...shape.sections,
    { name: WEBHOOKS, title: t('webhooks.title') },
    { name: FILE, title: t('file.title') },
  ].map(({ name, title }) => ({
    ...{ name, title, path: toSectionPath(name) },
    changes: changed.filter((one) => one === name).length,
  }));
  const title = entries.find(({ name }) => name === section)?.title ?? '';
  return (
    <div class="settings">
      <SectionNav entries={entries} chosen={section} />
      <div class="setting-section">
        <h2>{title}</h2>
        {!mayWrite && <p class="note">{t('settings.readOnly')}</p>}
        <Loaded state={settings.state} onRetry={() => void settings.reload()}>
          {(stored) => (
            <>
              {section === WEBHOOKS && (
                <Webhooks {...{ settings, mayWrite }} webhooks={stored.webhooks} events={shape.webhookEvents} />
              )}
              {section === FILE && <FileSection contentDir={String(stored.resolvedContentDir)} />}
              <SettingsForm key={section} {...{ shape, settings, stored, section, mayWrite }} />
              {section === LINKS && session.may('content:read') && <LinkCheck />}
            </>
          )}
        </Loaded>
      </div>
      <LeaveGuard
        isDirty={Object.keys(settings.edits).length > 0}
        isInside={(path) => path === SETTINGS || path.startsWith(`${SETTINGS}/`)}
      />
      {settings.generated && (
        <GeneratedDialog generated={settings.generated} shape={shape} onClose={settings.forgetGenerated} />
      )}
    </div>
  );
}
