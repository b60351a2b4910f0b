// What a screen may cost on its way to a browser, in gzipped bytes: the build fails above it.

export interface Budget {
  name: string;
  maxBytes: number;
  /** Screens, as the modules that are loaded when they are opened, below `src/admin`; `styles` stands for all of CSS. */
  needs: readonly string[];
  /** If there are some, only what comes besides them and the shell counts. */
  after?: readonly string[];
}

const KB = 1000;
/** Has what every screen has. */
const SHELL = ['screens/dashboard/dashboard.tsx'];

export const BUDGETS: readonly Budget[] = [
  {
    name: 'shell, sign-in, dashboard',
    maxBytes: 60 * KB,
    needs: ['styles', 'screens/login/login.tsx', 'screens/dashboard/dashboard.tsx'],
  },
  { name: 'list', maxBytes: 75 * KB, needs: ['styles', 'screens/list/list.tsx'] },
  { name: 'forms', maxBytes: 75 * KB, needs: ['styles', 'screens/forms/forms.tsx'] },
  { name: 'calendar', maxBytes: 75 * KB, needs: ['styles', 'screens/calendar/calendar.tsx'] },
  { name: 'deploy', maxBytes: 75 * KB, needs: ['styles', 'screens/deploy/deploy.tsx', 'publishing/deploy-bar.tsx'] },
  { name: 'wizard', maxBytes: 75 * KB, needs: ['styles', 'screens/wizard/wizard.tsx', 'publishing/deploy-bar.tsx'] },
  ...(['curation/curation.tsx', 'chat/chat.tsx', 'agents/agents.tsx', 'voice/voice.tsx'] as const).map((file) => ({
    name: file.slice(0, file.indexOf('/')),
    maxBytes: 75 * KB,
    needs: ['styles', `screens/${file}`],
  })),
  { name: 'document without rich text', maxBytes: 110 * KB, needs: ['styles', 'screens/document/document.tsx'] },
  {
    name: 'whole editor',
    maxBytes: 235 * KB,
    needs: ['styles', 'screens/document/document.tsx', 'richtext/rich-text-field.tsx'],
  },
  { name: 'settings', maxBytes: 75 * KB, needs: ['styles', 'screens/settings/settings.tsx'] },
  { name: 'team', maxBytes: 75 * KB, needs: ['styles', 'screens/team/team.tsx'] },
  { name: 'rich text', maxBytes: 125 * KB, needs: ['richtext/rich-text-field.tsx'], after: SHELL },
  { name: 'source editor', maxBytes: 115 * KB, needs: ['richtext/source-field.tsx'], after: SHELL },
  {
    name: 'HTML in the source editor',
    maxBytes: 75 * KB,
    needs: ['richtext/source-html.ts'],
    after: ['richtext/source-field.tsx'],
  },
  { name: 'activity', maxBytes: 75 * KB, needs: ['styles', 'screens/activity/activity.tsx'] },
  { name: 'backups', maxBytes: 75 * KB, needs: ['styles', 'screens/backups/backups.tsx'] },
  { name: 'preview page', maxBytes: 6 * KB, needs: ['preview-page/main.ts'], after: [] },
  { name: 'styles', maxBytes: 30 * KB, needs: ['styles'] },
];
