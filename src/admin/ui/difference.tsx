// What became of a text, word by word.
import { diffWordsWithSpace } from 'diff';
import { t } from '../text/translate.ts';

/** Texts that differ more are shown as they are now. */
const MAX_EDITS = 2000;

export function Difference({ from, to }: { from: string; to: string }) {
  const parts = diffWordsWithSpace(from, to, { maxEditLength: MAX_EDITS }) ?? [
    { value: to, added: false, removed: false },
  ];
  if (from === '' && to === '')
    return (
      <div class="version">
        <em>{t('difference.empty')}</em>
      </div>
    );
  return (
    <div class="version" ref={scrollByKeys}>
      {parts.map(({ value, added, removed }, index) => {
        const key = `${index}`;
        if (added) return <ins key={key}>{value}</ins>;
        return removed ? <del key={key}>{value}</del> : value;
      })}
    </div>
  );
}

/** A box that shows a part of its text takes the focus, so that keys scroll it. */
export function scrollByKeys(box: HTMLElement | null): void {
  if (box && box.scrollHeight > box.clientHeight) box.tabIndex = 0;
}

/** Values that are no text are shown as JSON. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
