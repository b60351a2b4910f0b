// The list below a slash in the text. The focus stays in the text box, which names the chosen line.
import { t } from '../text/translate.ts';
import type { BlockChoice } from './editor/slash-menu.ts';

export interface SlashListProps {
  id: string;
  choices: readonly BlockChoice[];
  chosen: number;
  /** From the corner of the field. */
  place: { top: number; left: number };
  onChoose(choice: BlockChoice): void;
}

export function SlashList({ id, choices, chosen, place, onChoose }: SlashListProps) {
  return (
    <div class="rt-menu" style={{ top: `${place.top}px`, left: `${place.left}px` }}>
      {choices.length === 0 ? (
        <p class="help">{t('rt.noBlocks')}</p>
      ) : (
        <div role="listbox" id={id} aria-label={t('rt.blocks')}>
          {choices.map((choice, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text box has the focus and takes the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the text box names it by aria-activedescendant
            <div
              role="option"
              id={`${id}-${at}`}
              key={choice.label}
              aria-selected={at === chosen}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(choice)}
            >
              {t(choice.label)}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
