import { t } from '../text/translate.ts';
import { Dialog } from '../ui/dialog.tsx';

const KEYS = [
  ['Ctrl K', 'help.palette'],
  ['?', 'help.help'],
  ['F8', 'help.undo'],
  ['Esc', 'help.escape'],
  ['Ctrl S', 'help.save'],
  ['Ctrl Enter', 'help.publish'],
  ['Ctrl .', 'help.panels'],
  ['Alt ↑ ↓', 'help.move'],
  ['Ctrl D', 'help.duplicate'],
  ['/', 'help.search'],
  ['n', 'help.new'],
  ['j k', 'help.rows'],
  ['← ↑ ↓ →', 'help.tiles'],
  ['Ctrl Home, Ctrl End', 'help.edges'],
  ['Enter', 'help.open'],
  ['Space', 'help.select'],
  ['Shift Space', 'help.range'],
  ['Delete', 'help.delete'],
  ['e u', 'help.inbox'],
  ['[ ]', 'help.versions'],
  ['1 – 9', 'help.cards'],
  ['a', 'help.approve'],
  ['r', 'help.reject'],
  ['e', 'help.edit'],
  ['j k', 'help.proposals'],
] as const;

export function Help({ onClose }: { onClose(): void }) {
  return (
    <Dialog
      title={t('help.keys')}
      onClose={onClose}
      beside={
        <button type="button" onClick={onClose}>
          {t('app.close')}
        </button>
      }
    >
      <dl class="keys">
        {KEYS.map(([key, text]) => (
          <div key={text}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
