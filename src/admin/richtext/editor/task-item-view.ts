// An item of a task list with a check box beside its words.
import type { Node } from 'prosemirror-model';
import type { EditorView, NodeView } from 'prosemirror-view';
import { t } from '../../text/translate.ts';

export function taskItemView(first: Node, view: EditorView, position: () => number | undefined): NodeView {
  let node = first;
  const dom = document.createElement('li');
  const box = document.createElement('input');
  const contentDOM = document.createElement('div');
  box.type = 'checkbox';
  box.className = 'rt-check';
  box.contentEditable = 'false';
  box.setAttribute('aria-label', t('rt.done'));
  dom.className = 'rt-task';
  dom.append(box, contentDOM);

  function draw(): void {
    box.checked = node.attrs.checked === true;
    box.disabled = !view.editable;
    dom.setAttribute('data-checked', String(box.checked));
  }
  draw();

  box.addEventListener('change', () => {
    const at = position();
    if (at !== undefined) view.dispatch(view.state.tr.setNodeMarkup(at, null, { ...node.attrs, checked: box.checked }));
  });
  return {
    ...{ dom, contentDOM },
    update(next) {
      if (next.type !== node.type) return false;
      node = next;
      draw();
      return true;
    },
    stopEvent: ({ target }) => target === box,
    ignoreMutation: ({ target }) => !contentDOM.contains(target),
  };
}
