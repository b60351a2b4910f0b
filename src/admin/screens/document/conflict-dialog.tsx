// Two people changed the same: both texts and what they began with, and a decision for each.
import { useEffect, useId, useState } from 'preact/hooks';
import { type CollectionInfo, labelOf } from '../../config/manifest.ts';
import type { Conflict } from '../../document/edits.ts';
import { isEqual } from '../../document/is-equal.ts';
import type { OpenDocument } from '../../document/open-document.ts';
import { type EditKey, fieldNameOf, readKey } from '../../document/stored-document.ts';
import { t } from '../../text/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Difference, toText } from '../../ui/difference.tsx';

export interface ConflictDialogProps {
  document: OpenDocument;
  collection: CollectionInfo;
  who: string | undefined;
}

type Choice = 'mine' | 'theirs' | 'both';

export function ConflictDialog(props: ConflictDialogProps) {
  return props.document.conflicts.value.length === 0 ? null : <Question {...props} />;
}

function Question({ document, collection, who }: ConflictDialogProps) {
  const conflicts = document.conflicts.value;
  const [asked] = useState(conflicts);
  const [choices, setChoices] = useState<ReadonlyMap<EditKey, { of: Conflict; choice: Choice }>>(new Map());
  const choiceOf = (conflict: Conflict): Choice => {
    const chosen = choices.get(conflict.key);
    // What was chosen before the others changed it once more was chosen between other texts.
    if (chosen && isEqual(chosen.of, conflict)) return chosen.choice;
    return conflict.both === undefined ? 'mine' : 'both';
  };
  const id = useId();
  // What is chosen has the focus: arrows go on from there.
  useEffect(() => {
    const radios = `#${CSS.escape(id)} input`;
    const isAway = globalThis.document.querySelector(`${radios}:focus`) === null && asked !== conflicts;
    if (!isAway) globalThis.document.querySelector<HTMLElement>(`${radios}:checked`)?.focus();
  }, [conflicts]);
  const decide = (): void => {
    void document.resolve(new Map(conflicts.map((conflict) => [conflict.key, conflict[choiceOf(conflict)]])));
  };
  return (
    <Dialog title={t('conflict.title')} class="conflict" onClose={() => document.postpone()}>
      <p>{t('conflict.text', { who: who ?? t('done.someone') })}</p>
      <p role="status">{!isEqual(asked, conflicts) && t('conflict.again', { who: who ?? t('done.someone') })}</p>
      <div id={id}>
        {conflicts.map((conflict) => (
          <Decision
            key={conflict.key}
            conflict={conflict}
            label={toLabel(conflict.key, collection)}
            choice={choiceOf(conflict)}
            onChoose={(choice) => setChoices(new Map(choices).set(conflict.key, { of: conflict, choice }))}
          />
        ))}
      </div>
      <div class="buttons">
        <button type="button" class="primary" onClick={decide}>
          {t('conflict.save')}
        </button>
        <button type="button" onClick={() => discardMine(document, conflicts)}>
          {t('conflict.discard')}
        </button>
        <button type="button" onClick={() => document.postpone()}>
          {t('conflict.back')}
        </button>
      </div>
    </Dialog>
  );
}

/** What is theirs stays; what only I changed is still on the screen. */
function discardMine(document: OpenDocument, conflicts: readonly Conflict[]): void {
  const stored = document.latest.peek()?.document;
  for (const { key } of conflicts) document.set(key, readKey(stored, key));
  document.postpone();
}

function toLabel(key: EditKey, { fields }: CollectionInfo): string {
  const name = fieldNameOf(key);
  const field = fields.find((one) => one.name === name);
  if (field) return labelOf(field);
  if (name !== undefined) return name;
  if (key === 'translationOf') return t('panel.translations');
  return t(key === 'slug' ? 'details.slug' : 'details.locale');
}

interface DecisionProps {
  conflict: Conflict;
  label: string;
  choice: Choice;
  onChoose(choice: Choice): void;
}

function Decision({ conflict, label, choice, onChoose }: DecisionProps) {
  const id = useId();
  const base = toText(conflict.base);
  const offered: Choice[] = conflict.both === undefined ? ['mine', 'theirs'] : ['mine', 'theirs', 'both'];
  return (
    <section class="decision">
      <h3 id={id}>{label}</h3>
      <p class="help">{t('conflict.base')}</p>
      <div class="version">{base || <em>{t('difference.empty')}</em>}</div>
      <div role="radiogroup" aria-labelledby={id} class="choices">
        {offered.map((one) => (
          <div class={`choice ${one === choice ? 'chosen' : ''}`} key={one}>
            <label class="tick">
              <input type="radio" name={id} checked={one === choice} onChange={() => onChoose(one)} />
              {t(`conflict.${one}`)}
            </label>
            <Difference from={base} to={toText(conflict[one])} />
          </div>
        ))}
      </div>
    </section>
  );
}
