// Which rows of a long list are drawn, and where. Every row has the same height. Pure.

export interface View {
  scrollTop: number;
  /** The height of the part that one sees. */
  height: number;
  rowHeight: number;
  total: number;
}

export interface RowWindow {
  /** Index of the first row to draw. */
  first: number;
  /** One after the last. */
  end: number;
  /** The distance of a row from the top of the scrolled content. */
  topOf(index: number): number;
  /** Height of the scrolled content. */
  contentHeight: number;
}

/** Browsers draw nothing below some 17 million pixels; longer lists are scrolled faster than they move. */
export const MAX_CONTENT_PX = 12_000_000;
/** Rows above and below, so that a turn of the wheel finds them there. */
const OVERSCAN = 8;

export function toWindow(view: View): RowWindow {
  const { height, rowHeight, total } = view;
  const contentHeight = contentHeightOf(view);
  const scrollTop = clamp(view.scrollTop, 0, Math.max(0, contentHeight - height));
  const realTop = toRealTop(view, scrollTop);
  const shift = scrollTop - realTop;
  return {
    first: clamp(Math.floor(realTop / rowHeight) - OVERSCAN, 0, total),
    end: clamp(Math.ceil((realTop + height) / rowHeight) + OVERSCAN, 0, total),
    topOf: (index) => index * rowHeight + shift,
    contentHeight,
  };
}

/** Where to scroll so that a row is seen whole, moving as little as possible. */
export function scrollTopFor(index: number, view: View): number {
  const { height, rowHeight } = view;
  const realTop = toRealTop(view, view.scrollTop);
  const top = index * rowHeight;
  if (top < realTop) return toScrollTop(view, top);
  if (top + rowHeight > realTop + height) return toScrollTop(view, top + rowHeight - height);
  return view.scrollTop;
}

function contentHeightOf({ rowHeight, total }: View): number {
  return Math.min(total * rowHeight, MAX_CONTENT_PX);
}

/** How far one has come in a list without the limit. */
function toRealTop(view: View, scrollTop: number): number {
  const content = contentHeightOf(view);
  const real = view.rowHeight * view.total;
  if (real <= content || content <= view.height) return scrollTop;
  return (scrollTop / (content - view.height)) * (real - view.height);
}

function toScrollTop(view: View, realTop: number): number {
  const content = contentHeightOf(view);
  const real = view.rowHeight * view.total;
  const top = real <= content ? realTop : (realTop / (real - view.height)) * (content - view.height);
  return clamp(top, 0, Math.max(0, content - view.height));
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
