// What kinds of blocks can be added: searched by typing, those that are used most first.
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type BlockInfo, labelOf } from '../config/manifest.ts';
import { useOwnKey } from '../shell/own-key.ts';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';
import { useLeave } from '../ui/use-leave.ts';

export interface BlockMenuProps {
  blocks: readonly BlockInfo[];
  readCopied(): Record<string, unknown> | undefined;
  onAdd(block: Record<string, unknown>): void;
}

const SEARCH_FROM = 8;
function readUses(key: string): Record<string, number> {
  return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, number>;
}

export function BlockMenu({ blocks, readCopied, onAdd }: BlockMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const usesKey = useOwnKey('block-uses');
  const uses = isOpen ? readUses(usesKey) : {};
  const copied = isOpen ? readCopied() : undefined;
  const wanted = query.trim().toLowerCase();
  const shown = blocks
    .filter((block) => labelOf(block).toLowerCase().includes(wanted))
    .sort((a, b) => (uses[b.name] ?? 0) - (uses[a.name] ?? 0));
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  useLayoutEffect(() => {
    if (!isOpen) return;
    (root.current?.querySelector<HTMLElement>('input') ?? items()[0])?.focus();
  }, [isOpen]);
  useLeave(root, isOpen, () => setOpen(false));

  function close(): void {
    setOpen(false);
    setQuery('');
    button.current?.focus();
  }

  function add(block: Record<string, unknown>): void {
    const name = String(block._block);
    const before = readUses(usesKey);
    localStorage.setItem(usesKey, JSON.stringify({ ...before, [name]: (before[name] ?? 0) + 1 }));
    close();
    onAdd(block);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape') close();
    else if (event.key === 'ArrowDown') all[(at + 1) % all.length]?.focus();
    else if (event.key === 'ArrowUp') all[(at - 1 + all.length) % all.length]?.focus();
    else if (event.key === 'Enter' && at < 0) all[0]?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the menu and of the search box inside of it
    <div class="menu-root block-menu" ref={root} onKeyDown={isOpen ? onKeyDown : undefined}>
      <button
        type="button"
        class="add"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="plus" /> {t('blocks.add')}
      </button>
      {isOpen && (
        <div class="menu">
          {blocks.length >= SEARCH_FROM && (
            <input
              type="search"
              aria-label={t('blocks.search')}
              placeholder={t('blocks.search')}
              value={query}
              onInput={(event) => setQuery(event.currentTarget.value)}
            />
          )}
          <div role="menu" id={id} aria-label={t('blocks.add')}>
            {copied && wanted === '' && (
              <button type="button" role="menuitem" tabIndex={-1} onClick={() => add(copied)}>
                {t('blocks.paste')}
              </button>
            )}
            {shown.map((block) => (
              <button
                type="button"
                role="menuitem"
                tabIndex={-1}
                key={block.name}
                onClick={() => add({ _block: block.name })}
              >
                {labelOf(block)}
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
