// The starter site: the journal of Kranich Press, a letterpress workshop that does not exist. It shows every field
// type, blocks, relations, two languages and a form; copy it, change it, throw it away.
import { defineConfig } from 'colophon/config';

export default defineConfig({
  defaultLocale: 'en',
  locales: ['en', 'de'],

  collections: [
    {
      name: 'posts',
      label: 'Journal',
      slug: 'journal',
      description: 'What happens between the type cases: essays, workshop notes and the odd confession.',
      kind: 'page',
      urlPrefix: '/journal',
      urlPattern: '/journal/:slug',
      format: 'markdown',
      translatable: true,
      ui: { icon: 'posts', singular: 'Article' },
      fields: [
        { name: 'title', type: 'text', label: 'Title', maxLength: 120 },
        {
          name: 'standfirst',
          type: 'textarea',
          label: 'Standfirst',
          maxLength: 300,
          ai: { hint: 'Two plain sentences that make a printer want to read on.', maxLength: 240, tone: 'dry, warm' },
          ui: { help: 'What a reader sees first: two plain sentences.' },
        },
        { name: 'date', type: 'date', label: 'Date' },
        { name: 'author', type: 'relation', label: 'Author', collection: 'people' },
        {
          name: 'kind',
          type: 'select',
          label: 'Kind',
          defaultValue: 'notes',
          options: [
            { label: 'Essay', value: 'essay' },
            { label: 'Workshop notes', value: 'notes' },
            { label: 'Found object', value: 'found' },
          ],
        },
        { name: 'featured', type: 'boolean', label: 'On the front page', defaultValue: false },
        { name: 'minutes', type: 'number', label: 'Minutes to read', min: 1, max: 90 },
        { name: 'cover', type: 'image', label: 'Cover' },
        { name: 'tags', type: 'tags', label: 'Tags', max: 8 },
        { name: 'body', type: 'richtext', label: 'Text', aiLock: { autoLockOnEdit: true } },
        { name: 'gallery', type: 'image-gallery', label: 'Pictures' },
        { name: 'recording', type: 'audio', label: 'Recording' },
        { name: 'related', type: 'relation', label: 'Read next', collection: 'posts', multiple: true, max: 3 },
      ],
    },
    {
      name: 'prints',
      label: 'Prints',
      description: 'What we print and sell, one edition at a time.',
      kind: 'page',
      urlPrefix: '/prints',
      urlPattern: '/prints/:slug',
      ui: { icon: 'image', singular: 'Print', columns: ['edition', 'status', 'updatedAt'] },
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 400 },
        { name: 'image', type: 'image', label: 'Picture' },
        { name: 'printedOn', type: 'date', label: 'Printed on', ui: { tab: 'Workshop' } },
        { name: 'edition', type: 'number', label: 'Copies', min: 1, max: 500, required: true, ui: { width: 'half' } },
        { name: 'price', type: 'number', label: 'Price in euro', min: 0, ui: { width: 'half', showIf: 'available' } },
        { name: 'available', type: 'boolean', label: 'Still for sale', defaultValue: true },
        {
          name: 'sheet',
          type: 'object',
          label: 'Sheet',
          fields: [
            { name: 'width', type: 'number', label: 'Width in mm', required: true, min: 1 },
            { name: 'height', type: 'number', label: 'Height in mm', required: true, min: 1 },
            { name: 'paper', type: 'text', label: 'Paper' },
          ],
        },
        {
          name: 'inks',
          type: 'array',
          label: 'Inks',
          fields: [
            { name: 'name', type: 'text', label: 'Name', required: true },
            { name: 'recipe', type: 'text', label: 'Recipe' },
          ],
        },
        {
          name: 'techniques',
          type: 'select',
          label: 'Techniques',
          multiple: true,
          options: ['Metal type', 'Wood type', 'Linocut', 'Photopolymer', 'Blind emboss'],
        },
        { name: 'typefaces', type: 'array', label: 'Typefaces' },
        { name: 'printer', type: 'relation', label: 'Printed by', collection: 'people', ui: { tab: 'Workshop' } },
        { name: 'film', type: 'video', label: 'Film' },
        { name: 'specification', type: 'file', label: 'Specification (PDF)' },
      ],
    },
    {
      name: 'people',
      label: 'People',
      description: 'Who stands at the press.',
      kind: 'data',
      urlPrefix: '/people',
      ui: { icon: 'user', singular: 'Person', titleField: 'name' },
      fields: [
        { name: 'name', type: 'text', label: 'Name', required: true },
        { name: 'role', type: 'text', label: 'Role' },
        { name: 'since', type: 'date', label: 'Here since' },
        { name: 'email', type: 'email', label: 'E-mail', unique: true },
        { name: 'website', type: 'url', label: 'Website' },
        { name: 'bio', type: 'richtext', label: 'About' },
      ],
    },
    {
      name: 'pages',
      label: 'Pages',
      description: 'Everything that stays.',
      kind: 'page',
      urlPrefix: '/',
      urlPattern: '/:slug',
      parentField: 'parent',
      translatable: true,
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'parent', type: 'relation', label: 'Below', collection: 'pages' },
        { name: 'sections', type: 'blocks', label: 'Sections' },
        { name: 'columns', type: 'column-slots', label: 'Columns' },
        { name: 'place', type: 'map', label: 'Where to find us' },
        { name: 'form', type: 'form', label: 'Form' },
        { name: 'specimen', type: 'htmldoc', label: 'Specimen sheet' },
        { name: 'gadget', type: 'interactive', label: 'Gadget' },
      ],
    },
    {
      name: 'house',
      label: 'House',
      description: 'Name, tagline and navigation: one document for the whole site.',
      kind: 'global',
      fields: [
        { name: 'name', type: 'text', label: 'Name', required: true },
        { name: 'tagline', type: 'text', label: 'Tagline' },
        {
          name: 'navigation',
          type: 'array',
          label: 'Navigation',
          fields: [
            { name: 'label', type: 'text', label: 'Label', required: true },
            { name: 'path', type: 'text', label: 'Path', required: true },
          ],
        },
        { name: 'imprint', type: 'textarea', label: 'Imprint' },
        { name: 'ink', type: 'color', label: 'House colour' },
        { name: 'hours', type: 'json', label: 'Opening hours' },
      ],
    },
    {
      name: 'guide',
      label: 'Guide to Colophon',
      description:
        'How to work with this service. Its files are written by hand: the service gives them what they leave out.',
      kind: 'data',
      urlPrefix: '/guide',
      format: 'markdown',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'order', type: 'number', label: 'Place in the list', min: 1 },
        { name: 'body', type: 'richtext', label: 'Text', required: true },
      ],
    },
    {
      name: 'help',
      label: 'Guide for editors',
      description: 'How to write and publish here. The help menu of the admin shows these pages, on every site.',
      kind: 'data',
      urlPrefix: '/help',
      format: 'markdown',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'summary', type: 'text', label: 'In a sentence', required: true },
        { name: 'order', type: 'number', label: 'Place in the list', min: 1 },
        { name: 'body', type: 'richtext', label: 'Text', required: true },
      ],
    },
  ],

  blocks: [
    {
      name: 'opening',
      label: 'Opening',
      fields: [
        { name: 'heading', type: 'text', label: 'Heading', required: true },
        { name: 'text', type: 'textarea', label: 'Text' },
        { name: 'image', type: 'image', label: 'Picture' },
      ],
    },
    {
      name: 'prose',
      label: 'Prose',
      fields: [{ name: 'text', type: 'richtext', label: 'Text', required: true }],
    },
    {
      name: 'quotation',
      label: 'Quotation',
      fields: [
        { name: 'text', type: 'textarea', label: 'Words', required: true },
        { name: 'source', type: 'text', label: 'Whose' },
      ],
    },
    {
      name: 'steps',
      label: 'Steps',
      fields: [
        {
          name: 'items',
          type: 'array',
          label: 'Steps',
          min: 1,
          fields: [
            { name: 'name', type: 'text', label: 'Name', required: true },
            { name: 'text', type: 'textarea', label: 'What happens' },
          ],
        },
      ],
    },
    {
      name: 'aside',
      label: 'Aside',
      fields: [{ name: 'content', type: 'blocks', label: 'Content', blocks: ['prose', 'quotation'] }],
    },
  ],

  forms: [
    {
      name: 'visit',
      label: 'Come by',
      successMessage: 'Thank you. We answer on Fridays, when the press is being cleaned.',
      fields: [
        { name: 'name', label: 'Your name', type: 'text', required: true, validation: { maxLength: 100 } },
        { name: 'email', label: 'E-mail', type: 'email', required: true, placeholder: 'you@example.com' },
        {
          name: 'occasion',
          label: 'What brings you here',
          type: 'select',
          required: true,
          options: [
            { label: 'A look around', value: 'look' },
            { label: 'A day course', value: 'course' },
            { label: 'Something to be printed', value: 'commission' },
          ],
        },
        { name: 'day', label: 'A day that suits you', type: 'date' },
        { name: 'people', label: 'How many of you', type: 'number', defaultValue: 1 },
        { name: 'message', label: 'Tell us more', type: 'textarea', validation: { maxLength: 2000 } },
        { name: 'from', label: 'Page', type: 'hidden', defaultValue: 'visit' },
      ],
    },
  ],

  build: {
    outDir: 'dist',
    siteName: 'Kranich Press',
    rss: { title: 'Kranich Press: the journal', collections: ['posts'], limit: 20 },
  },
});
