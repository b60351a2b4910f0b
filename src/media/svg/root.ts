// The root of an SVG: whether a text has one, and which size it declares.
import type { Size } from '../kinds/measure.ts';

const SPACE = '[\\t\\n\\r ]';
const COMMENT = '<!--(?:[^-]|-(?!->))*-->';
const INSTRUCTION = '<\\?(?:[^?]|\\?(?!>))*\\?>';
/** Includes an internal subset: entities are never expanded, so their number needs no bound. */
const DOCTYPE = `<!DOCTYPE${SPACE}+(?:[\\w.-]+:)?svg(?:"[^"]*"|'[^']*'|[^>"'[\\]])*(?:\\[(?:"[^"]*"|'[^']*'|${COMMENT}|${INSTRUCTION}|[^\\]"'<]|<(?!!--|\\?))*\\]${SPACE}*)?>`;
const ROOT = new RegExp(
  `^\\uFEFF?(?:${SPACE}|${COMMENT}|${INSTRUCTION}|${DOCTYPE})*<((?:[\\w.-]+:)?svg)((?:${SPACE}|/?>)(?:"[^"]*"|'[^']*'|[^>"'])*)`,
);
/** Pixels per unit, as in CSS. */
const UNITS: Record<string, number> = { '': 1, px: 1, pt: 4 / 3, pc: 16, mm: 96 / 25.4, cm: 96 / 2.54, in: 96 };
const LENGTH = /^\s*((?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)(px|pt|pc|mm|cm|in)?\s*$/i;

/** The root must begin within this many characters. */
const HEAD_CHARS = 64 << 10;

/** Whether the first XML element is `svg`. An HTML page that contains an SVG is not one. */
export function isSvgText(text: string): boolean {
  return findRoot(text) !== undefined;
}

/** The position of the root's tag, and its name with the prefix for SVG's namespace. */
export function findRoot(text: string): { start: number; name: string } | undefined {
  const [all, name, rest] = ROOT.exec(text.slice(0, HEAD_CHARS)) ?? [];
  if (all === undefined || name === undefined || rest === undefined) return undefined;
  return { start: all.length - rest.length - name.length - 1, name };
}

/** Width and height in pixels: as declared, else those of the viewBox. */
export function measureSvg(text: string): Size | undefined {
  const attributes = ROOT.exec(text.slice(0, HEAD_CHARS))?.[2] ?? '';
  const read = (name: string): string | undefined =>
    new RegExp(`${SPACE}${name}${SPACE}*=${SPACE}*(?:"([^"]*)"|'([^']*)')`)
      .exec(attributes)
      ?.slice(1)
      .find((value) => value !== undefined);
  const box = (read('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , boxWidth, boxHeight] = box.length === 4 && box.every(Number.isFinite) ? box : [];
  const width = toPixels(read('width'));
  const height = toPixels(read('height'));
  // If only one is declared, the viewBox's proportions give the other.
  const ratio = boxWidth && boxHeight ? boxWidth / boxHeight : undefined;
  return toSize(
    width ?? (height && ratio ? height * ratio : boxWidth),
    height ?? (width && ratio ? width / ratio : boxHeight),
  );
}

function toSize(width: number | undefined, height: number | undefined): Size | undefined {
  if (!width || !height || width < 0.5 || height < 0.5 || width > 1e6 || height > 1e6) return undefined;
  return { width: Math.round(width), height: Math.round(height) };
}

function toPixels(text: string | undefined): number | undefined {
  const [, number, unit = ''] = LENGTH.exec(text ?? '') ?? [];
  return number === undefined ? undefined : Number(number) * UNITS[unit.toLowerCase()]!;
}
