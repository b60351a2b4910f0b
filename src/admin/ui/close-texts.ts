// Every text on the screen keeps its direction of writing to itself, wherever it comes from.
import { options, type VNode } from 'preact';
import { closeDirections } from '../text/directions.ts';

const closeChild = (child: unknown): unknown => (typeof child === 'string' ? closeDirections(child) : child);

export function closeTexts(): void {
  const before = options.vnode;
  options.vnode = (vnode: VNode) => {
    const props = vnode.props as { children?: unknown };
    if (typeof vnode.type === 'string' && props.children !== undefined) {
      props.children = Array.isArray(props.children) ? props.children.map(closeChild) : closeChild(props.children);
    }
    before?.(vnode);
  };
}
