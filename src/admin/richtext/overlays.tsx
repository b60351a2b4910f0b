// The dialogs over a text: the address of a link, and what an image shows.
import type { EditorView } from 'prosemirror-view';
import { t } from '../text/translate.ts';
import { isHarmless } from './addresses.ts';
import { findImage, findLink, setLink } from './editor/commands.ts';
import { TextDialog } from './text-dialog.tsx';

export type TextOverlay = { kind: 'link' } | { kind: 'image'; alt: string };

export function Overlays({ view, overlay, close }: { view: EditorView; overlay: TextOverlay; close(): void }) {
  const finish = (): void => {
    close();
    view.focus();
  };
  if (overlay.kind === 'image') {
    const save = (alt: string): void => {
      const { from } = view.state.selection;
      const image = findImage(view.state);
      if (image) view.dispatch(view.state.tr.setNodeMarkup(from, null, { ...image.attrs, alt }, image.marks));
      finish();
    };
    return (
      <TextDialog
        title={t('rt.image')}
        label={t('rt.altText')}
        help={t('rt.altHelp')}
        value={overlay.alt}
        onSave={save}
        onClose={finish}
      />
    );
  }
  const place = findLink(view.state);
  const set = (href: string): void => {
    setLink(place, href)(view.state, view.dispatch);
    finish();
  };
  return (
    <TextDialog
      title={t('rt.link')}
      label={t('rt.address')}
      value={String(place.mark?.attrs.href ?? '')}
      check={(address) => (isHarmless(address) ? undefined : t('rt.addressRefused'))}
      onSave={set}
      onRemove={place.mark ? () => set('') : undefined}
      removeLabel={t('rt.linkRemove')}
      onClose={finish}
    />
  );
}
