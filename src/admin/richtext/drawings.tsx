// Icons of Lucide (ISC licence, https://lucide.dev/license) that only the toolbar of rich text shows.
import { h } from 'preact';
import type { IconPart } from '../ui/icons.ts';

const path = (d: string): IconPart => ['path', { d }];
const box: IconPart = ['rect', { width: '18', height: '18', x: '3', y: '3', rx: '2' }];

export const DRAWINGS = {
  bold: [path('M6 12h9a4 4 0 0 1 0 8H7a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1h7a4 4 0 0 1 0 8')],
  italic: [path('M19 4h-9'), path('M14 20H5'), path('M15 4 9 20')],
  strike: [path('M16 4H9a3 3 0 0 0-2.83 4'), path('M14 12a4 4 0 0 1 0 8H6'), path('M4 12h16')],
  code: [path('m16 18 6-6-6-6'), path('m8 6-6 6 6 6')],
  underline: [path('M6 4v6a6 6 0 0 0 12 0V4'), path('M4 20h16')],
  link: [
    path('M10 13a5 5 0 0 0 7.54.54l3-3a5 5 0 0 0-7.07-7.07l-1.72 1.71'),
    path('M14 11a5 5 0 0 0-7.54-.54l-3 3a5 5 0 0 0 7.07 7.07l1.71-1.71'),
  ],
  bullets: [
    path('M3 5h.01'),
    path('M3 12h.01'),
    path('M3 19h.01'),
    path('M8 5h13'),
    path('M8 12h13'),
    path('M8 19h13'),
  ],
  numbers: [
    ...[path('M11 5h10'), path('M11 12h10'), path('M11 19h10'), path('M4 4h1v5'), path('M4 9h2')],
    path('M6.5 20H3.4c0-1 2.6-1.925 2.6-3.5a1.5 1.5 0 0 0-2.6-1.02'),
  ],
  tasks: [path('M13 5h8'), path('M13 12h8'), path('M13 19h8'), path('m3 17 2 2 4-4'), path('m3 7 2 2 4-4')],
  quote: [path('M17 5H3'), path('M21 12H8'), path('M21 19H8'), path('M3 12v7')],
  codeBlock: [path('m10 9-3 3 3 3'), path('m14 15 3-3-3-3'), box],
  table: [path('M12 3v18'), box, path('M3 9h18'), path('M3 15h18')],
  image: [box, ['circle', { cx: '9', cy: '9', r: '2' }], path('m21 15-3.086-3.086a2 2 0 0 0-2.828 0L6 21')],
  rule: [path('M5 12h14')],
  undo: [path('M9 14 4 9l5-5'), path('M4 9h10.5a5.5 5.5 0 0 1 5.5 5.5a5.5 5.5 0 0 1-5.5 5.5H11')],
  redo: [path('m15 14 5-5-5-5'), path('M20 9H9.5A5.5 5.5 0 0 0 4 14.5A5.5 5.5 0 0 0 9.5 20H13')],
} satisfies Record<string, readonly IconPart[]>;

export type DrawingName = keyof typeof DRAWINGS;

/** Decorative: the button around it has a name. */
export function Drawing({ name }: { name: DrawingName }) {
  const parts: readonly IconPart[] = DRAWINGS[name];
  return (
    <svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" focusable="false">
      {parts.map(([tag, attributes]) => h(tag, { key: JSON.stringify(attributes), ...attributes }))}
    </svg>
  );
}
