// Running an agent, and watching it: a page that leaves cancels the run.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { AnswerView } from '../../ai/answer.tsx';
import { NO_PROVIDER_ID, useAiState } from '../../ai/no-provider.tsx';
import { type AnswerPart, withEvent } from '../../ai/steps.ts';
import { useEndInView } from '../../ai/use-end-in-view.ts';
import { OfflineError } from '../../api/client.ts';
import { isUncertain } from '../../api/failure.ts';
import { toSentence } from '../../api/sentence.ts';
import type { Manifest } from '../../config/manifest.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useKept } from '../../shell/use-kept.ts';
import { t } from '../../text/translate.ts';
import { SelectField } from '../../ui/select-field.tsx';
import type { Agent, AgentRun } from './agent-form.ts';
import { RunResult } from './run-result.tsx';
import type { FoundRuns } from './runs.tsx';

export interface RunPanelProps {
  manifest: Manifest;
  agent: Agent;
  url: string;
  /** The runs that the service has. */
  found: FoundRuns['state'];
  onEnded(): void;
}

interface RunOnScreen {
  parts: readonly AnswerPart[];
  /** Steps that the model took. */
  steps: number;
  isRunning: boolean;
  run: AgentRun | undefined;
  problem: string | undefined;
  /** The connection ended before the run did. */
  isCut: boolean;
  /** The runs that there were before, if how it ended did not come. */
  cutAfter: ReadonlySet<string> | undefined;
}

const BEGINNING: RunOnScreen = {
  ...{ parts: [], steps: 0, isRunning: true },
  ...{ run: undefined, problem: undefined, isCut: false, cutAfter: undefined },
};

export function RunPanel({ manifest, agent, url, found, onEnded }: RunPanelProps) {
  const isReady = useAiState()?.ready !== false;
  const kept = useKept(`task-${agent.id}`);
  const [prompt, setPrompt] = useState(() => kept.read() ?? '');
  const [collection, setCollection] = useState(agent.collections[0] ?? '');
  const { shown, start, stop } = useRun(url, found, onEnded);
  const run = shown?.run ?? findCutRun(shown, found);
  const isDone = run?.status === 'completed';
  useEffect(() => {
    if (isDone) kept.keep('');
  }, [isDone]);
  const id = useId();
  const log = useEndInView();
  const isRunning = shown?.isRunning === true;
  const canRun = isReady && agent.active && !isRunning && prompt.trim() !== '';
  const labelOf = (name: string): string => manifest.collections.find((one) => one.name === name)?.label ?? name;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canRun) void start({ prompt: prompt.trim(), collection });
      }}
    >
      {!agent.active && <p class="note">{t('agents.off')}</p>}
      <div class="field">
        <label for={id}>{t('agents.task')}</label>
        <textarea
          id={id}
          rows={2}
          value={prompt}
          aria-describedby={`${id}-help`}
          onInput={({ currentTarget }) => {
            setPrompt(currentTarget.value);
            kept.keep(currentTarget.value);
          }}
        />
        <p class="help" id={`${id}-help`}>
          {t('agents.taskHelp')}
        </p>
      </div>
      {agent.collections.length > 1 && (
        <SelectField
          label={t('agents.collection')}
          value={collection}
          options={agent.collections.map((name) => ({ value: name, label: labelOf(name) }))}
          onChange={setCollection}
        />
      )}
      <div class="buttons">
        {isRunning ? (
          <button type="button" onClick={stop}>
            {t('agents.cancel')}
          </button>
        ) : (
          <button
            type="submit"
            class="primary"
            aria-disabled={!canRun}
            aria-describedby={isReady ? undefined : NO_PROVIDER_ID}
          >
            {t('agents.run')}
          </button>
        )}
        {isRunning && <p class="help">{t('agents.stay')}</p>}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is too long */}
      <div class="log agent-log" role="log" aria-label={t('agents.log')} aria-busy={isRunning} tabIndex={0} ref={log}>
        {!shown && <p class="empty">{t('agents.logEmpty')}</p>}
        {shown && <AnswerView parts={shown.parts} />}
        {shown?.isRunning && (
          <p class="thinking">
            {shown.steps > 0 && `${t('ai.step.number', { count: shown.steps })} · `}
            {t('chat.thinking')}
          </p>
        )}
        {shown?.problem && (
          <p class="error" role="alert">
            {t('agents.ended.failed', { reason: shown.problem })}
          </p>
        )}
        {shown?.isCut && (
          <p class="error" role="alert">
            {t('agents.cut')} {!run && t('agents.cutUnknown')}
          </p>
        )}
        {run && <RunResult run={run} />}
      </div>
    </form>
  );
}

/** The oldest one that a person began since: the list has no more of a run whose end did not come. */
function findCutRun({ cutAfter }: Partial<RunOnScreen> = {}, found: FoundRuns['state']): AgentRun | undefined {
  if (!cutAfter || found.kind !== 'ready' || found.isStale) return undefined;
  return found.data.runs.findLast(({ id, trigger }) => trigger === 'manual' && !cutAfter.has(id));
}

/** Undefined if it is not known. */
function idsOf(found: FoundRuns['state']): ReadonlySet<string> | undefined {
  return found.kind === 'ready' ? new Set(found.data.runs.map(({ id }) => id)) : undefined;
}

function useRun(url: string, found: FoundRuns['state'], onEnded: () => void) {
  const { postForEvents, messages } = useAdmin();
  const [shown, setShown] = useState<RunOnScreen>();
  const running = useRef<AbortController>(undefined);
  // Hanging up cancels the run.
  useEffect(() => () => running.current?.abort(), []);
  const change = (to: (before: RunOnScreen) => Partial<RunOnScreen>): void => {
    setShown((before = BEGINNING) => ({ ...before, ...to(before) }));
  };

  async function start(body: { prompt: string; collection: string }): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setShown(BEGINNING);
    const known = idsOf(found);
    let isEnded = false;
    let isBegun = false;
    try {
      for await (const event of postForEvents(`${url}/run`, body, controller.signal)) {
        const { run, message, step } = event.data as { run?: AgentRun; message?: string; step?: number };
        isBegun = true;
        isEnded ||= event.event === 'done' || event.event === 'error';
        if (event.event === 'done') change(() => ({ run, isRunning: false }));
        else if (event.event === 'error') change(() => ({ problem: toSentence(new Error(message)) }));
        else if (event.event === 'step') change(() => ({ steps: step ?? 0 }));
        else change(({ parts }) => ({ parts: withEvent(parts, event) }));
      }
      if (!isEnded) change(() => ({ isCut: true, cutAfter: known }));
    } catch (error) {
      if (controller.signal.aborted) messages.notify(t('agents.cancelled'));
      else if (error instanceof OfflineError && isBegun)
        change(() => (isEnded ? {} : { isCut: true, cutAfter: known }));
      else change(() => ({ problem: toSentence(error), ...(isUncertain(error) ? { cutAfter: known } : {}) }));
    } finally {
      change(() => ({ isRunning: false }));
      running.current = undefined;
      onEnded();
    }
  }

  return { shown, start, stop: () => running.current?.abort() };
}
