// A document as templates see it. Everything that a template reads of it is noted as a fact, so that a page that shows a
// title does not have to be made again when the text changes.
import { Drop } from '../../theme/drop.ts';
import type { SiteMap } from '../plan/site-map.ts';
import type { SiteDocument } from '../read/site-document.ts';
import type { FieldDrop } from './fields.ts';
import type { Recorder } from './recorder.ts';

export interface DropWorld {
  site: SiteMap;
  recorder: Recorder;
  absoluteUrl(path: string): string;
  dropOf(doc: SiteDocument): DocumentDrop;
  /** The stored values of a document, with its relations resolved. */
  dataOf(doc: SiteDocument): Record<string, unknown>;
  fieldsOf(doc: SiteDocument): FieldDrop[];
}

export class DocumentDrop extends Drop {
  readonly #doc: SiteDocument;
  readonly #world: DropWorld;

  constructor(doc: SiteDocument, world: DropWorld) {
    super();
    this.#doc = doc;
    this.#world = world;
  }

  #note(name: string): void {
    this.#world.recorder.note(`doc ${this.#doc.id} ${name}`);
  }

  #seen(name: 'slug' | 'title' | 'description' | 'date' | 'createdAt' | 'updatedAt'): string {
    this.#note(name);
    return this.#doc[name];
  }

  #one(kind: string, doc: SiteDocument | undefined): DocumentDrop | undefined {
    this.#world.recorder.note(`${kind} ${this.#doc.id}`);
    return doc && this.#world.dropOf(doc);
  }

  #many(kind: string, docs: readonly SiteDocument[]): DocumentDrop[] {
    this.#world.recorder.note(`${kind} ${this.#doc.id}`);
    return docs.map((doc) => this.#world.dropOf(doc));
  }

  get id(): string {
    return this.#doc.id;
  }

  get collection(): string {
    return this.#doc.collection;
  }

  get slug(): string {
    return this.#seen('slug');
  }

  get url(): string | undefined {
    this.#note('url');
    return this.#world.site.pathOf(this.#doc.id);
  }

  get absolute_url(): string | undefined {
    const { url } = this;
    return url === undefined ? undefined : this.#world.absoluteUrl(url);
  }

  get title(): string {
    return this.#seen('title');
  }

  get description(): string {
    return this.#seen('description');
  }

  get date(): string {
    return this.#seen('date');
  }

  get created_at(): string {
    return this.#seen('createdAt');
  }

  get updated_at(): string {
    return this.#seen('updatedAt');
  }

  get locale(): string | undefined {
    this.#note('locale');
    return this.#doc.locale;
  }

  get tags(): { name: string; url: string | undefined }[] {
    this.#note('tags');
    const locale = this.locale ?? '';
    return this.#doc.tags.map((name) => {
      this.#world.recorder.note(`tag ${locale} ${name}`);
      return { name, url: this.#world.site.findTag(locale, name)?.url };
    });
  }

  get image(): string | undefined {
    this.#note('image');
    return this.#doc.image;
  }

  get data(): Record<string, unknown> {
    this.#note('data');
    return this.#world.dataOf(this.#doc);
  }

  get fields(): FieldDrop[] {
    this.#note('data');
    return this.#world.fieldsOf(this.#doc);
  }

  get previous(): DocumentDrop | undefined {
    return this.#one('previous', this.#world.site.previousOf(this.#doc.id));
  }

  get next(): DocumentDrop | undefined {
    return this.#one('next', this.#world.site.nextOf(this.#doc.id));
  }

  get parent(): DocumentDrop | undefined {
    return this.#one('parent', this.#world.site.parentOf(this.#doc));
  }

  /** The outermost first. */
  get ancestors(): DocumentDrop[] {
    const found: DocumentDrop[] = [];
    for (let parent = this.parent; parent; parent = parent.parent) found.unshift(parent);
    return found;
  }

  get children(): DocumentDrop[] {
    return this.#many('children', this.#world.site.childrenOf(this.#doc.id));
  }

  get translations(): DocumentDrop[] {
    return this.#many('translations', this.#world.site.translationsOf(this.#doc.id));
  }

  get backlinks(): DocumentDrop[] {
    return this.#many('backlinks', this.#world.site.pointingAt(this.#doc.id));
  }

  /** For the filter `json`: without the documents that it leads to, which lead back. */
  toJSON(): object {
    const { id, collection, slug, url, title, description, date, locale } = this;
    return { id, collection, slug, url, title, description, date, locale };
  }
}
