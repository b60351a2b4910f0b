// The log of one deploy: follows its end until one scrolls up, and begins with what failed.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DeployRun } from '../../publishing/deploys.ts';
import { toExact } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty } from '../../ui/states.tsx';
import { type FailingLine, findFailingLine } from './failing-line.ts';
import { useLog } from './use-log.ts';

/** A line of the end is still the end. */
const NEAR_PX = 24;

/** Before the first run. */
export function NoLog() {
  return (
    <Card title={t('log.title')} icon="list">
      <div role="log" aria-label={t('log.title')}>
        <Empty>{t('log.none')}</Empty>
      </div>
    </Card>
  );
}

/** `hasFocus` moves the focus to it: one opened this run. */
export function RunLog({ run, hasFocus }: { run: DeployRun; hasFocus: boolean }) {
  const { text, isEnded, isLost, retry } = useLog(run.id);
  const box = useRef<HTMLPreElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const failing = isEnded && run.status === 'failure' ? findFailingLine(text) : undefined;

  const toEnd = (): void => void box.current?.scrollTo({ top: box.current.scrollHeight });
  useLayoutEffect(() => {
    if (isFollowing && !failing) toEnd();
  }, [text, isFollowing]);
  useLayoutEffect(() => {
    const mark = box.current?.querySelector<HTMLElement>('mark');
    if (mark) box.current?.scrollTo({ top: mark.offsetTop - NEAR_PX });
  }, [failing?.at]);
  useEffect(() => {
    if (!hasFocus) return;
    box.current?.scrollIntoView({ block: 'center' });
    box.current?.focus({ preventScroll: true });
  }, []);

  return (
    <Card title={t('log.of', { when: toExact(run.startedAt) })} icon="list">
      {failing && (
        <p class="problem">
          <strong>{t('log.failedAt')}</strong> <code>{failing.text}</code>
        </p>
      )}
      {isLost && (
        <p class="problem" role="alert">
          {t('log.gone')}{' '}
          <button type="button" onClick={retry}>
            {t('state.again')}
          </button>
        </p>
      )}
      <pre
        ref={box}
        class="run-log"
        role="log"
        aria-label={t('log.title')}
        // The state is announced, and not each line of a build.
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
        tabIndex={0}
        dir="ltr"
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          setFollowing(scrollHeight - scrollTop - clientHeight < NEAR_PX)
        }
      >
        <Marked text={text} failing={failing} />
        {isEnded && text === '' && t('log.empty')}
      </pre>
      {!isEnded && !isFollowing && (
        <p>
          <button
            type="button"
            onClick={() => {
              setFollowing(true);
              box.current?.focus({ preventScroll: true });
            }}
          >
            <Icon name="down" />
            {t('log.follow')}
          </button>
        </p>
      )}
    </Card>
  );
}

function Marked({ text, failing }: { text: string; failing: FailingLine | undefined }) {
  if (!failing) return <>{text}</>;
  const end = failing.at + failing.text.length;
  return (
    <>
      {text.slice(0, failing.at)}
      <mark>{failing.text}</mark>
      {text.slice(end)}
    </>
  );
}
