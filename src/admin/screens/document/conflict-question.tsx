// What two changed differently: both values and what they began with, and a decision for each.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type CollectionInfo, labelOf } from '../../config/manifest.ts';
import type { Conflict } from '../../document/edits.ts';
import { isEqual } from '../../document/is-equal.ts';
import { type EditKey, fieldNameOf } from '../../document/stored-document.ts';
import { LANGUAGE } from '../../text/reader.ts';
import { t } from '../../text/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Difference, scrollByKeys, toText } from '../../ui/difference.tsx';

type Choice = 'mine' | 'theirs' | 'both';

export interface ConflictTexts {
  /** What happened. */
  text: string;
  /** Said when there is another change while one decides. */
  again: string;
  choices: Readonly<Record<Choice, string>>;
  save: string;
  /** Undefined if there is nothing to throw away. */
  discard?: string;
  back: string;
}

export interface ConflictQuestionProps {
  conflicts: readonly Conflict[];
  collection: CollectionInfo;
  texts: ConflictTexts;
  onDecide(chosen: ReadonlyMap<EditKey, unknown>): void;
  onDiscard?(): void;
  onClose(): void;
}

export function ConflictQuestion(props: ConflictQuestionProps) {
  const { conflicts, collection, texts, onDecide, onDiscard, onClose } = props;
  const [asked] = useState(conflicts);
  const [choices, setChoices] = useState<ReadonlyMap<EditKey, { of: Conflict; choice: Choice }>>(new Map());
  const [isPressed, setPressed] = useState(false);
  /** Undefined until it is decided: only what loses neither text is chosen before. */
  const choiceOf = (conflict: Conflict): Choice | undefined => {
    const chosen = choices.get(conflict.key);
    // What was chosen before the others changed it once more was chosen between other texts.
    if (chosen && isEqual(chosen.of, conflict)) return chosen.choice;
    return conflict.both === undefined ? undefined : 'both';
  };
  const open = conflicts.filter((conflict) => choiceOf(conflict) === undefined);
  const questions = useRef<HTMLDivElement>(null);
  // Arrows go on from what is chosen.
  useEffect(() => {
    const isAway = questions.current?.querySelector('input:focus') === null && asked !== conflicts;
    if (!isAway) focusQuestion(questions.current, 0);
  }, [conflicts]);
  function decide(): void {
    const [first] = open;
    if (!first) {
      onDecide(new Map(conflicts.map((conflict) => [conflict.key, conflict[choiceOf(conflict) as Choice]])));
      return;
    }
    setPressed(true);
    focusQuestion(questions.current, conflicts.indexOf(first));
  }
  return (
    <Dialog title={t('conflict.title')} class="conflict" onClose={onClose}>
      <p>{texts.text}</p>
      <p role="status">{!isEqual(asked, conflicts) && texts.again}</p>
      <div ref={questions}>
        {conflicts.map((conflict) => (
          <Decision
            key={conflict.key}
            conflict={conflict}
            label={toLabel(conflict.key, collection)}
            names={texts.choices}
            choice={choiceOf(conflict)}
            isMissing={isPressed && open.includes(conflict)}
            onChoose={(choice) => setChoices(new Map(choices).set(conflict.key, { of: conflict, choice }))}
          />
        ))}
      </div>
      <div role="alert">
        {isPressed && open.length > 0 && (
          <p class="error">
            {t('conflict.choose', {
              fields: new Intl.ListFormat(LANGUAGE).format(open.map(({ key }) => toLabel(key, collection))),
            })}
          </p>
        )}
      </div>
      <div class="buttons">
        <button type="button" class="primary" onClick={decide}>
          {texts.save}
        </button>
        {texts.discard && (
          <button type="button" onClick={onDiscard}>
            {texts.discard}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {texts.back}
        </button>
      </div>
    </Dialog>
  );
}

/** To what is chosen in it, or its first choice. */
function focusQuestion(questions: HTMLElement | null, at: number): void {
  const group = questions?.querySelectorAll('[role="radiogroup"]')[at];
  (group?.querySelector<HTMLElement>('input:checked') ?? group?.querySelector<HTMLElement>('input'))?.focus();
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
  names: ConflictTexts['choices'];
  choice: Choice | undefined;
  /** True if it was to be saved without this decision. */
  isMissing: boolean;
  onChoose(choice: Choice): void;
}

function Decision({ conflict, label, names, choice, isMissing, onChoose }: DecisionProps) {
  const id = useId();
  const base = toText(conflict.base);
  const offered: Choice[] = conflict.both === undefined ? ['mine', 'theirs'] : ['mine', 'theirs', 'both'];
  return (
    <section class="decision">
      <h3 id={id}>{label}</h3>
      <p class="help">{t('conflict.base')}</p>
      <div class="version" ref={scrollByKeys}>
        {base || <em>{t('difference.empty')}</em>}
      </div>
      <div role="radiogroup" aria-labelledby={id} aria-invalid={isMissing ? 'true' : undefined} class="choices">
        {offered.map((one) => (
          <div class={`side-choice ${one === choice ? 'chosen' : ''}`} key={one}>
            <label class="tick">
              <input type="radio" name={id} checked={one === choice} onChange={() => onChoose(one)} />
              {names[one]}
            </label>
            <Difference from={base} to={toText(conflict[one])} />
          </div>
        ))}
      </div>
    </section>
  );
}
