// Two people changed the same: both texts and what they began with, and a decision for each.
import { useId, useState } from 'preact/hooks';
import { type CollectionInfo, labelOf } from '../../config/manifest.ts';
import type { Conflict } from '../../document/edits.ts';
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

export function ConflictDialog({ document, collection, who }: ConflictDialogProps) {
  const conflicts = document.conflicts.value;
  const [choices, setChoices] = useState<ReadonlyMap<EditKey, Choice>>(new Map());
  if (conflicts.length === 0) return null;
  const choiceOf = (conflict: Conflict): Choice => {
    const chosen = choices.get(conflict.key);
    if (chosen && (chosen !== 'both' || conflict.both !== undefined)) return chosen;
    return conflict.both === undefined ? 'mine' : 'both';
  };
  const chosenOf = (conflict: Conflict): unknown => conflict[choiceOf(conflict)];
  const decide = (value: (conflict: Conflict) => unknown): void => {
    setChoices(new Map());
    void document.resolve(new Map(conflicts.map((conflict) => [conflict.key, value(conflict)])));
  };
  return (
    <Dialog title={t('conflict.title')} class="conflict" onClose={() => document.postpone()}>
      <p>{t('conflict.text', { who: who ?? t('done.someone') })}</p>
      {conflicts.map((conflict) => (
        <Decision
          key={conflict.key}
          conflict={conflict}
          label={toLabel(conflict.key, collection)}
          choice={choiceOf(conflict)}
          onChoose={(choice) => setChoices(new Map(choices).set(conflict.key, choice))}
        />
      ))}
      <div class="buttons">
        <button type="button" class="primary" onClick={() => decide(chosenOf)}>
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
  return name ?? (key === 'slug' ? t('details.slug') : t('details.locale'));
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
