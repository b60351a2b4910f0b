// A field's text written anew by a model: with an instruction, as a difference, again and again until it is accepted.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { labelOf } from '../../../config/manifest.ts';
import { acceptField } from '../../../document/proposal.ts';
import { dataKey } from '../../../document/stored-document.ts';
import { useAdmin } from '../../../shell/admin.ts';
import { t } from '../../../text/translate.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Difference, toText } from '../../../ui/difference.tsx';
import { Failure, WarningList } from './asking-parts.tsx';
import type { RewriteMenuProps } from './rewrite-menu.tsx';
import { unsavedOf, useFieldProposals } from './use-field-proposals.ts';

interface RewriteDialogProps extends RewriteMenuProps {
  /** What is asked at once; the empty string waits for the person to write one. */
  instruction: string;
  onClose(): void;
}

export function RewriteDialog({ field, document, collection, instruction: given, onClose }: RewriteDialogProps) {
  const { messages } = useAdmin();
  const id = useId();
  const label = labelOf(field);
  const [instruction, setInstruction] = useState(given);
  const proposals = useFieldProposals(document, collection);
  const { state, open, notes } = proposals;
  const proposed = open.find(({ name }) => name === field.name);
  const accept = useRef<HTMLButtonElement>(null);
  const isRunning = state.kind === 'running';

  function ask(): void {
    const slug = document.latest.peek()?.document.id;
    if (instruction.trim() === '' || slug === undefined) return;
    const unsaved = unsavedOf(document, { ...collection, fields: [field] });
    const body = { collection: collection.name, slug, field: field.name, instruction, ...unsaved };
    proposals.ask('/api/cms/ai/rewrite', body);
  }

  useEffect(ask, []);
  // The answer is what one waits for.
  useEffect(() => accept.current?.focus(), [proposed !== undefined]);

  return (
    <Dialog title={t('rewrite.title', { label })} class="rewrite" onClose={onClose}>
      <div class="field">
        <label for={id}>{t('rewrite.instruction')}</label>
        <textarea
          id={id}
          rows={2}
          maxLength={2000}
          value={instruction}
          placeholder={t('rewrite.placeholder')}
          onInput={({ currentTarget }) => setInstruction(currentTarget.value)}
        />
      </div>
      <div role="status" aria-busy={isRunning}>
        {isRunning && <p>{t('rewrite.running')}</p>}
        {state.kind === 'done' && !proposed && <p>{t('rewrite.same')}</p>}
        {proposed && (
          <div class="proposed">
            <Difference from={toText(document.value(dataKey(field.name)).value)} to={toText(proposed.value)} />
          </div>
        )}
      </div>
      {state.kind === 'failed' && <Failure error={state.error} />}
      <WarningList notes={notes} />
      <div class="buttons">
        {proposed && (
          <button
            type="button"
            class="primary"
            ref={accept}
            onClick={() => {
              messages.notify(t('proposal.accepted', { label }), acceptField(document, proposed));
              onClose();
            }}
          >
            {t('proposal.accept')}
          </button>
        )}
        {!isRunning && (
          <button
            type="button"
            onClick={ask}
            class={proposed ? '' : 'primary'}
            aria-disabled={instruction.trim() === ''}
          >
            {t(state.kind === 'idle' ? 'rewrite.start' : 'proposal.again')}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {t(proposed ? 'proposal.reject' : 'app.cancel')}
        </button>
      </div>
    </Dialog>
  );
}
