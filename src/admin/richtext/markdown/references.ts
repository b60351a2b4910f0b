// Reference links follow their definitions, which are source on the same screen. Pure.
import type { Node } from 'prosemirror-model';
import type { Transform } from 'prosemirror-transform';
import { linksOf } from './definitions.ts';

/** Gives links and images the addresses of their labels; one whose label is not defined becomes a link in place. */
export function followDefinitions(change: Transform): void {
  const targets = linksOf(change.doc.children);
  change.doc.descendants((node, position) => {
    const follow = (attrs: Node['attrs'], address: 'href' | 'src'): Node['attrs'] | undefined => {
      if (attrs.label === null || attrs.label === undefined) return undefined;
      const target = targets[toKey(attrs.label)];
      if (target === undefined) return { ...attrs, form: null, label: null };
      const title = target.title ?? null;
      return target.href === attrs[address] && title === attrs.title
        ? undefined
        : { ...attrs, [address]: target.href, title };
    };
    if (node.type.name === 'imageInline') {
      const attrs = follow(node.attrs, 'src');
      if (attrs) change.setNodeMarkup(position, null, attrs, node.marks);
    }
    for (const mark of node.marks) {
      if (mark.type.name !== 'link') continue;
      const attrs = follow(mark.attrs, 'href');
      if (attrs) change.addMark(position, position + node.nodeSize, mark.type.create(attrs));
    }
  });
}

/** A label as definitions are found by it. */
function toKey(label: string): string {
  return label.toLowerCase().replace(/\s+/g, ' ').trim();
}
