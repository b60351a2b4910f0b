// What the theme's filters and tags need of the page that is being rendered. The builder implements it, and records
// through it what the page depends on, so that an incremental build renders again exactly what a change touches.

/** A picture in the sizes that a page asks for. */
export interface PageImage {
  src: string;
  /** Ascending widths; empty for a drawing, or a picture from another server. */
  sources: readonly { src: string; width: number }[];
  width: number | undefined;
  height: number | undefined;
  /** Its description in the media library. */
  alt: string | undefined;
}

export interface PageContext {
  locale: string;
  /** Path of the page, with a slash at both ends, or `/404.html`. */
  path: string;
  isPreview: boolean;
  /** Notes a file of the theme that the page was made with: its path in the theme. */
  use(themeFile: string): void;
  /** Published address of a file in `assets/`, and undefined if the theme has no such file. */
  assetUrl(name: string): string | undefined;
  /** The site's absolute address of a path; the path itself if `build.baseUrl` is not set. */
  absoluteUrl(path: string): string;
  /** Undefined for what is not a picture. The variants become files of the build. */
  image(value: unknown, widths: readonly number[]): PageImage | undefined;
  /**
   * Address of a link or a picture in rich text, checked: a media file becomes part of the build, an unsafe address
   * becomes `#`.
   */
  link(address: string): string;
  /** The form's markup; undefined if there is no such form. */
  form(name: string): string | undefined;
  /** Notes what the page shows in another way than its author meant, for the log. */
  warn(problem: string): void;
  /** The search box and its script; empty if the site has none. */
  search(text: FindText): string;
}

/** A text of the theme in the page's locale; `count` chooses its plural form. */
export type FindText = (key: string, values?: { count: number }) => string;
