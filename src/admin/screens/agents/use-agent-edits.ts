import { useRef, useState } from 'preact/hooks';
import {
  clashesOf,
  editForm,
  type FormEdits,
  onTopOf,
  parseFormEdits,
  toKeptEdits,
  withFormEdits,
  withoutSent,
} from '../../ai/form-edits.ts';
import { isMoved } from '../../api/client.ts';
import { useKept } from '../../shell/use-kept.ts';
import { t } from '../../text/translate.ts';
import type { AgentForm } from './agent-form.ts';

type AgentEdits = FormEdits<AgentForm>;

const LABELS = {
  name: 'agents.name',
  role: 'agents.role',
  systemPrompt: 'agents.instructions',
  autonomy: 'agents.autonomy',
  collections: 'agents.collections',
  locale: 'agents.locale',
  active: 'agents.active',
  cron: 'agents.cron',
  timezone: 'agents.timezone',
  isScheduled: 'agents.scheduled',
  dailyUsd: 'agents.daily',
  monthlyUsd: 'agents.monthly',
} as const satisfies Record<keyof AgentForm, string>;

export interface AgentStore {
  /** What is kept in the tab is kept under this name. */
  keptAs: string;
  /** As the service has it now, and which version that is; a new agent has none. */
  read(): Promise<{ form: AgentForm; etag: string | undefined }>;
  /** Resolves once the screen shows what was saved. @throws ApiError 412 if `etag` is not the version any more */
  save(form: AgentForm, etag: string | undefined): Promise<void>;
}

export interface EditedAgent {
  /** As on the screen. */
  form: AgentForm;
  isChanged: boolean;
  set(part: Partial<AgentForm>): void;
  discard(): void;
  /** @throws Error that names the settings, once, if another person changed them as well */
  save(): Promise<void>;
}

export function useAgentEdits(stored: AgentForm, { keptAs, read, save }: AgentStore): EditedAgent {
  const kept = useKept(keptAs);
  const [edits, setEdits] = useState<AgentEdits>(() => parseFormEdits(kept.read()));
  const latest = useRef(edits);

  function change(next: AgentEdits): void {
    latest.current = next;
    setEdits(next);
    kept.keep(toKeptEdits(next));
  }

  async function send(sent: AgentEdits, isAgain = false): Promise<void> {
    const { form: now, etag } = await read();
    const clashes = clashesOf(sent, now);
    if (clashes.length > 0) {
      change(onTopOf(now, sent));
      throw new Error(t('agents.clash', { names: clashes.map((name) => t(LABELS[name])).join(', ') }));
    }
    try {
      await save(withFormEdits(now, sent), etag);
    } catch (error) {
      // Another person saved in the moment since it was read.
      if (isAgain || !isMoved(error)) throw error;
      await send(sent, true);
    }
  }

  return {
    form: withFormEdits(stored, edits),
    isChanged: Object.keys(edits).length > 0,
    set: (part) => change(editForm(latest.current, part, stored)),
    discard: () => change({}),
    async save() {
      const sent = latest.current;
      await send(sent);
      change(withoutSent(latest.current, sent));
    },
  };
}
