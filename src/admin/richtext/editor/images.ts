// Pictures that are pasted, dropped or chosen: uploaded, with a mark in the text until they have an address.
import { Plugin, PluginKey } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { insertBlock } from './commands.ts';

export interface UploadedImage {
  url: string;
  alt: string;
}

export interface ImageUploads {
  upload(file: File): Promise<UploadedImage>;
  /** The name of the mark that stands for a picture on its way. */
  waiting(file: File): string;
  onFailed(file: File, error: unknown): void;
}

export interface ImageParts {
  /** Undefined if nothing can be uploaded. */
  findUploads(): ImageUploads | undefined;
  /** Whether the pasted text had pictures in it that are left out. */
  onLeftOut?: ((isSome: boolean) => void) | undefined;
}

type Event = { add: object; at: number; text: string } | { remove: object };

const KEY = new PluginKey<DecorationSet>('images');

export function imageUploads({ findUploads: find, onLeftOut }: ImageParts): Plugin {
  const take = (view: EditorView, list: Iterable<File> | undefined | null, at: number): boolean => {
    const files = [...(list ?? [])].filter(({ type }) => type.startsWith('image/'));
    const uploads = find();
    if (files.length === 0 || !uploads) return false;
    for (const file of files) void uploadImage(view, file, at, uploads);
    return true;
  };
  return new Plugin<DecorationSet>({
    key: KEY,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, before) {
        const set = before.map(tr.mapping, tr.doc);
        const event = tr.getMeta(KEY) as Event | undefined;
        if (event === undefined) return set;
        if ('remove' in event) return set.remove(set.find(undefined, undefined, ({ id }) => id === event.remove));
        return set.add(tr.doc, [Decoration.widget(event.at, () => drawWaiting(event.text), { id: event.add })]);
      },
    },
    props: {
      decorations: (state) => KEY.getState(state),
      handlePaste(view, event) {
        // A program that copies text brings a picture of it along.
        const { clipboardData } = event;
        const here = view.state.selection.from;
        if (!clipboardData?.getData('text/plain') && take(view, clipboardData?.files, here)) return true;
        // Few texts hold their pictures, so what reads them is loaded then.
        const markup = clipboardData?.getData('text/html') ?? '';
        if (markup.includes('data:'))
          void import('./data-images.ts').then(({ takeDataImages }) =>
            onLeftOut?.(takeDataImages(markup, (file) => take(view, [file], view.state.selection.from))),
          );
        return false;
      },
      handleDrop(view, event) {
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? view.state.selection.from;
        if (!take(view, event.dataTransfer?.files, at)) return false;
        event.preventDefault();
        return true;
      },
    },
  });
}

function drawWaiting(text: string): HTMLElement {
  const element = document.createElement('span');
  element.className = 'rt-waiting';
  element.textContent = text;
  return element;
}

async function uploadImage(view: EditorView, file: File, at: number, uploads: ImageUploads): Promise<void> {
  const id = {};
  const { tr } = view.state;
  view.dispatch(tr.setMeta(KEY, { add: id, at, text: uploads.waiting(file) } satisfies Event));
  let image: UploadedImage | undefined;
  try {
    image = await uploads.upload(file);
  } catch (error) {
    uploads.onFailed(file, error);
  }
  if (view.isDestroyed) return;
  const [place] = KEY.getState(view.state)?.find(undefined, undefined, (spec) => spec.id === id) ?? [];
  view.dispatch(view.state.tr.setMeta(KEY, { remove: id } satisfies Event));
  // Undefined if the text around it was deleted meanwhile.
  if (image && place) insertImage(view, image, place.from);
}

export function insertImage(view: EditorView, { url, alt }: UploadedImage, at = view.state.selection.from): void {
  const { nodes } = view.state.schema;
  const attrs = { src: url, alt };
  const place = view.state.doc.resolve(Math.min(at, view.state.doc.content.size));
  if (nodes.image && !place.parent.content.size) {
    insertBlock(nodes.image.create(attrs))(view.state, view.dispatch);
    return;
  }
  const node = nodes.imageInline!.create(attrs);
  if (place.parent.inlineContent && place.parent.type.name !== 'codeBlock')
    view.dispatch(view.state.tr.insert(place.pos, node));
  else insertBlock(nodes.paragraph!.create(null, node))(view.state, view.dispatch);
}
