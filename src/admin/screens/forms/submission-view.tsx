// One submission: what was sent, when, and what can be done with it.
import { useEffect, useRef } from 'preact/hooks';
import { useAdmin } from '../../shell/admin.ts';
import { toExact, toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import type { FormFields, FormSubmission, InboxStatus } from './form-entry.ts';
import { findReplyTo, toMailto, toShownValues } from './shown-values.ts';

export interface SubmissionViewProps {
  submission: FormSubmission;
  title: string;
  fields: FormFields;
  formLabel: string;
  mayWrite: boolean;
  /** Whether the heading takes the focus when it appears. */
  hasFocus: boolean;
  /** Undefined at an end of the list. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onMark(status: InboxStatus): void;
  onDelete(): void;
}

export function SubmissionView(props: SubmissionViewProps) {
  const { submission, title, fields, formLabel, mayWrite, hasFocus, onPrevious, onNext, onMark, onDelete } = props;
  const { status, data } = submission;
  const { now } = useAdmin();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!hasFocus) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const subject = t('submission.subject', { form: formLabel });
  const words = { yes: t('list.yes'), no: t('list.no'), subject };
  const replyTo = findReplyTo(data, fields);
  const values = toShownValues(data, fields, words);
  return (
    <>
      <div class="submission-head">
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h2>
        <span class="submission-steps">
          <button
            type="button"
            class="plain"
            title={t('submission.previous')}
            disabled={!onPrevious}
            onClick={onPrevious}
          >
            <Icon name="down" />
            <span class="hidden">{t('submission.previous')}</span>
          </button>
          <button type="button" class="plain" title={t('submission.next')} disabled={!onNext} onClick={onNext}>
            <Icon name="down" />
            <span class="hidden">{t('submission.next')}</span>
          </button>
        </span>
      </div>
      <p class="help">
        <span class={`pill is-${status}`}>{t(`inbox.${status}`)}</span>{' '}
        <time datetime={submission.createdAt} title={toRelative(submission.createdAt, now().getTime())}>
          {t('submission.received', { when: toExact(submission.createdAt) })}
        </time>
      </p>
      <div class="submission-actions">
        {replyTo && (
          <a class="button primary" href={toMailto(replyTo, subject)}>
            <Icon name="mail" />
            {t('submission.reply')}
          </a>
        )}
        {mayWrite && (
          <>
            {status === 'archived' ? (
              <button type="button" data-once onClick={() => onMark('read')}>
                <Icon name="restore" />
                {t('submission.unarchive')}
              </button>
            ) : (
              <button type="button" data-once aria-keyshortcuts="e" onClick={() => onMark('archived')}>
                <Icon name="archive" />
                {t('submission.archive')}
              </button>
            )}
            {status === 'new' ? (
              <button type="button" data-once onClick={() => onMark('read')}>
                {t('submission.read')}
              </button>
            ) : (
              <button type="button" data-once aria-keyshortcuts="u" onClick={() => onMark('new')}>
                {t('submission.new')}
              </button>
            )}
            <button type="button" data-once onClick={onDelete}>
              <Icon name="trash" />
              {t('submission.delete')}
            </button>
          </>
        )}
      </div>
      {values.length === 0 && <p class="empty">{t('submission.nothing')}</p>}
      <dl class="sent">
        {values.map(({ name, label, text, href }) => (
          <div key={name}>
            <dt>
              <bdi>{label}</bdi>
            </dt>
            <dd>
              {href === undefined ? (
                text
              ) : (
                <a
                  href={href}
                  {...(href.startsWith('mailto:') ? {} : { target: '_blank', rel: 'noreferrer nofollow' })}
                >
                  {text}
                </a>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <details class="sent-from">
        <summary>{t('submission.details')}</summary>
        <dl>
          <dt>{t('submission.browser')}</dt>
          <dd dir="ltr">{submission.userAgent || t('submission.noBrowser')}</dd>
          <dt>{t('submission.sender')}</dt>
          <dd>
            <code>{submission.ipHash}</code>
          </dd>
        </dl>
        <p class="help">{t('submission.senderHelp')}</p>
      </details>
    </>
  );
}
