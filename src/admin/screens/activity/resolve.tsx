// Two histories claim to be the site's, and a person chooses. Both sides are shown, and it asks before.
import { useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { AlertDialog } from '../../ui/dialog.tsx';
import { CommitId } from '../../ui/facts.tsx';

interface Side {
  /** Null if there is nothing on this side. */
  commit: string | null;
  text: string;
  /** False if the service could not go on from it. */
  mayBeKept: boolean;
}

export interface ResolveProps {
  url: string;
  text: string;
  ours: Side;
  theirs: Side;
  onDone(): void;
}

type Choice = 'ours' | 'theirs';

export function Resolve({ url, text, ours, theirs, onDone }: ResolveProps) {
  const { request, messages, resources, session } = useAdmin();
  /** With their commit as it was when the question came. */
  const [asked, setAsked] = useState<{ keep: Choice; theirs: string | null }>();
  const [isBusy, setBusy] = useState(false);

  async function resolve(choice: { keep: Choice; theirs: string | null }): Promise<void> {
    setAsked(undefined);
    setBusy(true);
    try {
      await request('POST', url, { body: choice });
      messages.notify(t(`resolve.done.${choice.keep}`));
      resources.refresh('/api/');
    } catch (error) {
      messages.fail(toSentence(error));
    } finally {
      setBusy(false);
      onDone();
    }
  }

  return (
    <div class="problem" role="alert">
      <p>{text}</p>
      <dl class="sides">
        {(
          [
            ['ours', ours],
            ['theirs', theirs],
          ] as const
        ).map(([choice, side]) => (
          <div key={choice}>
            <dt>{t(`resolve.${choice}`)}</dt>
            <dd>
              {side.commit === null ? t('resolve.nothing') : <CommitId commit={side.commit} />}
              <p class="help">{side.text}</p>
              {session.may('sites:write') && side.mayBeKept && (
                <button
                  type="button"
                  aria-disabled={isBusy}
                  onClick={() => !isBusy && setAsked({ keep: choice, theirs: theirs.commit })}
                >
                  {t(`resolve.keep.${choice}`)}
                </button>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {asked && (
        <AlertDialog
          title={t(`resolve.keep.${asked.keep}`)}
          verb={t(`resolve.keep.${asked.keep}`)}
          cancel={t('app.cancel')}
          onConfirm={() => void resolve(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{asked.keep === 'ours' ? t('resolve.ask.ours') : t('resolve.ask.theirs')}</p>
          <p class="help">{t('resolve.kept')}</p>
        </AlertDialog>
      )}
    </div>
  );
}
