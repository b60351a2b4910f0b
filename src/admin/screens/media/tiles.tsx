// The files on the screen: one of them is a stop of Tab, arrows lead to the others, Space selects.
import { useRef, useState } from 'preact/hooks';
import { FileFacts, FileTile } from '../../media/file-tile.tsx';
import type { MediaFile } from '../../media/media-file.ts';
import { useKeys } from '../../shell/use-keys.ts';
import { t } from '../../text/translate.ts';
import { isSelected } from '../../ui/selection.ts';
import { type MediaAddress, slugOf, toMediaUrl } from './media-address.ts';
import { moveInTiles } from './move-in-tiles.ts';
import type { FileSelection } from './use-many.ts';

export interface TilesProps {
  files: readonly MediaFile[];
  address: MediaAddress;
  selection: FileSelection;
  /** False if nothing could be done with a selection. */
  canSelect: boolean;
  onToggle(index: number, isRange: boolean): void;
  onSelectAll(): void;
  onDelete(file: MediaFile): void;
}

export function Tiles({ files, address, selection, canSelect, onToggle, onSelectAll, onDelete }: TilesProps) {
  const list = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState(0);
  const stop = Math.min(active, files.length - 1);
  const indexOf = (target: EventTarget | null): number =>
    target instanceof Element && list.current
      ? [...list.current.children].findIndex((one) => one.contains(target))
      : -1;

  /** From wherever one is on the page to the file that was reached last, and on from there. */
  function step(by: number): void {
    const at = indexOf(document.activeElement);
    const next = at < 0 ? stop : Math.max(0, Math.min(at + by, files.length - 1));
    list.current?.querySelectorAll('a')[next]?.focus();
  }
  useKeys({ j: () => step(1), k: () => step(-1) });

  function onKeyDown(event: KeyboardEvent): void {
    const at = indexOf(event.target);
    if (at < 0 || event.altKey || event.metaKey) return;
    if (event.ctrlKey) {
      if (!canSelect || event.key.toLowerCase() !== 'a') return;
      onSelectAll();
    } else if (event.key === ' ' && canSelect) onToggle(at, event.shiftKey);
    else if (event.key === 'Delete') onDelete(files[at]!);
    else {
      const links = [...(list.current?.querySelectorAll('a') ?? [])];
      const boxes = links.map((link) => link.getBoundingClientRect());
      const next = moveInTiles(event.key, at, boxes);
      if (next === undefined) return;
      links[next]?.focus();
    }
    event.preventDefault();
  }

  return (
    <ul
      class={countClass(selection)}
      aria-label={t('media.files')}
      ref={list}
      onKeyDown={onKeyDown}
      onKeyUp={(event) => {
        // Browsers differ in which of the two keys toggles a checkbox.
        if (event.key === ' ') event.preventDefault();
      }}
      onFocusIn={({ target }) => setActive(Math.max(0, indexOf(target)))}
    >
      {files.map((file, index) => {
        const isOn = isSelected(selection, slugOf(file));
        const turn = index === stop ? 0 : -1;
        return (
          <li class={isOn ? 'tile is-selected' : 'tile'} key={file.url}>
            <a
              href={toMediaUrl({ ...address, file: slugOf(file) })}
              tabIndex={turn}
              aria-description={isOn ? t('media.isSelected') : undefined}
            >
              <FileTile file={file} />
            </a>
            <FileFacts file={file} />
            {canSelect && (
              <label class="tile-check">
                <input
                  type="checkbox"
                  tabIndex={turn}
                  checked={isOn}
                  aria-label={t('list.selectOne', { title: file.name })}
                  onClick={({ shiftKey }) => onToggle(index, shiftKey)}
                />
              </label>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** While something is selected, the boxes of all are seen. */
function countClass(selection: FileSelection): string {
  return selection.kind === 'query' || selection.items.size > 0 ? 'tiles is-selecting' : 'tiles';
}
