// Search and commands: one box for screens and what one can do (ARIA Authoring Practices, "Combobox").
import { useId, useState } from 'preact/hooks';
import { t } from '../text/translate.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useAdmin } from './admin.ts';
import type { Destination } from './destinations.ts';
import { matchOptions, type PaletteOption } from './match-options.ts';
import { THEMES } from './theme.ts';
import { useFound } from './use-found.ts';
import { useHelpPages } from './use-help-pages.ts';
import { useNavigate } from './use-navigate.ts';
import { useRecent } from './use-recent.ts';
import { useSignOut } from './use-sign-out.ts';

export interface PaletteProps {
  destinations: readonly Destination[];
  /** The screens of collections that one may add a document to. */
  beginnings: readonly Destination[];
  onKeys(): void;
  onClose(): void;
}

export function Palette({ destinations, beginnings, onKeys, onClose }: PaletteProps) {
  const { theme } = useAdmin();
  const signOut = useSignOut();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const options: PaletteOption[] = [
    ...destinations.map(({ path, label }) => ({
      kind: t('palette.screens'),
      label,
      run: () => navigate(path),
    })),
    { kind: t('palette.screens'), label: t('account.title'), run: () => navigate('/admin/account') },
    ...useHelpPages().map(({ slug, title, blocks }) => ({
      kind: t('help.page'),
      label: title,
      words: blocks.map((block) => (block.kind === 'heading' ? block.text : '')).join(' '),
      run: () => navigate(`/admin/help/${slug}`),
    })),
    ...beginnings.map(({ path, label }) => ({
      kind: t('palette.actions'),
      label: t('palette.new', { label }),
      run: () => navigate(`${path}/new`),
    })),
    ...THEMES.map((choice) => ({
      kind: t('palette.actions'),
      label: `${t('theme.group')}: ${t(`theme.${choice}`)}`,
      run: () => theme.choose(choice),
    })),
    { kind: t('palette.actions'), label: t('help.keys'), run: onKeys },
    { kind: t('palette.actions'), label: t('account.signOut'), run: signOut },
  ];
  const recent = useRecent(destinations, navigate);
  const found: PaletteOption[] = [
    ...(query.trim() === '' ? recent : []),
    ...matchOptions(options, query),
    ...useFound(query, navigate),
  ];
  const at = Math.min(chosen, found.length - 1);

  function run(option: PaletteOption | undefined): void {
    if (!option) return;
    onClose();
    // Once it has gone: a key that opens it again at the next screen would find this one with its words.
    setTimeout(option.run);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') setChosen((at + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setChosen((at - 1 + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') run(found[at]);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog title={t('app.search')} hasVisibleTitle={false} class="palette" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={t('app.search')}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={found.length ? `${id}-${at}` : undefined}
        placeholder={t('palette.placeholder')}
        autocomplete="off"
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="options" id={id} role="listbox" aria-label={t('palette.results')}>
        {found.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the box has the keys and the focus
          <div
            key={option.id ?? `${option.kind}${option.label}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(option)}
          >
            <bdi>{option.label}</bdi>
            <span class="help">{option.kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="empty">{t('palette.none', { query })}</p>}
    </Dialog>
  );
}
