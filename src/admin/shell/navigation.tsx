// Where one is, and where one can go. On a phone a button that names the screen opens it (ARIA Authoring Practices,
// "Disclosure Navigation"): Escape, a click elsewhere and the way to a screen close it.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { toNumber } from '../text/reader.ts';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';
import { useLeave } from '../ui/use-leave.ts';
import { type Destination, type DestinationGroup, isAt } from './destinations.ts';

export interface NavigationProps {
  groups: readonly DestinationGroup[];
  path: string;
}

export function Navigation({ groups, path }: NavigationProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const all = groups.flatMap(({ destinations }) => destinations);
  const here = all.find((one) => isAt(path, one.path));
  const waiting = all.flatMap(({ badge }) => badge ?? []);
  useLeave(root, isOpen, () => setOpen(false));
  // In the next frame the page has its layout anyhow.
  useEffect(() => {
    const frame = requestAnimationFrame(() => showCurrent(root.current));
    return () => cancelAnimationFrame(frame);
  }, [path, groups.length]);

  function close(): void {
    setOpen(false);
    button.current?.focus();
  }

  return (
    <nav
      ref={root}
      class="nav"
      aria-label={t('app.main')}
      onKeyDown={(event) => {
        if (!isOpen || event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <button
        type="button"
        ref={button}
        class="nav-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="list" />
        {here ? (
          <>
            <span class="hidden">{t('app.menu')}: </span>
            <bdi>{here.label}</bdi>
          </>
        ) : (
          t('app.menu')
        )}
        {waiting.length > 0 && (
          <>
            <span class="badge" aria-hidden="true">
              {waiting.reduce((sum, { count }) => sum + count, 0).toLocaleString('en')}
            </span>
            <span class="hidden">
              {waiting.map(({ count, word }) => `${count.toLocaleString('en')} ${word}`).join(', ')}
            </span>
          </>
        )}
        <Icon name="down" />
      </button>
      {/* The focus goes to the heading of the screen; one stays at the button if that is on the screen already. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links have the keys */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click */}
      <div
        id={id}
        class={`nav-panel ${isOpen ? 'is-open' : ''}`}
        onClick={({ target }) => {
          if (isOpen && target instanceof Element && target.closest('a')) close();
        }}
      >
        {groups.map((group) => (
          <NavGroup key={group.label} {...group} path={path} />
        ))}
      </div>
    </nav>
  );
}

/** The navigation scrolls by itself: where one is has to be in sight. */
function showCurrent(nav: HTMLElement | null): void {
  const link = nav?.querySelector('[aria-current="page"]')?.getBoundingClientRect();
  const box = nav?.getBoundingClientRect();
  if (!link || !box) return;
  const isBeside = link.left < box.left || link.right > box.right;
  const isBeyond = link.top < box.top || link.bottom > box.bottom;
  nav?.scrollBy({
    left: isBeside ? (link.left + link.right - box.left - box.right) / 2 : 0,
    top: isBeyond ? (link.top + link.bottom - box.top - box.bottom) / 2 : 0,
  });
}

function NavGroup({ label, destinations, path }: DestinationGroup & { path: string }) {
  const id = useId();
  return (
    <div class="nav-group">
      {label && (
        <span class="nav-label" id={id}>
          {label}
        </span>
      )}
      <ul aria-labelledby={label ? id : undefined}>
        {destinations.map((one) => (
          <NavItem key={one.path} {...one} isHere={isAt(path, one.path)} />
        ))}
      </ul>
    </div>
  );
}

function NavItem({ path, label, icon, badge, isHere }: Destination & { isHere: boolean }) {
  return (
    <li>
      <a href={path} aria-current={isHere ? 'page' : undefined}>
        <Icon name={icon} />
        <bdi>{label}</bdi>
        {badge && (
          <span class="badge">
            {' '}
            {toNumber(badge.count)} <span class="hidden">{badge.word}</span>
          </span>
        )}
      </a>
    </li>
  );
}
