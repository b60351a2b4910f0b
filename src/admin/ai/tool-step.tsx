import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';
import { linksOf, type ToolStep, toShownJson } from './steps.ts';

const NAMES = {
  working: 'ai.step.call',
  waiting: 'ai.step.waits',
  done: 'ai.step.done',
  failed: 'ai.step.failed',
} as const;

/** One use of a tool: its name in a line, what went in and came out on demand, and what it led to. */
export function ToolStepView({ step }: { step: ToolStep }) {
  return (
    <div class={`tool-step ${step.state}`}>
      <details>
        <summary>
          <Icon name={step.state === 'failed' ? 'warning' : 'settings'} />
          {t(NAMES[step.state], { tool: step.tool })}
        </summary>
        <p class="help">{t('ai.step.input')}</p>
        <Shown value={step.input} />
        {step.state !== 'working' && <p class="help">{t('ai.step.result')}</p>}
        {step.state !== 'working' && <Shown value={step.result} />}
      </details>
      {linksOf(step.result).map(({ path, title }) => (
        <a key={path} href={path}>
          <bdi>{title ?? t('ai.toItem')}</bdi>
        </a>
      ))}
    </div>
  );
}

function Shown({ value }: { value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is too long
    <pre tabIndex={0}>{toShownJson(value)}</pre>
  );
}
